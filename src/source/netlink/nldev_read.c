/* SPDX-License-Identifier: MIT */
/* Asks nldev and puts the answers into the host. */
#include <errno.h>

#include "base/mem.h"
#include "source/netlink/ask.h"
#include "source/netlink/nldev.h"
#include "source/netlink/read.h"

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

static int take_devices(struct reader *reader, struct span reply, void *data)
{
    (void)data;
    struct nldev_device *devices = NULL;
    size_t count = 0;
    int r = nldev_parse_devices(reply.data, reply.len, reader->arena, &devices, &count);
    for (size_t i = 0; i < count; i++)
        merge_device(reader->host, &devices[i]);
    return r;
}

int read_nldev_indexes(struct reader *reader)
{
    return netlink_take(reader, ASK_DEVICES, NULL, take_devices, NULL);
}

static int take_ports(struct reader *reader, struct span reply, void *data)
{
    struct device *device = data;
    struct nldev_port *ports = NULL;
    size_t count = 0;
    int r = nldev_parse_ports(reply.data, reply.len, reader->arena, &ports, &count);
    for (size_t i = 0; i < count; i++) {
        struct port *port = device_port(device, (uint32_t)ports[i].number.value);
        if (!port || ports[i].device_index.value != device->index.value)
            continue;
        port->nldev_answered = true;
        port->netdev_nldev = ports[i].netdev;
        port->netdev_nldev_index = ports[i].netdev_index;
    }
    return r;
}

static int take_system(struct reader *reader, struct span reply, void *data)
{
    (void)data;
    struct system *system = &reader->host->system;
    struct nldev_system found;
    int r = nldev_parse_system(reply.data, reply.len, &found);
    if (r < 0)
        return r;
    system->netns_mode = found.netns_mode;
    system->copy_on_fork = found.copy_on_fork;
    system->privileged_qkey = found.privileged_qkey;
    return 0;
}

static int take_chardev(struct reader *reader, struct span reply, void *data)
{
    struct device *device = data;
    struct nldev_chardev chardev;
    int r = nldev_parse_chardev(reply.data, reply.len, reader->arena, &chardev);
    if (r == 0)
        device->uverbs_driver_id = chardev.driver_id;
    return r;
}

void read_nldev(struct reader *reader)
{
    struct host *host = reader->host;
    int r = read_nldev_indexes(reader);
    if (r < 0) {
        host->system.nldev_err = -r;
        netlink_problem(reader, r, ASK_DEVICES, NULL);
        return;
    }
    netlink_read(reader, ASK_SYSTEM, NULL, take_system, NULL);
    for (size_t i = 0; i < host->ndevices; i++) {
        struct device *device = &host->devices[i];
        struct subject subject = { .name = device->name, .index = (uint32_t)device->index.value };
        if (!device->index.known)
            continue;
        netlink_read(reader, ASK_PORTS, &subject, take_ports, device);
        /* Asking for a character device of a client that isn't there makes the kernel load its module, so
         * it's only asked for where sysfs shows the client. */
        if (reader->needs & NEED_NODES && device->uverbs.name)
            netlink_read(reader, ASK_UVERBS, &subject, take_chardev, device);
    }
}
