/* SPDX-License-Identifier: MIT */
#include "model/egress.h"

#include <arpa/inet.h>
#include <linux/fib_rules.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "base/text.h"

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

/* Do the rules of a family lead to the tables local, main and default, as the kernel makes them
 * (fib_default_rules_init() of net/ipv4/fib_rules.c), and nowhere else? */
static bool only_usual_rules(const struct host *host, uint8_t family)
{
    for (size_t i = 0; i < host->nrules; i++) {
        const struct rule *rule = &host->rules[i];
        if (rule->family == family && (rule->action != FR_ACT_TO_TBL ||
                                       (rule->table != RT_TABLE_LOCAL && rule->table != RT_TABLE_MAIN &&
                                        rule->table != RT_TABLE_DEFAULT)))
            return false;
    }
    return true;
}

static bool in_prefix(const struct route *route, const struct numeric *to)
{
    unsigned whole = route->prefix / 8, rest = route->prefix % 8, most = to->family == AF_INET ? 32 : 128;
    return route->family == to->family && route->prefix <= most &&
           memcmp(to->raw, route->destination, whole) == 0 &&
           (rest == 0 || (to->raw[whole] ^ route->destination[whole]) >> (8 - rest) == 0);
}

/* Is a the better of two that fit? */
static bool is_better(const struct route *a, const struct route *b)
{
    if (!b || a->prefix != b->prefix)
        return !b || a->prefix > b->prefix;
    return (a->metric.known ? a->metric.value : 0) < (b->metric.known ? b->metric.value : 0);
}

static const struct route *look_up(const struct host *host, uint32_t table, const struct numeric *to)
{
    const struct route *best = NULL;
    for (size_t i = 0; i < host->nroutes; i++)
        if (host->routes[i].table == table && in_prefix(&host->routes[i], to) &&
            is_better(&host->routes[i], best))
            best = &host->routes[i];
    return best;
}

const struct port *egress_towards(const struct host *host, const char *address)
{
    struct numeric to;
    if (!host->routes_known || !parse(address, &to) || !only_usual_rules(host, to.family))
        return NULL;
    const struct route *route = look_up(host, RT_TABLE_LOCAL, &to);
    bool own = route != NULL;
    if (!route)
        route = look_up(host, RT_TABLE_MAIN, &to);
    if (!route || route->several || route->type != (own ? RTN_LOCAL : RTN_UNICAST))
        return NULL;
    const struct netdev *netdev = host_find_netdev(host, route->netdev);
    return netdev ? port_below(host, netdev) : NULL;
}
