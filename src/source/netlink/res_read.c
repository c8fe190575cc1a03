/* SPDX-License-Identifier: MIT */
/* Asks nldev who holds what, and names the processes. */
#include "source/netlink/ask.h"
#include "source/netlink/read.h"

static void leave_out(struct reader *reader, struct resources *resources, const struct device *device,
                      enum resource_type type)
{
    *ARENA_PUSH(reader->arena, resources->gaps, resources->ngaps) = (struct resource_gap){ device->name, type };
}

/* Whatever the reason, without an answer it isn't known whether there are any. */
static void read_type(struct reader *reader, struct resources *resources, const struct device *device,
                      enum resource_type type)
{
    struct subject subject = { .name = device->name, .index = (uint32_t)device->index.value };
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
    struct subject subject = { .name = device->name, .index = (uint32_t)device->index.value };
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
