/* SPDX-License-Identifier: MIT */
/* What node_exporter's infiniband collector shows, under its names, for dashboards and alerts that rely on
 * them; for use with --no-collector.infiniband. They are in node_exporter.txt. */
#include "view/metrics/family.h"

/* A few milliseconds in whole seconds: 0, as in node_exporter. */
static struct num lifespan(const struct target *target)
{
    for (size_t i = 0; i < target->port->ncounters; i++) {
        const struct counter *counter = &target->port->counters[i];
        if (strcmp(counter->name, "lifespan") == 0 && strcmp(counter->dir, "hw_counters") == 0)
            return num_if(counter->raw.known, counter->raw.value / 1000);
    }
    return (struct num){ 0 };
}

static const struct family families[] = { NODE_EXPORTER_FAMILIES };

/* As Go writes a float64 without a given precision: the fewest digits that distinguish it from its neighbours,
 * and from a million on with an exponent. */
static void write_as_go(char text[static 32], uint64_t value)
{
    double number = (double)value;
    char digits[32] = "";
    int precision = 0;
    do
        snprintf(digits, sizeof(digits), "%.*e", precision, number);
    while (strtod(digits, NULL) != number && ++precision < 17);
    if (value < 1000000)
        snprintf(text, 32, "%" PRIu64, value);
    else
        snprintf(text, 32, "%s", digits);
}

void metrics_write_as_node_exporter(const struct metrics *metrics, struct exposition *to)
{
    static const struct naming naming = { .prefix = "node_infiniband_", .number = write_as_go };
    struct filling filling = { .metrics = metrics, .naming = &naming, .to = to, .arena = arena_new() };
    put_families(&filling, families);
    exposition_end(to);
    arena_free(filling.arena);
}
