/* SPDX-License-Identifier: MIT */
/* Which families exist and are wanted, what must be read for them, and how each is written. */
#include "view/metrics/metrics.h"

#include "tables.h"
#include "view/metrics/family.h"

/* -- which exist ------------------------------------------------------------------------------------------ */

/* In printing order; the drivers' own counters follow those of the ports. */
static const struct family *const lists[] = { families_of_ports, families_of_others };

static const struct family *family_at(size_t i)
{
    for (size_t l = 0; l < ARRAY_SIZE(lists); l++)
        for (const struct family *family = lists[l]; family->name; family++)
            if (i-- == 0)
                return family;
    return NULL;
}

size_t metrics_count(void)
{
    size_t count = 0;
    while (family_at(count))
        count++;
    return count;
}

const char *metrics_name_at(size_t i, const void *data)
{
    (void)data;
    return family_at(i)->name;
}

const struct metrics_option metrics_options[] = { METRICS_WITH, { 0 } };

static unsigned with_of(const struct family *family)
{
    return family->with | samples_kinds[family->of].with;
}

static const char *option_of(const struct family *family)
{
    for (const struct metrics_option *option = metrics_options; option->name; option++)
        if (with_of(family) == option->with)
            return option->name;
    return NULL;
}

static enum metric_type type_of(const char *name)
{
    return text_ends(name, "_total") ? METRIC_COUNTER : text_ends(name, "_info") ? METRIC_INFO : METRIC_GAUGE;
}

static const char *unit_of(const char *name)
{
    static const char *const endings[] = { "_bytes_total", "_bytes", "_bytes_per_second", "_seconds" };
    static const char *const units[] = { "bytes", "bytes", "bytes_per_second", "seconds" };
    for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
        if (text_ends(name, endings[i]))
            return units[i];
    return NULL;
}

struct metrics_row *metrics_rows(struct arena *arena, size_t *count)
{
    struct metrics_row *rows = NULL;
    const struct family *family;
    *count = 0;
    for (size_t i = 0; (family = family_at(i)); i++)
        *ARENA_PUSH(arena, rows, *count) = (struct metrics_row){
            .name = arena_printf(arena, PREFIX "%s", family->name),
            .labels = targets_labels(arena, family->of),
            .help = family->help,
            .type = type_of(family->name),
            .option = option_of(family),
            .counters = family->role ? counters_of_role(arena, family->role) : NULL,
        };
    counters_list(arena, &rows, count);
    return rows;
}

/* -- which are wanted ------------------------------------------------------------------------------------- */

static bool is_printed(const struct metrics_choice *choice, const struct family *family)
{
    return (with_of(family) & choice->with) == with_of(family);
}

static bool is_chosen(const struct metrics_choice *choice, const struct family *family)
{
    return is_printed(choice, family) && is_wanted(choice, family->name);
}

bool metrics_list_unknown(const char *list, char word[static 128])
{
    while (next_word(&list, word)) {
        const char *name = without_prefix(word);
        bool any = counters_may_match(name);
        for (size_t i = 0; family_at(i) && !any; i++)
            any = text_matches(name, family_at(i)->name);
        memmove(word, name, strlen(name) + 1);
        if (!any)
            return true;
    }
    return false;
}

const char *metrics_list_lacks(const struct metrics_choice *choice, const char *list, char word[static 128])
{
    const struct family *family;
    while (next_word(&list, word))
        for (size_t i = 0; (family = family_at(i)); i++)
            if (!is_printed(choice, family) && strcmp(without_prefix(word), family->name) == 0)
                return option_of(family);
    return NULL;
}

static bool wants_counters(const struct metrics_choice *choice)
{
    const char *list = choice->only;
    for (char word[128]; next_word(&list, word);)
        if (counters_may_match(without_prefix(word)))
            return true;
    return !choice->only;
}

needs_t metrics_needs(const struct metrics_choice *choice)
{
    needs_t needs = wants_counters(choice) ? NEED_COUNTERS : 0;
    const struct family *family;
    for (size_t i = 0; (family = family_at(i)); i++)
        if (is_chosen(choice, family))
            needs |= family->needs | samples_kinds[family->of].needs;
    return needs;
}

/* -- writing ---------------------------------------------------------------------------------------------- */

static struct value counter_of(const struct port *port, const char *dir, const char *file)
{
    for (size_t i = 0; i < port->ncounters; i++) {
        const struct counter *counter = &port->counters[i];
        if (strcmp(counter->name, file) == 0 && strcmp(counter->dir, dir) == 0)
            return value_num(num_if(counter->raw.known, counter_value(counter->def, counter->raw.value)));
    }
    return NO_VALUE;
}

/* How many of the port's counters, and with the device's first port also of the device's, satisfy is(). */
static struct num count_counters(const struct port *port, bool (*is)(const struct counter *counter))
{
    const struct device *device = port->device;
    size_t ndevice = port == &device->ports[0] ? device->ncounters : 0;
    uint64_t count = 0;
    for (size_t i = 0; i < port->ncounters; i++)
        count += is(&port->counters[i]);
    for (size_t i = 0; i < ndevice; i++)
        count += is(&device->counters[i]);
    return num_if(port->ncounters + ndevice > 0, count);
}

static struct value value_of(const struct family *family, const struct target *target)
{
    if (family->number)
        return value_num(family->number(target));
    if (family->counts)
        return value_num(count_counters(target->port, family->counts));
    if (family->role)
        return value_num(port_role_value(target->port, family->role).sum);
    if (family->file)
        return counter_of(target->port, family->dir, family->file);
    if (family->member.type != MEMBER_NONE)
        return member_value(&family->member, target);
    return target->count.known ? value_snum(target->count) : value_unsigned(1);
}

static void put_sample(struct filling *filling, const char *name, const char *labels, struct value value)
{
    char text[48];
    if (filling->naming->number)
        filling->naming->number(text, value.number);
    else if (text_is(unit_of(name), "seconds"))
        snprintf(text, sizeof(text), "%" PRIu64 ".%06" PRIu64, value.number / 1000000, value.number % 1000000);
    else if (value.type == VALUE_SIGNED)
        snprintf(text, sizeof(text), "%" PRId64, value.integer);
    else {
        exposition_sample(filling->to, name, labels, value.number);
        return;
    }
    exposition_sample_text(filling->to, name, labels, text);
}

static void put_family(struct filling *filling, const struct family *family)
{
    const struct targets *targets = targets_of(filling, family->of);
    bool begun = false, summed = samples_kinds[family->of].summed;
    char name[96];
    uint64_t before = 0;
    snprintf(name, sizeof(name), "%s%s", filling->naming->prefix, family->name);
    for (size_t i = 0; i < targets->count; i++) {
        const struct target *target = &targets->items[i];
        struct value value = value_of(family, target);
        if (value.type == VALUE_ABSENT)
            continue;
        value.number += before;
        if (summed && i + 1 < targets->count && strcmp(target->labels, target[1].labels) == 0) {
            before = value.number;
            continue;
        }
        before = 0;
        if (!begun)
            put_head(filling, name, type_of(family->name), unit_of(name), family->help);
        begun = true;
        put_sample(filling, name, target->labels, value);
    }
}

void put_families(struct filling *filling, const struct family *families)
{
    for (; families->name; families++)
        if (!filling->choice || is_chosen(filling->choice, families))
            put_family(filling, families);
}

void metrics_write(const struct metrics *metrics, const struct metrics_choice *choice, struct exposition *to)
{
    static const struct naming naming = { .prefix = PREFIX, .own = true };
    struct filling filling = {
        .metrics = metrics, .choice = choice, .naming = &naming, .to = to, .arena = arena_new()
    };
    put_families(&filling, families_of_ports);
    if (wants_counters(choice))
        fill_counters(&filling);
    put_families(&filling, families_of_others);
    exposition_end(to);
    arena_free(filling.arena);
}
