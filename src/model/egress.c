/* SPDX-License-Identifier: MIT */
#include "model/egress.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/text.h"
#include "model/route.h"

struct numeric {
    uint8_t family;
    uint8_t raw[16];
};

static bool parse(const char *address, struct numeric *numeric)
{
    if (!address)
        return false;
    numeric->family = AF_INET;
    if (inet_pton(AF_INET, address, numeric->raw) == 1)
        return true;
    numeric->family = AF_INET6;
    return inet_pton(AF_INET6, address, numeric->raw) == 1;
}

/* Does the RDMA device of the netdev's own parent have this port? IPoIB netdevs have no port->netdev. */
static bool is_on_port(const struct netdev *netdev, const struct port *port)
{
    bool same = false;
    for (size_t i = 0; i < netdev->nibdevs; i++)
        same |= strcmp(netdev->ibdevs[i], port->device->name) == 0;
    return same && (!netdev->dev_port.known || netdev->dev_port.value + 1 == port->number ||
                    (netdev->dev_id.known && netdev->dev_id.value + 1 == port->number));
}

const struct port *egress_of_ipoib(const struct host *host, const struct netdev *netdev)
{
    netdev = netdev_base(host, netdev);
    for (const struct port *port = NULL; (port = host_next_port(host, port));)
        if (text_is(port->netdev, netdev->name) || is_on_port(netdev, port))
            return port;
    return NULL;
}

/* The only port whose netdev this one is, or stands on. */
static const struct port *port_below(const struct host *host, const struct netdev *netdev)
{
    const struct port *found = NULL;
    if (netdev->kind == NETDEV_IPOIB)
        return egress_of_ipoib(host, netdev);
    for (const struct port *port = NULL; (port = host_next_port(host, port));) {
        const struct netdev *own = port_netdev(host, port);
        if (!own || !netdev_is_above(host, netdev, own))
            continue;
        if (found)
            return NULL;
        found = port;
    }
    return found;
}

const struct port *egress_of_own(const struct host *host, const char *address)
{
    struct numeric own;
    if (!parse(address, &own))
        return NULL;
    size_t len = own.family == AF_INET ? 4 : 16;
    for (size_t i = 0; i < host->nnetdevs; i++)
        for (size_t k = 0; k < host->netdevs[i].naddresses; k++)
            if (host->netdevs[i].addresses[k].family == own.family &&
                memcmp(host->netdevs[i].addresses[k].raw, own.raw, len) == 0)
                return port_below(host, &host->netdevs[i]);
    return NULL;
}

const struct port *egress_towards(const struct host *host, const char *address)
{
    static const uint8_t any[16];
    struct numeric to;
    if (!parse(address, &to))
        return NULL;
    struct route_flow flow = { .family = to.family, .source = any, .destination = to.raw };
    struct route_lookup found = host_look_up(host, &flow);
    if (found.kind != LOOKUP_FOUND || found.route->several)
        return NULL;
    const struct netdev *netdev = host_find_netdev(host, found.route->netdev);
    return netdev ? port_below(host, netdev) : NULL;
}
