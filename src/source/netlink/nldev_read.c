/* Asks nldev and puts the answers into the host. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <string.h>

#include "base/mem.h"
#include "source/netlink/nldev.h"
#include "source/netlink/read.h"
#include "source/netlink/transport.h"

static void merge_device(struct host *host, const struct nldev_device *from)
{
    struct device *device = host_find_device(host, from->name);
    if (!device)
        return;
    device->index = from->index;
    device->protocol = from->protocol;
    device->nldev_node_type = from->node_type;
    device->nldev_cap_flags = from->cap_flags;
    device->nldev_dim = from->dim;
    device->nldev_fw = from->fw_ver;
}

int read_nldev_indexes(struct reader *reader)
{
    struct request request;
    struct span reply;
    request_begin(&request, nldev_type(RDMA_NLDEV_CMD_GET), NLM_F_DUMP, 0);
    int r = netlink_ask(reader, NETLINK_RDMA, &request, &reply, "nldev-devices");
    if (r < 0)
        return r;
    struct nldev_device *devices = NULL;
    size_t count = 0;
    r = nldev_parse_devices(reply.data, reply.len, reader->arena, &devices, &count);
    for (size_t i = 0; i < count; i++)
        merge_device(reader->host, &devices[i]);
    return r;
}

static int read_ports_of(struct reader *reader, struct device *device)
{
    struct request request;
    struct span reply;
    request_begin(&request, nldev_type(RDMA_NLDEV_CMD_PORT_GET), NLM_F_DUMP, 0);
    mnl_attr_put_u32(&request.header, RDMA_NLDEV_ATTR_DEV_INDEX, (uint32_t)device->index.value);
    int r = netlink_ask(reader, NETLINK_RDMA, &request, &reply, "nldev-ports.%s", device->name);
    if (r < 0)
        return r;
    struct nldev_port *ports = NULL;
    size_t count = 0;
    r = nldev_parse_ports(reply.data, reply.len, reader->arena, &ports, &count);
    for (size_t i = 0; i < count; i++) {
        struct port *port = device_port(device, (uint32_t)ports[i].number.value);
        if (!port || ports[i].device_index.value != device->index.value)
            continue;
        port->netdev_nldev = ports[i].netdev;
        port->netdev_nldev_index = ports[i].netdev_index;
    }
    return r;
}

static int read_system_of(struct reader *reader)
{
    struct request request;
    struct span reply;
    request_begin(&request, nldev_type(RDMA_NLDEV_CMD_SYS_GET), 0, 0);
    int r = netlink_ask(reader, NETLINK_RDMA, &request, &reply, "nldev-system");
    if (r < 0)
        return r;
    struct nldev_system found;
    r = nldev_parse_system(reply.data, reply.len, &found);
    if (r < 0)
        return r;
    reader->host->system.netns_mode = found.netns_mode;
    reader->host->system.copy_on_fork = found.copy_on_fork;
    reader->host->system.privileged_qkey = found.privileged_qkey;
    return 0;
}

/* Asking for a character device of a client that isn't there makes the kernel load its module, so it's only
 * asked for where sysfs shows the client. */
static int read_chardev(struct reader *reader, struct device *device)
{
    struct request request;
    struct span reply;
    request_begin(&request, nldev_type(RDMA_NLDEV_CMD_GET_CHARDEV), 0, 0);
    mnl_attr_put_u32(&request.header, RDMA_NLDEV_ATTR_DEV_INDEX, (uint32_t)device->index.value);
    mnl_attr_put_strz(&request.header, RDMA_NLDEV_ATTR_CHARDEV_TYPE, "uverbs");
    int r = netlink_ask(reader, NETLINK_RDMA, &request, &reply, "nldev-uverbs.%s", device->name);
    if (r < 0)
        return r;
    struct nldev_chardev chardev;
    r = nldev_parse_chardev(reply.data, reply.len, reader->arena, &chardev);
    if (r == 0)
        device->uverbs_driver_id = chardev.driver_id;
    return r;
}

static void note(struct reader *reader, int err, const char *what, const struct device *device)
{
    if (err < 0)
        netlink_problem(reader, err, "%s%s%s", what, device ? "." : "", device ? device->name : "");
}

void read_nldev(struct reader *reader)
{
    struct host *host = reader->host;
    int r = read_nldev_indexes(reader);
    if (r < 0) {
        host->system.nldev_err = -r;
        note(reader, r, "nldev-devices", NULL);
        return;
    }
    note(reader, read_system_of(reader), "nldev-system", NULL);
    for (size_t i = 0; i < host->ndevices; i++) {
        struct device *device = &host->devices[i];
        if (!device->index.known)
            continue;
        note(reader, read_ports_of(reader, device), "nldev-ports", device);
        if (reader->needs & NEED_NODES && device->uverbs.name)
            note(reader, read_chardev(reader, device), "nldev-uverbs", device);
    }
}
