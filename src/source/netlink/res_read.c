/* SPDX-License-Identifier: MIT */
/* Asks nldev who holds what, names the processes, and for the counters that are in no file. */
#include "source/netlink/ask.h"
#include "source/netlink/read.h"

static struct subject subject_of_device(const struct device *device)
{
    return (struct subject){ .name = device->name, .index = (uint32_t)device->index.value };
}

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

/* Which of a port's counters can be switched, and the values of those that are on, which no file has. */
static void read_optional_counters(struct reader *reader, struct resources *resources, const struct port *port)
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

/* counter of the device's queue pairs, which begin at items[first]. Most drivers have none; before Linux 5.3
 * the kernel answers EINVAL. */
static void read_queue_counters(struct reader *reader, struct resources *resources, size_t first,
                                const struct device *device)
{
    struct subject subject = subject_of_device(device);
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

/* -- objects, and who holds them -------------------------------------------------------------------------- */

static void leave_out(struct reader *reader, struct resources *resources, const struct device *device,
                      enum resource_type type)
{
    *ARENA_PUSH(reader->arena, resources->gaps, resources->ngaps) = (struct resource_gap){ device->name, type };
}

/* Whatever the reason, without an answer it isn't known whether there are any. */
static void read_type(struct reader *reader, struct resources *resources, const struct device *device,
                      enum resource_type type)
{
    struct subject subject = subject_of_device(device);
    size_t before = resources->nitems;
    if (!device->index.known || netlink_read(reader, ASK_RESOURCES + type, &subject, NULL, resources) < 0)
        leave_out(reader, resources, device, type);
    for (size_t i = before; i < resources->nitems; i++) {
        resources->items[i].type = type;
        resources->items[i].device = device->name;
    }
}

static void read_pools(struct reader *reader, struct resources *resources, const struct device *device)
{
    struct subject subject = subject_of_device(device);
    size_t before = resources->npools;
    netlink_read(reader, ASK_POOLS, &subject, NULL, resources);
    for (size_t i = before; i < resources->npools; i++)
        resources->pools[i].device = device->name;
}

static int by_pid(const void *a, const void *b)
{
    uint64_t x = ((const struct process *)a)->pid, y = ((const struct process *)b)->pid;
    return (x > y) - (x < y);
}

/* Each process is looked up once; one that has ended since has no name. */
static void name_processes(struct reader *reader, struct resources *resources)
{
    size_t count = 0;
    struct process *all = NULL;
    for (size_t i = 0; i < resources->nitems; i++)
        if (resources->items[i].pid.known && (!count || all[count - 1].pid != resources->items[i].pid.value))
            *ARENA_PUSH(reader->arena, all, count) = (struct process){ .pid = resources->items[i].pid.value };
    if (!count)
        return;
    qsort(all, count, sizeof(*all), by_pid);
    resources->processes = all;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || all[i - 1].pid != all[i].pid)
            all[resources->nprocesses++] = all[i];
    for (size_t i = 0; i < resources->nprocesses; i++)
        all[i].comm = read_text(reader, "{program}", "proc/%" PRIu64 "/comm", all[i].pid);
    for (size_t i = 0; i < resources->nitems; i++) {
        struct resource *item = &resources->items[i];
        const struct process key = { .pid = item->pid.value };
        const struct process *holder = bsearch(&key, all, resources->nprocesses, sizeof(key), by_pid);
        if (item->pid.known && !item->comm && holder)
            item->comm = holder->comm;
    }
}

void read_resources(struct reader *reader)
{
    struct host *host = reader->host;
    if (host->system.nldev_err)
        return;
    bool all = host->needs & NEED_RESOURCES, queues = host->needs & NEED_USERS,
         cm_ids = host->needs & (NEED_USERS | NEED_CM_IDS);
    struct resources *resources = arena_alloc(reader->arena, 1, sizeof(*resources));
    if (all || host->needs & NEED_TOTALS)
        netlink_read(reader, ASK_TOTALS, NULL, NULL, resources);
    for (size_t d = 0; d < host->ndevices; d++) {
        struct device *device = &host->devices[d];
        size_t before = resources->nitems;
        for (int type = 0; type < RESOURCE_TYPES; type++)
            if (all || (queues && type == RESOURCE_QP) || (cm_ids && type == RESOURCE_CM_ID))
                read_type(reader, resources, device, (enum resource_type)type);
            else
                leave_out(reader, resources, device, (enum resource_type)type);
        if (!device->index.known)
            continue;
        if (all) {
            read_queue_counters(reader, resources, before, device);
            read_pools(reader, resources, device);
        }
        for (size_t p = 0; all && p < device->nports; p++) {
            device->ports[p].device = device;
            read_optional_counters(reader, resources, &device->ports[p]);
        }
    }
    name_processes(reader, resources);
    host->resources = resources;
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
