/* SPDX-License-Identifier: MIT */
/* Asks nldev who holds what, and names the processes. */
#include "base/mem.h"
#include "source/netlink/ask.h"
#include "source/netlink/nldev_res.h"
#include "source/netlink/read.h"

static int take_totals(struct reader *reader, struct span reply, void *data)
{
    struct resources *resources = data;
    return nldev_parse_totals(reply.data, reply.len, reader->arena, &resources->totals, &resources->ntotals);
}

struct wanted {
    struct resources *resources;
    const struct device *device;
    enum resource_type type;
};

static int take_resources(struct reader *reader, struct span reply, void *data)
{
    const struct wanted *wanted = data;
    return nldev_parse_resources(reply.data, reply.len, wanted->type, reader->arena, wanted->device->name,
                                 &wanted->resources->items, &wanted->resources->nitems);
}

/* Whatever the reason is, a type without an answer is not known to have none. */
static void read_type(struct reader *reader, struct resources *resources, const struct device *device,
                      enum resource_type type)
{
    struct subject subject = { .name = device->name, .index = (uint32_t)device->index.value };
    struct wanted wanted = { resources, device, type };
    if (!device->index.known ||
        netlink_read(reader, ASK_RESOURCES + type, &subject, take_resources, &wanted) < 0)
        *ARENA_PUSH(reader->arena, resources->gaps, resources->ngaps) = (struct resource_gap){ device->name,
                                                                                               type };
}

/* Each process is looked up once; one that has ended meanwhile has no name. */
static void name_processes(struct reader *reader, struct resources *resources)
{
    struct process {
        uint64_t pid;
        const char *comm;
    } *known = NULL;
    size_t count = 0;
    for (size_t i = 0; i < resources->nitems; i++) {
        struct resource *item = &resources->items[i];
        if (!item->pid.known || item->comm)
            continue;
        size_t k = 0;
        while (k < count && known[k].pid != item->pid.value)
            k++;
        if (k == count)
            *ARENA_PUSH(reader->arena, known, count) = (struct process){
                .pid = item->pid.value,
                .comm = read_text(reader, "proc/%llu/comm", (unsigned long long)item->pid.value)
            };
        item->comm = known[k].comm;
    }
}

void read_resources(struct reader *reader)
{
    struct host *host = reader->host;
    if (host->system.nldev_err)
        return;
    bool all = host->needs & NEED_RESOURCES;
    struct resources *resources = arena_alloc(reader->arena, 1, sizeof(*resources));
    if (all)
        netlink_read(reader, ASK_TOTALS, NULL, take_totals, resources);
    for (size_t d = 0; d < host->ndevices; d++) {
        struct device *device = &host->devices[d];
        for (int type = 0; type < RESOURCE_TYPES; type++)
            if (all || type == RESOURCE_QP || type == RESOURCE_CM_ID)
                read_type(reader, resources, device, (enum resource_type)type);
        if (!device->index.known)
            continue;
        for (size_t p = 0; all && p < device->nports; p++) {
            device->ports[p].device = device;
            read_optional_counters(reader, resources, &device->ports[p]);
        }
    }
    name_processes(reader, resources);
    host->resources = resources;
}
