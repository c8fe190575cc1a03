/* SPDX-License-Identifier: MIT */
/* Ports that share a subnet, and the routes that lead out of them. */
#include <inttypes.h>
#include <netinet/in.h>
#include <string.h>

#include "base/text.h"
#include "check/judge.h"
#include "model/route.h"

/* The netdev of the next ACTIVE RoCE port that has one here; *port moves on to it. NULL: no more. */
static const struct netdev *next_netdev(const struct host *host, const struct port **port)
{
    while ((*port = host_next_port(host, *port)))
        if (port_is_roce(*port) && port_is_active(*port) && port_netdev(host, *port))
            return port_netdev(host, *port);
    return NULL;
}

static bool same_subnet(const struct address *a, const struct address *b)
{
    if (a->family != AF_INET || b->family != AF_INET || a->prefix != b->prefix || a->prefix == 0 ||
        a->prefix == 32)
        return false;
    if (memcmp(a->raw, b->raw, 4) == 0) /* gid-duplicate speaks of that */
        return false;
    uint32_t x, y, mask = htonl(UINT32_MAX << (32 - a->prefix));
    memcpy(&x, a->raw, 4);
    memcpy(&y, b->raw, 4);
    return (x & mask) == (y & mask);
}

static bool share_subnet(const struct netdev *a, const struct netdev *b, const struct address **which)
{
    for (size_t x = 0; x < a->naddresses; x++)
        for (size_t y = 0; y < b->naddresses; y++)
            if (same_subnet(&a->addresses[x], &b->addresses[y])) {
                *which = &a->addresses[x];
                return true;
            }
    return false;
}

struct neighbours {
    const struct netdev *a, *b;
    const struct address *address; /* of a */
    size_t netdevs;
    const struct netdev *unknown; /* its addresses aren't known */
};

/* Two netdevs of RoCE ports in one IPv4 subnet. */
static bool find_neighbours(const struct host *host, struct neighbours *found)
{
    *found = (struct neighbours){ 0 };
    for (const struct port *x = NULL; (found->a = next_netdev(host, &x));) {
        found->netdevs++;
        if (!found->a->addresses_known)
            found->unknown = found->a;
        const struct port *y = x;
        while ((found->b = next_netdev(host, &y)))
            if (found->a != found->b && share_subnet(found->a, found->b, &found->address))
                return true;
    }
    return false;
}

static enum verdict no_neighbours(const struct neighbours *found, struct judgement *j)
{
    if (found->unknown)
        return judge_unknown(j, "addresses of %s: netlink did not answer", found->unknown->name);
    return judge_na(j, "no two RoCE ports share an IPv4 subnet");
}

static enum verdict judge_arp(const struct subject *s, struct judgement *j)
{
    struct neighbours found;
    if (!find_neighbours(s->host, &found))
        return no_neighbours(&found, j);
    const struct netdev *both[] = { found.a, found.b };
    char subnet[64];
    address_format(found.address, subnet);
    for (size_t i = 0; i < ARRAY_SIZE(both); i++) {
        int ignore = sysctl_of_netdev(&s->host->system, both[i]->name, "arp_ignore");
        int announce = sysctl_of_netdev(&s->host->system, both[i]->name, "arp_announce");
        if (ignore < 0 || announce < 0)
            return judge_unknown(j, "/proc/sys/net/ipv4/conf/%s/arp_ignore or arp_announce could not be read",
                                 both[i]->name);
        if (ignore > 0 && announce > 1)
            continue;
        judge_fix(
            j,
            "sysctl -w net.ipv4.conf.all.arp_ignore=1 net.ipv4.conf.all.arp_announce=2 # for every boot: both into /etc/sysctl.d/90-rdma.conf; or give each port a subnet of its own");
        return judge_fail(
            j,
            "%s and %s share the subnet of %s; net.ipv4.conf.%s: arp_ignore %d, arp_announce %d (all's included)",
            found.a->name, found.b->name, subnet, both[i]->name, ignore, announce);
    }
    return judge_pass(j, "%s and %s share the subnet of %s, arp_ignore and arp_announce are set",
                      found.a->name, found.b->name, subnet);
}

static enum verdict judge_rp_filter(const struct subject *s, struct judgement *j)
{
    struct neighbours found;
    if (!find_neighbours(s->host, &found))
        return no_neighbours(&found, j);
    const struct netdev *both[] = { found.a, found.b };
    for (size_t i = 0; i < ARRAY_SIZE(both); i++) {
        int filter = sysctl_of_netdev(&s->host->system, both[i]->name, "rp_filter");
        if (filter < 0)
            return judge_unknown(j, "/proc/sys/net/ipv4/conf/%s/rp_filter could not be read", both[i]->name);
        if (filter != 1)
            continue;
        judge_fix(
            j,
            "sysctl -w net.ipv4.conf.all.rp_filter=2 net.ipv4.conf.%s.rp_filter=2 # for every boot: both into /etc/sysctl.d/90-rdma.conf",
            both[i]->name);
        return judge_warn(j, "net.ipv4.conf.%s.rp_filter is 1 (strict), and %s shares its subnet with %s",
                          both[i]->name, found.a->name, found.b->name);
    }
    return judge_pass(j, "rp_filter isn't strict on %s and %s", found.a->name, found.b->name);
}

static bool in_prefix(const uint8_t *address, const uint8_t *prefix, unsigned bits)
{
    unsigned whole = bits / 8, rest = bits % 8;
    if (memcmp(address, prefix, whole) != 0)
        return false;
    return rest == 0 || (address[whole] ^ prefix[whole]) >> (8 - rest) == 0;
}

enum { TABLE_LOCAL = 255, ROUTE_UNICAST = 1 };

/* A unicast route out of the GID's netdev, in its family. */
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

/* A rule that refuses what comes from the address. */
static const struct rule *refusing_rule(const struct host *host, const uint8_t *address, uint8_t family)
{
    enum { BLACKHOLE = 6, UNREACHABLE, PROHIBIT };
    for (size_t i = 0; i < host->nrules; i++) {
        const struct rule *rule = &host->rules[i];
        if (rule->family == family && rule->action >= BLACKHOLE && rule->action <= PROHIBIT &&
            rule->source_prefix && in_prefix(address, rule->source, rule->source_prefix))
            return rule;
    }
    return NULL;
}

static enum verdict judge_route(const struct subject *s, struct judgement *j)
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
        char text[GID_ADDRESS_SIZE];
        gid_address(gid->raw, text);
        looked++;
        const struct rule *rule = refusing_rule(s->host, v4 ? gid->raw + 12 : gid->raw, family);
        if (rule) {
            judge_fix(j, "ip%s rule del priority %" PRIu64, v4 ? "" : " -6", rule->priority.value);
            return judge_fail(j, "GID %u (%s): rule %" PRIu64 " refuses what comes from it", gid->index, text,
                              rule->priority.value);
        }
        if (has_route(s->host, gid, family))
            continue;
        judge_fix(j, "ip%s route append SUBNET dev %s src %s", v4 ? "" : " -6", gid->netdev, text);
        return judge_fail(j, "GID %u (%s): no route leads out of %s", gid->index, text, gid->netdev);
    }
    return looked ? judge_pass(j, "routes lead out of the netdevs of %zu GIDs", looked)
                  : judge_na(j, "no routable RoCE v2 GID with a netdev here");
}

const struct check checks_route[] = {
    { .id = "arp-flux",
      .topic = "path",
      .healthy = "each port answers ARP for its own address only",
      .why = "With two ports in one subnet Linux answers ARP for any address on any port: the peer's packets come in at the wrong one, queue pairs time out, or one port carries the traffic of all.",
      .fix = "arp_ignore 1 and arp_announce 2, or a subnet per port",
      .fires_on = "fault-path",
      .scope = SCOPE_HOST,
      .needs = PORTS | NEED_SYSTEM,
      .judge = judge_arp },
    { .id = "rp-filter",
      .topic = "path",
      .healthy = "strict reverse path filtering is off where ports share a subnet",
      .why = "The route back leads through one port only; what comes in at the other is dropped, ping and RDMA_CM's address resolution included.",
      .fix = "rp_filter 2 (loose)",
      .fires_on = "fault-path",
      .scope = SCOPE_HOST,
      .needs = PORTS | NEED_SYSTEM,
      .judge = judge_rp_filter },
    { .id = "gid-route",
      .topic = "path",
      .healthy = "a route leads out of each GID's netdev",
      .why = "The kernel looks for a route from the GID's address: without one modifying the queue pair fails with \"Network is unreachable\".",
      .fix = "add the route that is missing, or delete the rule that refuses",
      .fires_on = "fault-address",
      .scope = SCOPE_PORT,
      .needs = PORTS | NEED_ROUTES,
      .judge = judge_route },
    { 0 },
};
