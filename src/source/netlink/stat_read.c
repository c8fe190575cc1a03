/* SPDX-License-Identifier: MIT */
/* Asks nldev for the counters that are in no file. */
#include "source/netlink/ask.h"
#include "source/netlink/read.h"

static struct subject subject_of(const struct port *port)
{
    return (struct subject){ .name = port->device->name,
                             .index = (uint32_t)port->device->index.value,
                             .port = port->number };
}

/* -- optional counters ----------------------------------------------------------------------------------- */

static void set_values(struct reader *reader, const struct port *port, struct optional_counter *counters,
                       size_t ncounters)
{
    struct subject subject = subject_of(port);
    struct counter_values values = { 0 };
    netlink_read(reader, ASK_VALUES, &subject, NULL, &values);
    for (size_t v = 0; v < values.count; v++)
        for (size_t c = 0; c < ncounters; c++)
            if (strcmp(counters[c].name, values.items[v].name) == 0)
                counters[c].value = values.items[v].value;
}

void read_optional_counters(struct reader *reader, struct resources *resources, const struct port *port)
{
    struct subject subject = subject_of(port);
    size_t before = resources->noptional_counters;
    if (netlink_read(reader, ASK_COUNTERS, &subject, NULL, resources) < 0)
        return;
    bool any = false;
    for (size_t i = before; i < resources->noptional_counters; i++) {
        struct optional_counter *counter = &resources->optional_counters[i];
        counter->device = port->device->name;
        counter->port = port->number;
        any |= counter->enabled;
    }
    if (any)
        set_values(reader, port, resources->optional_counters + before, resources->noptional_counters - before);
}

/* -- counters of queue pairs ----------------------------------------------------------------------------- */

static struct queue_counter by_role(const struct bound_counter *counter, const char *driver)
{
    struct queue_counter sums = { .number = counter->number };
    for (size_t i = 0; i < counter->values.count; i++) {
        const struct counter_value *value = &counter->values.items[i];
        const struct counter_def *def = counter_def_find(driver, "hw_counters", value->name);
        enum counter_role role = counter_role_find(def, "hw_counters", value->name);
        struct num *sum = role == ROLE_RETRANSMISSIONS     ? &sums.retransmissions
                          : role == ROLE_OUT_OF_SEQUENCE   ? &sums.out_of_sequence
                          : role == ROLE_RNR_NAKS_RECEIVED ? &sums.rnr_naks_received
                                                           : NULL;
        if (sum)
            *sum = num_of(sum->value + counter_value(def, value->value.value));
    }
    return sums;
}

struct counted {
    uint32_t lqpn;
    const struct queue_counter *counter;
};

static int compare_counted(const void *a, const void *b)
{
    uint32_t x = ((const struct counted *)a)->lqpn, y = ((const struct counted *)b)->lqpn;
    return (x > y) - (x < y);
}

/* Most drivers have none; before Linux 5.3 the kernel answers EINVAL. */
void read_queue_counters(struct reader *reader, struct resources *resources, size_t first,
                         const struct device *device)
{
    struct subject subject = { .name = device->name, .index = (uint32_t)device->index.value };
    struct bound_counters bound = { 0 };
    struct counted *counted = NULL;
    size_t ncounted = 0;
    if (first == resources->nitems)
        return;
    int r = netlink_take(reader, ASK_QUEUE_VALUES, &subject, NULL, &bound);
    if (r < 0 && r != -EINVAL)
        netlink_problem(reader, r, ASK_QUEUE_VALUES, &subject);
    for (size_t i = 0; i < bound.count; i++) {
        struct queue_counter *counter = arena_alloc(reader->arena, 1, sizeof(*counter));
        *counter = by_role(&bound.items[i], device->driver);
        for (size_t q = 0; q < bound.items[i].nlqpns; q++)
            *ARENA_PUSH_MANY(reader->arena, counted, ncounted) = (struct counted){ bound.items[i].lqpns[q],
                                                                                   counter };
    }
    if (!ncounted)
        return;
    qsort(counted, ncounted, sizeof(*counted), compare_counted);
    for (size_t i = first; i < resources->nitems; i++) {
        struct resource *item = &resources->items[i];
        const struct counted key = { .lqpn = item->lqpn.value };
        if (item->type != RESOURCE_QP || !item->lqpn.known)
            continue;
        const struct counted *found = bsearch(&key, counted, ncounted, sizeof(*counted), compare_counted);
        item->counter = found ? found->counter : NULL;
    }
}

/* -- hw_counters where sysfs has none -------------------------------------------------------------------- */

static bool has_files(const struct port *port)
{
    for (size_t i = 0; i < port->ncounters; i++)
        if (strcmp(port->counters[i].dir, "hw_counters") == 0)
            return true;
    return false;
}

static int by_name(const void *a, const void *b)
{
    return text_version_compare(((const struct counter_value *)a)->name,
                                ((const struct counter_value *)b)->name);
}

/* A driver without such counters answers EINVAL, an old kernel EINVAL or EOPNOTSUPP: then there are none. */
static void read_port_values(struct reader *reader, struct port *port)
{
    struct subject subject = subject_of(port);
    struct counter_values values = { 0 };
    if (netlink_take(reader, ASK_VALUES, &subject, NULL, &values) < 0)
        return;
    if (values.count)
        qsort(values.items, values.count, sizeof(*values.items), by_name); /* in the order of the files */
    for (size_t i = 0; i < values.count; i++)
        *ARENA_PUSH(reader->arena, port->counters, port->ncounters) = (struct counter){
            .dir = "hw_counters", .name = values.items[i].name, .raw = values.items[i].value
        };
}

void read_hidden_counters(struct reader *reader)
{
    struct host *host = reader->host;
    bool asked = false;
    for (size_t d = 0; d < host->ndevices; d++) {
        struct device *device = &host->devices[d];
        for (size_t p = 0; p < device->nports; p++) {
            struct port *port = &device->ports[p];
            if (has_files(port))
                continue;
            if (!device->index.known && !asked && read_nldev_indexes(reader) < 0)
                return;
            asked = true;
            port->device = device;
            if (device->index.known)
                read_port_values(reader, port);
        }
    }
}
