/* SPDX-License-Identifier: MIT */
/* Ports that share a subnet, and the routes that lead out of them. */
#include <netinet/in.h>

#include "check/judge.h"
#include "check/rail.h"
#include "model/route.h"

/* Netdevs that carry RoCE's addresses: those of ports, and of GIDs on a VLAN, macvlan or bond above one. */
struct carriers {
    const struct host *host;
    const struct netdev **netdevs;
    size_t count;
    const struct netdev *unknown; /* one whose addresses aren't known */
};

static void add_carrier(struct carriers *carriers, const struct netdev *netdev, struct arena *arena)
{
    if (!netdev)
        return;
    for (size_t i = 0; i < carriers->count; i++)
        if (carriers->netdevs[i] == netdev)
            return;
    *ARENA_PUSH(arena, carriers->netdevs, carriers->count) = netdev;
    if (!netdev->addresses_known)
        carriers->unknown = netdev;
}

static struct carriers find_carriers(const struct host *host, struct arena *arena)
{
    struct carriers carriers = { .host = host };
    for (const struct port *port = NULL; (port = host_next_port(host, port));) {
        if (!port_is_roce(port) || !port_is_active(port))
            continue;
        add_carrier(&carriers, port_netdev(host, port), arena);
        for (size_t i = 0; i < port->ngids; i++)
            add_carrier(&carriers, gid_netdev(host, &port->gids[i]), arena);
    }
    return carriers;
}

/* Do both hear the same broadcasts on different ports? A macvlan or ipvlan and its parent netdev have one port,
 * and with the same VLAN tag, what arrives for one reaches the other's queue pairs. An address in another VRF
 * isn't this one's. */
static bool can_be_mixed_up(const struct host *host, const struct netdev *a, const struct netdev *b)
{
    const struct netdev *masters[] = { host_find_netdev(host, a->master), host_find_netdev(host, b->master) };
    for (size_t i = 0; i < ARRAY_SIZE(masters); i++)
        if (masters[i] && masters[0] != masters[1] && text_is(masters[i]->kind_text, "vrf"))
            return false;
    return netdev_base(host, a) != netdev_base(host, b) || netdev_vlan(host, a) != netdev_vlan(host, b);
}

/* The address through which a shares an IPv4 subnet with b. */
static const struct address *shared(const struct netdev *a, const struct netdev *b)
{
    for (size_t x = 0; x < a->naddresses; x++)
        for (size_t y = 0; y < b->naddresses; y++)
            if (a->addresses[x].family == AF_INET &&
                addresses_share_subnet(&a->addresses[x], &b->addresses[y]) &&
                memcmp(a->addresses[x].raw, b->addresses[y].raw, 4) != 0) /* gid-duplicate covers that */
                return &a->addresses[x];
    return NULL;
}

struct neighbours {
    const struct netdev *a, *b;
    const struct address *address; /* of a */
};

/* The next netdev, from *at on, that shares its IPv4 subnet with another one. */
static bool next_neighbours(const struct carriers *carriers, size_t *at, struct neighbours *found)
{
    for (; *at < carriers->count; ++*at)
        for (size_t i = 0; i < carriers->count; i++) {
            const struct netdev *a = carriers->netdevs[*at], *b = carriers->netdevs[i];
            const struct address *address = a == b ? NULL : shared(a, b);
            if (!address || !can_be_mixed_up(carriers->host, a, b))
                continue;
            *found = (struct neighbours){ a, b, address };
            ++*at;
            return true;
        }
    return false;
}

static enum verdict no_neighbours(const struct carriers *carriers, struct judgement *j)
{
    if (carriers->unknown)
        return judge_unknown(j, "addresses of %s: netlink did not answer", carriers->unknown->name);
    return judge_na(j, "no two RoCE ports share an IPv4 subnet");
}

JUDGE(arp_flux)
{
    struct carriers carriers = find_carriers(s->host, j->arena);
    struct neighbours one, first = { 0 };
    for (size_t at = 0; next_neighbours(&carriers, &at, &one);) {
        int ignore = sysctl_of_netdev(&s->host->system, one.a->name, "arp_ignore");
        int announce = sysctl_of_netdev(&s->host->system, one.a->name, "arp_announce");
        char subnet[64];
        address_format(one.address, subnet);
        if (ignore < 0 || announce < 0)
            return judge_unknown(j, "/proc/sys/net/ipv4/conf/%s/arp_ignore or arp_announce could not be read",
                                 one.a->name);
        if (!first.a)
            first = one;
        if ((ignore > 0 && announce > 1) || (!judge_about_netdev(j, one.a) && !judge_about_netdev(j, one.b)))
            continue;
        judge_command(j,
                      "sysctl -w net.ipv4.conf.all.arp_ignore=1 net.ipv4.conf.all.arp_announce=2 # for every "
                      "boot: both into /etc/sysctl.d/90-rdma.conf; or give each port a subnet of its own");
        return judge_fail(j,
                          "%s and %s share the subnet of %s; net.ipv4.conf.%s: arp_ignore %d, arp_announce %d "
                          "(all's included)",
                          one.a->name, one.b->name, subnet, one.a->name, ignore, announce);
    }
    if (!first.a)
        return no_neighbours(&carriers, j);
    return judge_pass(j, "%s and %s share a subnet, arp_ignore and arp_announce are set", first.a->name,
                      first.b->name);
}

/* The way sysctl takes it: a dot within the name becomes a slash. */
static const char *sysctl_name(struct judgement *j, const char *netdev)
{
    char *name = arena_strdup(j->arena, netdev);
    for (char *c = name; *c; c++)
        if (*c == '.')
            *c = '/';
    return name;
}

JUDGE(rp_filter)
{
    struct carriers carriers = find_carriers(s->host, j->arena);
    struct neighbours one, first = { 0 };
    for (size_t at = 0; next_neighbours(&carriers, &at, &one);) {
        int filter = sysctl_of_netdev(&s->host->system, one.a->name, "rp_filter");
        if (filter < 0)
            return judge_unknown(j, "/proc/sys/net/ipv4/conf/%s/rp_filter could not be read", one.a->name);
        if (!first.a)
            first = one;
        if (filter != 1)
            continue;
        /* the same lookup as fib_validate_source() */
        struct route_lookup back = way_back(s->host, one.a, one.address);
        if (back.kind == LOOKUP_UNKNOWN)
            return judge_unknown(j, "net.ipv4.conf.%s.rp_filter is 1 (strict), and the way back isn't known",
                                 one.a->name);
        if ((back.kind == LOOKUP_FOUND && text_is(back.route->netdev, one.a->name)) ||
            (!judge_about_netdev(j, one.a) && !judge_about_netdev(j, one.b)))
            continue;
        judge_command(j,
                      "sysctl -w net.ipv4.conf.all.rp_filter=2 net.ipv4.conf.%s.rp_filter=2 # for every boot: "
                      "both into /etc/sysctl.d/90-rdma.conf",
                      sysctl_name(j, one.a->name));
        return judge_warn(
            j,
            "net.ipv4.conf.%s.rp_filter is 1 (strict), %s shares its subnet with %s, and the way back is %s's",
            one.a->name, one.a->name, one.b->name,
            back.kind == LOOKUP_FOUND && back.route->netdev ? back.route->netdev : "nobody");
    }
    if (!first.a)
        return no_neighbours(&carriers, j);
    return judge_pass(j, "what comes in at %s and %s passes rp_filter", first.a->name, first.b->name);
}

enum { TABLE_LOCAL = 255, ROUTE_UNICAST = 1 };

/* Is there a unicast route out of the GID's netdev, in its family? */
static bool has_route(const struct host *host, const struct gid *gid, uint8_t family)
{
    for (size_t i = 0; i < host->nroutes; i++) {
        const struct route *route = &host->routes[i];
        if (route->family == family && route->table != TABLE_LOCAL && route->type == ROUTE_UNICAST &&
            text_is(route->netdev, gid->netdev))
            return true;
    }
    return false;
}

/* Does another netdev of the port have the same address, and a route? Then one of them shouldn't have it:
 * gid-duplicate covers that. */
static bool is_routed_elsewhere(const struct host *host, const struct port *port, const struct gid *gid,
                                uint8_t family)
{
    for (size_t i = 0; i < port->ngids; i++) {
        const struct gid *other = &port->gids[i];
        if (other->type == gid->type && memcmp(other->raw, gid->raw, sizeof(gid->raw)) == 0 && other->netdev &&
            !text_is(gid->netdev, other->netdev) && has_route(host, other, family))
            return true;
    }
    return false;
}

/* A rule that rejects traffic from the address. */
static const struct rule *refusing_rule(const struct host *host, const uint8_t *address, uint8_t family)
{
    enum { BLACKHOLE = 6, UNREACHABLE, PROHIBIT };
    for (size_t i = 0; i < host->nrules; i++) {
        const struct rule *rule = &host->rules[i];
        if (rule->family == family && rule->action >= BLACKHOLE && rule->action <= PROHIBIT &&
            rule->source_prefix && prefix_holds(rule->source, rule->source_prefix, address))
            return rule;
    }
    return NULL;
}

JUDGE(gid_route)
{
    size_t looked = 0;
    if (!port_is_roce(s->port) || !port_carries_traffic(s) || !port_is_active(s->port))
        return judge_na(j, "not an ACTIVE RoCE port");
    if (!s->host->routes_known)
        return judge_unknown(j, "rtnetlink GETROUTE did not answer");
    for (size_t i = 0; i < s->port->ngids; i++) {
        const struct gid *gid = &s->port->gids[i];
        if (!gid->netdev || gid->type != GID_TYPE_ROCE_V2 || !gid_is_routable(gid->raw) ||
            !gid_netdev(s->host, gid))
            continue;
        bool v4 = gid_is_v4_mapped(gid->raw);
        uint8_t family = v4 ? AF_INET : AF_INET6;
        const char *text = gid_address_text(j->arena, gid->raw);
        looked++;
        const struct rule *rule = refusing_rule(s->host, v4 ? gid->raw + 12 : gid->raw, family);
        if (rule) {
            judge_command(j, "ip%s rule del priority %" PRIu64, v4 ? "" : " -6", rule->priority.value);
            return judge_fail(j, "GID %u (%s): rule %" PRIu64 " refuses what comes from it", gid->index, text,
                              rule->priority.value);
        }
        if (has_route(s->host, gid, family) || is_routed_elsewhere(s->host, s->port, gid, family))
            continue;
        judge_command(j, "ip%s route append {SUBNET} dev %s src %s", v4 ? "" : " -6", fix_name(j, gid->netdev),
                      text);
        return judge_fail(j, "GID %u (%s): no route leads out of %s", gid->index, text, gid->netdev);
    }
    return looked ? judge_pass(j, "routes lead out of the netdevs of %zu GIDs", looked)
                  : judge_na(j, "no routable RoCE v2 GID with a netdev here");
}
