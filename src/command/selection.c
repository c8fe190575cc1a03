/* DEVICE, DEVICE/PORT and netdev names on the command line → ports of the host. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/say.h"
#include "base/text.h"
#include "command/command.h"

static void add_port(struct selection *selection, const struct host *host, const struct port *port)
{
    *ARENA_PUSH(host->arena, selection->ports, selection->nports) = port;
}

static void add_device(struct selection *selection, const struct host *host, const struct device *device)
{
    for (size_t i = 0; i < device->nports; i++)
        add_port(selection, host, &device->ports[i]);
}

/* Is the netdev the port's, or on top of it, or a member of its bond? */
static bool is_related(const struct host *host, const struct port *port, const struct netdev *netdev)
{
    const struct netdev *own = port->netdev ? host_find_netdev(host, port->netdev) : NULL;
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

static const char *device_name(size_t i, const void *data)
{
    const struct host *host = data;
    return i < host->ndevices ? host->devices[i].name : host->netdevs[i - host->ndevices].name;
}

static int no_such(const struct host *host, const char *name)
{
    const char *near = text_nearest(name, host->ndevices + host->nnetdevs, device_name, host);
    if (host->ndevices == 0)
        say_error("no such device '%s': this machine shows no RDMA device", name);
    else if (near)
        say_error("no such device '%s'; did you mean '%s'?", name, near);
    else
        say_error("no such device '%s'; 'roce' lists what there is", name);
    return -ENODEV;
}

static int add_device_port(struct selection *selection, const struct host *host, const char *operand,
                           const char *slash)
{
    char *name = arena_strndup(host->arena, operand, (size_t)(slash - operand));
    const struct device *device = host_find_device(host, name);
    if (!device)
        return no_such(host, name);
    uint64_t number;
    const struct port *port = text_to_u64(slash + 1, 10, &number) == 0 && number <= UINT32_MAX
                                  ? device_port(device, (uint32_t)number)
                                  : NULL;
    if (!port) {
        say_error("device '%s' has no port '%s'; it has %zu", name, slash + 1, device->nports);
        return -ENODEV;
    }
    add_port(selection, host, port);
    return 0;
}

int selection_make(struct selection *selection, const struct host *host, char **operands, size_t count)
{
    *selection = (struct selection){ 0 };
    for (size_t i = 0; i < count; i++) {
        const char *slash = strrchr(operands[i], '/');
        const struct device *device = host_find_device(host, operands[i]);
        int r = 0;
        if (device)
            add_device(selection, host, device);
        else if (slash)
            r = add_device_port(selection, host, operands[i], slash);
        else if (add_by_netdev(selection, host, operands[i]) == 0)
            r = no_such(host, operands[i]);
        if (r < 0)
            return r;
    }
    if (count && !selection->ports) /* a device without ports: nothing is selected, which isn't everything */
        selection->ports = arena_alloc(host->arena, 1, sizeof(*selection->ports));
    return 0;
}

bool context_selects_port(const struct context *context, const struct port *port)
{
    const struct selection *selection = &context->selection;
    if (!selection->ports)
        return true;
    for (size_t i = 0; i < selection->nports; i++)
        if (selection->ports[i] == port)
            return true;
    return false;
}

bool context_selects_device(const struct context *context, const struct device *device)
{
    if (!context->selection.ports)
        return true;
    for (size_t i = 0; i < device->nports; i++)
        if (context_selects_port(context, &device->ports[i]))
            return true;
    for (size_t i = 0; i < context->args->noperands; i++)
        if (strcmp(context->args->operands[i], device->name) == 0)
            return true;
    return false;
}
