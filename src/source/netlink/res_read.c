/* Asks nldev who holds what, and names the processes. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <string.h>

#include "base/mem.h"
#include "source/netlink/nldev.h"
#include "source/netlink/nldev_res.h"
#include "source/netlink/read.h"
#include "source/netlink/transport.h"

static void note(struct reader *reader, int err, const char *what, const char *device)
{
    if (err < 0)
        netlink_problem(reader, err, "%s.%s", what, device);
}

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

static int ask_counters(struct reader *reader, const struct port *port, unsigned op, const char *name,
                        struct span *reply)
{
    struct request request;
    request_begin(&request, nldev_type(op), 0, 0);
    mnl_attr_put_u32(&request.header, RDMA_NLDEV_ATTR_DEV_INDEX, (uint32_t)port->device->index.value);
    mnl_attr_put_u32(&request.header, RDMA_NLDEV_ATTR_PORT_INDEX, port->number);
    return netlink_ask(reader, NETLINK_RDMA, &request, reply, "%s.%s.%u", name, port->device->name,
                       port->number);
}

/* Which counters can be switched, and the values of those that are on: they stand in no file. */
static void read_optional(struct reader *reader, struct resources *resources, const struct port *port)
{
    struct span reply;
    int r = ask_counters(reader, port, RDMA_NLDEV_CMD_STAT_GET_STATUS, "nldev-counters", &reply);
    size_t before = resources->noptional_counters;
    if (r == 0)
        r = nldev_parse_optional(reply.data, reply.len, reader->arena, &resources->optional_counters,
                                 &resources->noptional_counters);
    if (r < 0) {
        note(reader, r, "nldev-counters", port->device->name);
        return;
    }
    bool any = false;
    for (size_t i = before; i < resources->noptional_counters; i++) {
        struct optional_counter *counter = &resources->optional_counters[i];
        counter->device = port->device->name;
        counter->port = port->number;
        any |= counter->enabled;
    }
    if (!any)
        return;
    r = ask_counters(reader, port, RDMA_NLDEV_CMD_STAT_GET, "nldev-values", &reply);
    if (r == 0)
        r = nldev_parse_values(reply.data, reply.len, reader->arena, resources->optional_counters + before,
                               resources->noptional_counters - before);
    note(reader, r, "nldev-values", port->device->name);
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
            read_optional(reader, resources, &device->ports[p]);
        }
    }
    name_processes(reader, resources);
    host->resources = resources;
}
