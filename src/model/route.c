/* SPDX-License-Identifier: MIT */
/* Routes, neighbours and rules: which way packets leave the host. */
#include "model/route.h"

#include <netinet/in.h>

#include "model/host.h"

bool prefix_holds(const uint8_t *prefix, unsigned bits, const uint8_t *address)
{
    unsigned whole = bits / 8, rest = bits % 8;
    if (memcmp(address, prefix, whole) != 0)
        return false;
    return rest == 0 || (address[whole] ^ prefix[whole]) >> (8 - rest) == 0;
}

/* uapi/linux/fib_rules.h and rtnetlink.h */
enum { ACTION_TABLE = 1, ACTION_NOP = 3 };
enum { TYPE_BLACKHOLE = 6, TYPE_UNREACHABLE, TYPE_PROHIBIT, TYPE_THROW };

/* The VRF that the flow is in, by where it leaves or arrived (l3mdev_update_flow() of net/l3mdev/l3mdev.c);
 * NULL if none. */
static const struct netdev *vrf_of(const struct host *host, const struct route_flow *flow)
{
    const struct netdev *sides[] = { flow->out, flow->in }, *vrf;
    for (size_t i = 0; i < ARRAY_SIZE(sides); i++)
        if (sides[i] && netdev_frames(host, sides[i], &vrf) == FRAMES_TO_VRF)
            return vrf;
    return NULL;
}

static bool rule_holds(const struct host *host, const struct rule *rule, const struct route_flow *flow)
{
    const char *in = flow->in ? flow->in->name : "lo";
    if (rule->family != flow->family || rule->narrowed || (rule->mark.known && rule->mark.value))
        return false;
    if (rule->l3mdev && !vrf_of(host, flow))
        return false;
    if (rule->in_netdev && strcmp(rule->in_netdev, in) != 0)
        return false;
    if (rule->out_netdev && (!flow->out || strcmp(rule->out_netdev, flow->out->name) != 0))
        return false;
    return prefix_holds(rule->source, rule->source_prefix, flow->source) &&
           prefix_holds(rule->destination, rule->destination_prefix, flow->destination);
}

/* Of two matching routes: is a preferred to b, which precedes it in the table? */
static bool is_better(const struct route *a, const struct route *b, const struct route_flow *flow)
{
    if (a->prefix != b->prefix)
        return a->prefix > b->prefix;
    if (a->metric.value != b->metric.value)
        return a->metric.value < b->metric.value;
    return flow->out && text_is(a->netdev, flow->out->name) && !text_is(b->netdev, flow->out->name);
}

static bool route_fits(const struct route *route, uint32_t table, const struct route_flow *flow)
{
    bool leads = route->type < TYPE_BLACKHOLE;
    if (route->prefix > (flow->family == AF_INET ? 32 : 128))
        return false;
    if (route->family != flow->family || route->table != table || route->tos || (leads && route->dead))
        return false;
    if (flow->family == AF_INET && flow->out && leads && !text_is(route->netdev, flow->out->name))
        return false;
    return prefix_holds(route->destination, route->prefix, flow->destination);
}

static const struct route *look_up(const struct host *host, uint32_t table, const struct route_flow *flow)
{
    const struct route *best = NULL;
    for (size_t i = 0; i < host->nroutes; i++) {
        const struct route *route = &host->routes[i];
        if (route_fits(route, table, flow) && (!best || is_better(route, best, flow)))
            best = route;
    }
    return best;
}

/* Applies a matching rule; false if the next one must be tried. */
static bool follow(const struct host *host, const struct rule *rule, const struct route_flow *flow,
                   struct route_lookup *found)
{
    *found = (struct route_lookup){ .kind = LOOKUP_UNKNOWN, .rule = rule };
    if (rule->action == ACTION_NOP)
        return false;
    const struct netdev *vrf = rule->l3mdev ? vrf_of(host, flow) : NULL;
    if (rule->odd || (vrf && !vrf->vrf_table.known))
        return true;
    if (rule->action != ACTION_TABLE) {
        found->kind = LOOKUP_REFUSED;
        return true;
    }
    const struct route *route = look_up(host, vrf ? (uint32_t)vrf->vrf_table.value : rule->table, flow);
    if (!route || route->type == TYPE_THROW ||
        (rule->suppress_prefix.known && route->prefix <= rule->suppress_prefix.value))
        return false;
    found->kind = route->type < TYPE_BLACKHOLE ? LOOKUP_FOUND : LOOKUP_REFUSED;
    found->route = route;
    return true;
}

struct route_lookup host_look_up(const struct host *host, const struct route_flow *flow)
{
    struct route_lookup found = { .kind = LOOKUP_UNKNOWN };
    if (!host->routes_known || !host->rules_known)
        return found;
    for (size_t i = 0; i < host->nrules; i++)
        if (rule_holds(host, &host->rules[i], flow) && follow(host, &host->rules[i], flow, &found))
            return found;
    return (struct route_lookup){ .kind = LOOKUP_NONE };
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

/* The only port whose netdev is this one, or below it. */
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
    uint8_t own[16];
    const struct netdev *netdev = gid_of_text(address, own) ? netdev_with_address(host, own) : NULL;
    return netdev ? port_below(host, netdev) : NULL;
}

const struct port *egress_towards(const struct host *host, const char *address)
{
    static const uint8_t any[16];
    uint8_t to[16];
    if (!gid_of_text(address, to))
        return NULL;
    bool v4 = gid_is_v4_mapped(to);
    struct route_flow flow = { .family = v4 ? AF_INET : AF_INET6,
                               .source = any,
                               .destination = to + (v4 ? 12 : 0) };
    struct route_lookup found = host_look_up(host, &flow);
    if (found.kind != LOOKUP_FOUND || found.route->several)
        return NULL;
    const struct netdev *netdev = host_find_netdev(host, found.route->netdev);
    return netdev ? port_below(host, netdev) : NULL;
}

enum { TABLE_MAIN = 254 };

enum tristate port_has_default_route(const struct host *host, const struct port *port)
{
    const struct netdev *own = port_netdev(host, port);
    const struct route *best = NULL;
    if (!host->routes_known)
        return TRI_UNKNOWN;
    for (size_t i = 0; i < host->nroutes; i++) {
        const struct route *route = &host->routes[i];
        bool leads = route->prefix == 0 && route->table == TABLE_MAIN && route->netdev && !route->dead &&
                     !route->tos && route->type < TYPE_BLACKHOLE;
        if (leads && (!best || route->family < best->family ||
                      (route->family == best->family && route->metric.value < best->metric.value)))
            best = route;
    }
    const struct netdev *netdev = best ? host_find_netdev(host, best->netdev) : NULL;
    return own && netdev && netdev_is_above(host, netdev, own) ? TRI_YES : TRI_NO;
}
