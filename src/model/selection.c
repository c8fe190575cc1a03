/* SPDX-License-Identifier: MIT */
#include "model/selection.h"

#include <errno.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

static void add_port(struct selection *selection, const struct host *host, const struct port *port)
{
    *ARENA_PUSH(host->arena, selection->ports, selection->nports) = port;
}

static void add_device(struct selection *selection, const struct host *host, const struct device *device)
{
    *ARENA_PUSH(host->arena, selection->devices, selection->ndevices) = device;
    for (size_t i = 0; i < device->nports; i++)
        add_port(selection, host, &device->ports[i]);
}

/* Is the netdev the port's, or on top of it, or a member of its bond? */
static bool is_related(const struct host *host, const struct port *port, const struct netdev *netdev)
{
    const struct netdev *own = port_netdev(host, port);
    return netdev && own && (netdev_is_above(host, netdev, own) || netdev_is_above(host, own, netdev));
}

static size_t add_by_netdev(struct selection *selection, const struct host *host, const char *name)
{
    size_t before = selection->nports;
    const struct netdev *netdev = host_find_netdev(host, name);
    for (size_t d = 0; d < host->ndevices; d++)
        for (size_t p = 0; p < host->devices[d].nports; p++) {
            const struct port *port = &host->devices[d].ports[p];
            bool is_it = (port->netdev && strcmp(port->netdev, name) == 0) || is_related(host, port, netdev);
            for (size_t g = 0; g < port->ngids && !is_it; g++)
                is_it = port->gids[g].netdev && strcmp(port->gids[g].netdev, name) == 0;
            if (is_it)
                add_port(selection, host, port);
        }
    return selection->nports - before;
}

static const char *name_at(size_t i, const void *data)
{
    const struct host *host = data;
    return i < host->ndevices ? host->devices[i].name : host->netdevs[i - host->ndevices].name;
}

static int no_such(const struct host *host, const char *name, struct selection_error *error)
{
    *error = (struct selection_error){
        .name = name, .nearest = text_nearest(name, host->ndevices + host->nnetdevs, name_at, host)
    };
    return -ENODEV;
}

static int add_device_port(struct selection *selection, const struct host *host, const char *operand,
                           const char *slash, struct selection_error *error)
{
    const char *name = arena_strndup(host->arena, operand, (size_t)(slash - operand));
    const struct device *device = host_find_device(host, name);
    if (!device)
        return no_such(host, name, error);
    uint64_t number;
    const struct port *port = text_to_u64(slash + 1, 10, &number) == 0 && number <= UINT32_MAX
                                  ? device_port(device, (uint32_t)number)
                                  : NULL;
    if (!port) {
        *error = (struct selection_error){ .name = name, .device = device, .port = slash + 1 };
        return -ENODEV;
    }
    add_port(selection, host, port);
    return 0;
}

int selection_make(struct selection *selection, const struct host *host, char *const *operands, size_t count,
                   struct selection_error *error)
{
    *selection = (struct selection){ .some = count > 0 };
    for (size_t i = 0; i < count; i++) {
        const char *slash = strrchr(operands[i], '/');
        const struct device *device = host_find_device(host, operands[i]);
        int r = 0;
        if (device)
            add_device(selection, host, device);
        else if (slash)
            r = add_device_port(selection, host, operands[i], slash, error);
        else if (add_by_netdev(selection, host, operands[i]) == 0)
            r = no_such(host, operands[i], error);
        if (r < 0)
            return r;
    }
    return 0;
}

bool selection_has_port(const struct selection *selection, const struct port *port)
{
    bool has = !selection->some;
    for (size_t i = 0; i < selection->nports && !has; i++)
        has = selection->ports[i] == port;
    return has;
}

bool selection_has_device(const struct selection *selection, const struct device *device)
{
    bool has = !selection->some;
    for (size_t i = 0; i < selection->ndevices && !has; i++)
        has = selection->devices[i] == device;
    for (size_t i = 0; i < device->nports && !has; i++)
        has = selection_has_port(selection, &device->ports[i]);
    return has;
}
