/* Asks nldev who holds what, and names the processes. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <string.h>

#include "base/mem.h"
#include "source/netlink/nldev.h"
#include "source/netlink/nldev_res.h"
#include "source/netlink/read.h"
#include "source/netlink/transport.h"

static void read_totals(struct reader *reader, struct resources *resources)
{
    struct request request;
    struct span reply;
    request_begin(&request, nldev_type(RDMA_NLDEV_CMD_RES_GET), NLM_F_DUMP, 0);
    int r = netlink_ask(reader, NETLINK_RDMA, &request, &reply, "nldev-totals");
    if (r == 0)
        r = nldev_parse_totals(reply.data, reply.len, reader->arena, &resources->totals, &resources->ntotals);
    if (r < 0)
        netlink_problem(reader, r, "nldev-totals");
}

static void read_type(struct reader *reader, struct resources *resources, const struct device *device,
                      enum resource_type type)
{
    struct request request;
    struct span reply;
    request_begin(&request, nldev_type(nldev_resource_op(type)), NLM_F_DUMP, 0);
    mnl_attr_put_u32(&request.header, RDMA_NLDEV_ATTR_DEV_INDEX, (uint32_t)device->index.value);
    int r = netlink_ask(reader, NETLINK_RDMA, &request, &reply, "nldev-%s.%s", resource_type_name(type),
                        device->name);
    if (r == 0)
        r = nldev_parse_resources(reply.data, reply.len, type, reader->arena, device->name, &resources->items,
                                  &resources->nitems);
    if (r < 0)
        netlink_problem(reader, r, "nldev-%s.%s", resource_type_name(type), device->name);
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
            *ARENA_PUSH(reader->arena, known, count) =
                (struct process){ .pid = item->pid.value,
                                  .comm = read_text(reader, "proc/%llu/comm",
                                                    (unsigned long long)item->pid.value) };
        item->comm = known[k].comm;
    }
}

void read_resources(struct reader *reader)
{
    struct host *host = reader->host;
    if (host->system.nldev_err)
        return;
    struct resources *resources = arena_alloc(reader->arena, 1, sizeof(*resources));
    read_totals(reader, resources);
    for (size_t d = 0; d < host->ndevices; d++) {
        struct device *device = &host->devices[d];
        if (!device->index.known)
            continue;
        for (int type = 0; type < RESOURCE_TYPES; type++)
            read_type(reader, resources, device, (enum resource_type)type);
        for (size_t p = 0; p < device->nports; p++) {
            device->ports[p].device = device;
            read_optional_counters(reader, resources, &device->ports[p]);
        }
    }
    name_processes(reader, resources);
    host->resources = resources;
}
