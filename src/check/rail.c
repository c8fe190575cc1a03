/* SPDX-License-Identifier: MIT */
/* Rails are the subnets of the ports in use: the ways from each to the others. */
#include "check/rail.h"

#include <netinet/in.h>

#include "check/judge.h"
#include "check/use.h"

static unsigned bits_of(uint8_t family)
{
    return family == AF_INET ? 32 : 128;
}

bool addresses_share_subnet(const struct address *a, const struct address *b)
{
    return a->family == b->family && a->prefix == b->prefix && a->prefix && a->prefix < bits_of(a->family) &&
           prefix_holds(a->raw, a->prefix, b->raw);
}

static bool is_own(const struct host *host, uint8_t family, const uint8_t *raw)
{
    for (size_t n = 0; n < host->nnetdevs; n++)
        for (size_t i = 0; i < host->netdevs[n].naddresses; i++) {
            const struct address *address = &host->netdevs[n].addresses[i];
            if (address->family == family && memcmp(address->raw, raw, bits_of(family) / 8) == 0)
                return true;
        }
    return false;
}

bool subnet_peer(const struct host *host, const struct address *address, uint8_t peer[static 16])
{
    unsigned bits = bits_of(address->family), rest = bits - address->prefix;
    if (address->prefix > bits || rest == 0)
        return false;
    /* a subnet of two has neither a network nor a broadcast address (RFC 3021, RFC 6164) */
    unsigned first = rest == 1 ? 0 : 1, last = rest == 1 ? 1 : rest < 8 ? (1U << rest) - 2 : 254;
    for (unsigned number = first; number <= last; number++) {
        memset(peer, 0, 16);
        memcpy(peer, address->raw, address->prefix / 8);
        if (address->prefix % 8)
            peer[address->prefix / 8] = address->raw[address->prefix / 8] &
                                        (uint8_t)(0xff00 >> address->prefix % 8);
        peer[bits / 8 - 1] |= (uint8_t)number;
        if (!is_own(host, address->family, peer))
            return true;
    }
    return false;
}

struct route_lookup way_back(const struct host *host, const struct netdev *netdev,
                             const struct address *address)
{
    uint8_t peer[16];
    if (!subnet_peer(host, address, peer))
        return (struct route_lookup){ .kind = LOOKUP_NONE };
    struct route_flow flow = {
        .family = address->family, .source = address->raw, .destination = peer, .in = netdev
    };
    return host_look_up(host, &flow);
}

static bool has_rail(const struct rails *rails, const struct port *port, const struct address *address)
{
    for (size_t i = rails->count; i && rails->rails[i - 1].port == port; i--)
        if (rails->rails[i - 1].address->family == address->family)
            return true;
    return false;
}

/* The port's first address of each family that has a routable RoCE v2 GID. */
static void add_rails(struct rails *rails, const struct port *port, struct arena *arena)
{
    for (size_t i = 0; i < port->ngids; i++) {
        const struct gid *gid = &port->gids[i];
        const struct netdev *netdev = gid_netdev(rails->host, gid);
        if (!netdev || gid->type != GID_TYPE_ROCE_V2 || !gid_is_routable(gid->raw))
            continue;
        const struct address *address = address_with_gid(netdev, gid->raw);
        if (address && !has_rail(rails, port, address))
            *ARENA_PUSH(arena, rails->rails,
                        rails->count) = (struct rail){ port, gid, netdev, address, 0, false };
    }
}

int64_t rail_place(const struct host *host, const struct port *port)
{
    int64_t at = 0;
    for (const struct port *other = NULL; (other = host_next_port(host, other)) && other != port;)
        at += ports_are_alike(host, other, port);
    return at;
}

static void add_port(struct rails *rails, const struct port *port, struct arena *arena)
{
    size_t before = rails->count;
    add_rails(rails, port, arena);
    if (rails->count == before)
        return;
    int64_t at = rail_place(rails->host, port);
    bool leads_outside = port_has_default_route(rails->host, port) == TRI_YES;
    for (size_t i = before; i < rails->count; i++) {
        rails->rails[i].at = at;
        rails->rails[i].leads_outside = leads_outside;
    }
}

static struct rails take_judged(const struct subject *s, const struct rails *all, struct arena *arena)
{
    struct rails rails = { .host = s->host };
    for (size_t i = 0; i < all->count; i++)
        if (all->rails[i].port == s->port || !port_is_idle(s, all->rails[i].port))
            *ARENA_PUSH(arena, rails.rails, rails.count) = all->rails[i];
    return rails;
}

struct rails find_rails(const struct subject *s, struct arena *arena)
{
    struct found_rails own = { 0 }, *found = s->rails ? s->rails : &own;
    struct rails *all = &found->all;
    if (!found->found) {
        all->host = s->host;
        for (const struct port *port = NULL; (port = host_next_port(s->host, port));)
            if (port_is_roce(port) && port_is_active(port))
                add_port(all, port, arena);
        found->judged = take_judged(&(struct subject){ .host = s->host, .idle = s->idle, .nidle = s->nidle },
                                    all, arena);
        found->found = true;
    }
    return port_is_idle(s, s->port) ? take_judged(s, all, arena) : found->judged;
}

/* Is the other one a rail that the first may need to reach through a route? */
static bool is_another(const struct rail *from, const struct rail *to)
{
    return from->netdev != to->netdev && from->address->family == to->address->family &&
           !addresses_share_subnet(from->address, to->address);
}

/* Does a route to peers on the other rail lead out of this rail's netdev? When connecting, the kernel looks it
 * up with the GID's netdev (addr4_resolve() of core/addr.c), and for an RDMA_CM request that arrived at this
 * netdev, with that (validate_ipv4_net_dev() of core/cma.c since Linux 6.1, and stable kernels of that
 * time). */
static struct route_lookup cross(const struct host *host, const struct rail *from, const struct rail *to,
                                 bool *reached)
{
    uint8_t peer[16];
    *reached = false;
    if (!subnet_peer(host, to->address, peer))
        return (struct route_lookup){ .kind = LOOKUP_NONE };
    struct route_flow flow = {
        .family = from->address->family, .source = from->address->raw, .destination = peer, .out = from->netdev
    };
    struct route_lookup found = host_look_up(host, &flow);
    *reached = found.kind == LOOKUP_FOUND && text_is(found.route->netdev, from->netdev->name);
    return found;
}

/* How many of the others a rail reaches. */
struct reach {
    size_t others, missed;
    const struct rail *miss;    /* the first one it doesn't reach */
    const struct route *route;  /* the first that leads to another */
    const struct rule *unclear; /* a rule that can't be followed */
};

static struct reach reach_of(const struct rails *rails, const struct rail *from)
{
    struct reach reach = { 0 };
    uint8_t peer[16];
    for (size_t i = 0; i < rails->count; i++) {
        const struct rail *to = &rails->rails[i];
        bool reached;
        if (!is_another(from, to) || !subnet_peer(rails->host, to->address, peer))
            continue;
        struct route_lookup found = cross(rails->host, from, to, &reached);
        reach.others++;
        if (found.kind == LOOKUP_UNKNOWN && !reach.unclear)
            reach.unclear = found.rule;
        if (reached && !reach.route)
            reach.route = found.route;
        reach.missed += !reached;
        if (!reached && !reach.miss)
            reach.miss = to;
    }
    return reach;
}

bool ports_are_alike(const struct host *host, const struct port *a, const struct port *b)
{
    const struct device *x = a->device, *y = b->device;
    return devices_are_siblings(host, x, y) || (device_is_soft(x) && device_is_soft(y));
}

/* One of the rails like this one that reaches all others, if most do; else NULL. Rails that are set up alike
 * are routed alike; a storage port among them may well differ. */
static const struct rail *usual_reach(const struct rails *rails, const struct rail *from, struct reach *its)
{
    const struct rail *witness = NULL;
    size_t alike = 1, reaching = 0;
    for (size_t i = 0; i < rails->count; i++) {
        const struct rail *rail = &rails->rails[i];
        if (rail == from || rail->address->family != from->address->family ||
            !ports_are_alike(rails->host, from->port, rail->port))
            continue;
        struct reach reach = reach_of(rails, rail);
        alike++;
        reaching += reach.others && reach.missed == 0;
        if (reach.others && reach.missed == 0 && !witness) {
            witness = rail;
            *its = reach;
        }
    }
    return reaching * 2 > alike ? witness : NULL;
}

/* A number that no table has yet, different for each netdev. */
static uint32_t free_table(const struct host *host, const struct netdev *netdev)
{
    enum { FIRST = 100, STEP = 1000 };
    uint32_t table = FIRST + (uint32_t)(netdev->ifindex.value % STEP);
    for (size_t i = 0; i < host->nroutes + host->nrules; i++) {
        uint32_t taken = i < host->nroutes ? host->routes[i].table : host->rules[i - host->nroutes].table;
        if (taken != table)
            continue;
        table += STEP;
        i = SIZE_MAX; /* start over */
    }
    return table;
}

enum { TABLE_MAIN = 254 };

/* Suggests a route like the other rail's. */
static void fix_cross(struct judgement *j, const struct host *host, const struct rail *from,
                      const struct route *usual, const struct rail *witness)
{
    struct address covered = { .family = usual->family, .prefix = usual->prefix };
    memcpy(covered.raw, usual->destination, 16);
    bool v4 = usual->family == AF_INET;
    const char *ip = v4 ? "ip" : "ip -6", *to = usual->prefix ? arena_subnet(j->arena, &covered) : "default";
    const char *via = usual->has_gateway ? "via {GATEWAY} " : "";
    const char *gateway = usual->has_gateway ? arena_printf(j->arena, "GATEWAY: the router of %s; ",
                                                            arena_subnet(j->arena, from->address))
                                             : "";
    if (usual->table == TABLE_MAIN) {
        judge_command(j, "%s route add %s %sdev %s # %sas %s has it", ip, to, via,
                      fix_name(j, from->netdev->name), gateway, fix_name(j, witness->netdev->name));
        return;
    }
    uint32_t table = free_table(host, from->netdev);
    judge_command(j,
                  "%s route add %s %sdev %s table %" PRIu32 " && %s rule add from %s table %" PRIu32
                  " # %sas %s has it in table %" PRIu32,
                  ip, to, via, fix_name(j, from->netdev->name), table, ip,
                  gid_address_text(j->arena, from->gid->raw), table, gateway,
                  fix_name(j, witness->netdev->name), usual->table);
}

/* 1: a ring takes whichever NIC is near, so it connects NICs of different rails; 0, and 2, the default, stay on
 * one rail (github.com/NVIDIA/nccl/issues/2013: it hangs where only ports of the same rail reach each
 * other). */
static bool may_cross(const struct subject *s, struct setting *setting)
{
    *setting = system_setting(s->system, LIBRARY_NCCL, "NCCL_CROSS_NIC");
    return setting->value && strtol(setting->value, NULL, 0) == 1;
}

static enum verdict judge_missed(const struct subject *s, const struct rails *rails, const struct rail *from,
                                 const struct reach *reach, struct judgement *j)
{
    struct reach its = { 0 };
    const struct rail *witness = usual_reach(rails, from, &its);
    const char *more = reach->missed > 1 ? arena_printf(j->arena, " and %zu more", reach->missed - 1) : "";
    const char *evidence = arena_printf(j->arena, "no route leads out of %s to the subnet of %s (%s)%s",
                                        from->netdev->name, reach->miss->netdev->name,
                                        arena_subnet(j->arena, reach->miss->address), more);
    if (witness) {
        bool named = port_is_named(s->host, s->port);
        fix_cross(j, s->host, from, its.route, witness);
        return judge_as(j, named ? VERDICT_WARN : VERDICT_INFO, "%s, as out of %s and most others", evidence,
                        witness->netdev->name);
    }
    struct setting setting;
    if (may_cross(s, &setting)) {
        judge_advice(
            j, "NCCL_CROSS_NIC=0, on all hosts; where rails are to reach each other: routes between them");
        return judge_warn(j, "%s: rails are networks of their own, and %s lets NCCL connect one to another",
                          evidence, setting_text(j, &setting));
    }
    return judge_pass(j, "%s: rails are networks of their own", evidence);
}

static const char *rule_text(struct judgement *j, const struct rule *rule)
{
    return rule ? arena_printf(j->arena, "ip rule %" PRIu64 " can't be followed by roce", rule->priority.value)
                : "rtnetlink GETROUTE or GETRULE did not answer";
}

JUDGE(rail_routes)
{
    if (!port_is_roce(s->port) || !port_is_active(s->port))
        return judge_na(j, "not an ACTIVE RoCE port");
    struct rails rails = find_rails(s, j->arena);
    size_t others = 0;
    for (size_t i = 0; i < rails.count; i++) {
        const struct rail *rail = &rails.rails[i];
        if (rail->port != s->port)
            continue;
        struct reach reach = reach_of(&rails, rail);
        others += reach.others;
        if (reach.others && (reach.unclear || !s->host->routes_known || !s->host->rules_known))
            return judge_unknown(j, "%s", rule_text(j, reach.unclear));
        if (reach.missed)
            return judge_missed(s, &rails, rail, &reach, j);
    }
    return others ? judge_pass(j, "routes lead to the subnets of %zu other rails", others)
                  : judge_na(j, "no other rail in a subnet of its own");
}
