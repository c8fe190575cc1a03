/* Asks nldev for counters: those that stand in no file. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "source/netlink/nldev.h"
#include "source/netlink/nldev_res.h"
#include "source/netlink/read.h"
#include "source/netlink/transport.h"

static int ask(struct reader *reader, const struct port *port, unsigned op, const char *name,
               struct span *reply)
{
    struct request request;
    request_begin(&request, nldev_type(op), 0, 0);
    mnl_attr_put_u32(&request.header, RDMA_NLDEV_ATTR_DEV_INDEX, (uint32_t)port->device->index.value);
    mnl_attr_put_u32(&request.header, RDMA_NLDEV_ATTR_PORT_INDEX, port->number);
    return netlink_ask(reader, NETLINK_RDMA, &request, reply, "%s.%s.%u", name, port->device->name,
                       port->number);
}

static int read_values(struct reader *reader, const struct port *port, struct counter_value **values,
                       size_t *count)
{
    struct span reply;
    int r = ask(reader, port, RDMA_NLDEV_CMD_STAT_GET, "nldev-values", &reply);
    *values = NULL;
    *count = 0;
    return r < 0 ? r : nldev_parse_values(reply.data, reply.len, reader->arena, values, count);
}

static void note(struct reader *reader, int err, const char *what, const struct port *port)
{
    if (err < 0)
        netlink_problem(reader, err, "%s.%s", what, port->device->name);
}

/* -- optional counters -------------------------------------------------------------------------------------
 */

static void set_values(struct reader *reader, const struct port *port, struct optional_counter *counters,
                       size_t ncounters)
{
    struct counter_value *values;
    size_t nvalues;
    note(reader, read_values(reader, port, &values, &nvalues), "nldev-values", port);
    for (size_t v = 0; v < nvalues; v++)
        for (size_t c = 0; c < ncounters; c++)
            if (strcmp(counters[c].name, values[v].name) == 0)
                counters[c].value = values[v].value;
}

void read_optional_counters(struct reader *reader, struct resources *resources, const struct port *port)
{
    struct span reply;
    int r = ask(reader, port, RDMA_NLDEV_CMD_STAT_GET_STATUS, "nldev-counters", &reply);
    size_t before = resources->noptional_counters;
    if (r == 0)
        r = nldev_parse_optional(reply.data, reply.len, reader->arena, &resources->optional_counters,
                                 &resources->noptional_counters);
    if (r < 0) {
        note(reader, r, "nldev-counters", port);
        return;
    }
    bool any = false;
    for (size_t i = before; i < resources->noptional_counters; i++) {
        struct optional_counter *counter = &resources->optional_counters[i];
        counter->device = port->device->name;
        counter->port = port->number;
        any |= counter->enabled;
    }
    if (any)
        set_values(reader, port, resources->optional_counters + before,
                   resources->noptional_counters - before);
}

/* -- hw_counters where sysfs hasn't got them
 * -----------------------------------------------------------------
 */

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
    struct counter_value *values;
    size_t count;
    if (read_values(reader, port, &values, &count) < 0)
        return;
    if (count)
        qsort(values, count, sizeof(*values), by_name); /* as the files would come */
    for (size_t i = 0; i < count; i++)
        *ARENA_PUSH(reader->arena, port->counters, port->ncounters) =
            (struct counter){ .dir = "hw_counters", .name = values[i].name, .raw = values[i].value };
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
