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

bool netdevs_can_be_mixed_up(const struct host *host, const struct netdev *a, const struct netdev *b)
{
    const struct netdev *masters[] = { host_find_netdev(host, a->master), host_find_netdev(host, b->master) };
    for (size_t i = 0; i < ARRAY_SIZE(masters); i++)
        if (masters[i] && masters[0] != masters[1] && masters[i]->kind == NETDEV_VRF)
            return false;
    /* each is all that the other reaches */
    if (a->peer_ifindex.known && !a->lower_netnsid.known && num_is(b->ifindex, a->peer_ifindex.value))
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
            if (!address || !netdevs_can_be_mixed_up(carriers->host, a, b))
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
        int ignore = sysctl_of_netdev(s->system, one.a->name, "arp_ignore");
        int announce = sysctl_of_netdev(s->system, one.a->name, "arp_announce");
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
                          one.a->name, one.b->name, arena_address(j->arena, one.address), one.a->name, ignore,
                          announce);
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
        int filter = sysctl_of_netdev(s->system, one.a->name, "rp_filter");
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

enum { ROUTE_UNICAST = 1 };

/* Does a lookup find a route out of the netdev, from the address to where one of its routes leads? A VRF's are
 * found by the rule for VRFs alone. */
static enum tristate has_route(const struct host *host, const struct netdev *netdev, const uint8_t *address,
                               uint8_t family)
{
    bool unknown = false; /* as without rules */
    for (size_t i = 0; i < host->nroutes; i++) {
        const struct route *route = &host->routes[i];
        if (route->family != family || route->type != ROUTE_UNICAST || !text_is(route->netdev, netdev->name))
            continue;
        struct route_flow flow = {
            .family = family, .source = address, .destination = route->destination, .out = netdev
        };
        struct route_lookup found = host_look_up(host, &flow);
        if (found.kind == LOOKUP_FOUND && text_is(found.route->netdev, netdev->name))
            return TRI_YES;
        unknown |= found.kind == LOOKUP_UNKNOWN;
    }
    return unknown ? TRI_UNKNOWN : TRI_NO;
}

static const uint8_t *address_of(const struct gid *gid)
{
    return gid->raw + (gid_is_v4_mapped(gid->raw) ? 12 : 0);
}

/* Does another netdev of the port have the same address, and a route? Then one of them shouldn't have it:
 * gid-duplicate covers that. */
static bool is_routed_elsewhere(const struct host *host, const struct port *port, const struct gid *gid,
                                uint8_t family)
{
    for (size_t i = 0; i < port->ngids; i++) {
        const struct gid *other = &port->gids[i];
        const struct netdev *netdev = gid_netdev(host, other);
        if (other->type == gid->type && memcmp(other->raw, gid->raw, sizeof(gid->raw)) == 0 && netdev &&
            !text_is(gid->netdev, other->netdev) && has_route(host, netdev, address_of(gid), family) == TRI_YES)
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

/* A queue pair names its netdev, and where IPv4 finds no route the kernel takes the peer for on its link,
 * unless the netdev is in a VRF (ip_route_output_key_hash_rcu() of net/ipv4/route.c): data flows without
 * RDMA_CM. */
static enum verdict judge_no_route(const struct subject *s, struct judgement *j, const struct gid *gid)
{
    const struct netdev *netdev = gid_netdev(s->host, gid), *vrf;
    bool v4 = gid_is_v4_mapped(gid->raw), in_vrf = netdev_frames(s->host, netdev, &vrf) == FRAMES_TO_VRF;
    const char *text = gid_address_text(j->arena, gid->raw);
    const struct address *address = address_with_gid(netdev, gid->raw);
    bool alone = address && address->prefix == (v4 ? 32 : 128);
    const char *subnet = address && !alone ? arena_subnet(j->arena, address) : "{SUBNET}";
    if (in_vrf)
        judge_command(j, "ip%s rule add l3mdev pref 1000 # if it is there: ip%s route append %s dev %s vrf %s",
                      v4 ? "" : " -6", v4 ? "" : " -6", subnet, fix_name(j, gid->netdev),
                      fix_name(j, vrf->name));
    else
        judge_command(j, "ip%s route append %s dev %s src %s", v4 ? "" : " -6", subnet,
                      fix_name(j, gid->netdev), text);
    if (!v4 || in_vrf)
        return judge_fail(j, "GID %u (%s): no route leads out of %s%s%s", gid->index, text, gid->netdev,
                          in_vrf ? ", in the VRF " : "", in_vrf ? vrf->name : "");
    /* an address of 32 bits has no route of its own: whoever gives a rail one goes by verbs, or adds routes */
    bool meant = alone && !cm_asked_by(s->host, j->arena);
    return judge_as(j, meant ? VERDICT_INFO : VERDICT_WARN,
                    "GID %u (%s): no route leads out of %s: RDMA_CM finds none without a source address; verbs "
                    "take peers for on its link",
                    gid->index, text, gid->netdev);
}

JUDGE(gid_route)
{
    size_t looked = 0;
    const struct gid *unclear = NULL;
    if (!port_is_roce(s->port) || !port_carries_traffic(s) || !port_is_active(s->port))
        return judge_na(j, "not an ACTIVE RoCE port");
    if (!s->host->routes_known)
        return judge_unknown(j, "rtnetlink GETROUTE did not answer");
    for (size_t i = 0; i < s->port->ngids; i++) {
        const struct gid *gid = &s->port->gids[i];
        const struct netdev *netdev = gid_netdev(s->host, gid);
        if (!netdev || gid->type != GID_TYPE_ROCE_V2 || !gid_is_routable(gid->raw))
            continue;
        bool v4 = gid_is_v4_mapped(gid->raw);
        uint8_t family = v4 ? AF_INET : AF_INET6;
        looked++;
        const struct rule *rule = refusing_rule(s->host, address_of(gid), family);
        if (rule) {
            judge_command(j, "ip%s rule del priority %" PRIu64, v4 ? "" : " -6", rule->priority.value);
            return judge_as(j, v4 ? VERDICT_WARN : VERDICT_FAIL,
                            "GID %u (%s): rule %" PRIu64 " refuses what comes from it", gid->index,
                            gid_address_text(j->arena, gid->raw), rule->priority.value);
        }
        enum tristate routed = has_route(s->host, netdev, address_of(gid), family);
        if (routed == TRI_NO && !is_routed_elsewhere(s->host, s->port, gid, family))
            return judge_no_route(s, j, gid);
        unclear = routed == TRI_UNKNOWN ? gid : unclear;
    }
    if (unclear)
        return judge_unknown(j, "GID %u (%s): %s", unclear->index, gid_address_text(j->arena, unclear->raw),
                             s->host->rules_known ? "a rule decides on its way that roce doesn't follow"
                                                  : "rtnetlink GETRULE did not answer");
    return looked ? judge_pass(j, "routes lead out of the netdevs of %zu GIDs", looked)
                  : judge_na(j, "no routable RoCE v2 GID with a netdev here");
}
