/* The way to the peer: MTU, ARP, routes, ports of sockets, RDMA_CM's defaults. */
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "base/say.h"
#include "base/text.h"
#include "check/judge.h"
#include "model/route.h"
#include "model/verbs.h"

enum { MTU_FOR_4096 = 4200, FAST_MBPS = 25000, ROCE_PORT = 4791 };

static enum verdict judge_netdev_mtu(const struct subject *s, struct judgement *j)
{
    const struct port *port = s->port;
    if (!port_is_roce(port) || !port_carries_traffic(s) || !s->netdev)
        return judge_na(j, "no RoCE port with a netdev here");
    if (port->state.known && !port_is_active(port))
        return judge_na(j, "the port is not ACTIVE: see port-active");
    if (!s->netdev->mtu.known || !port->roce_mtu.known)
        return judge_unknown(j, "/sys/class/net/%s/mtu could not be read", s->netdev->name);
    const char *evidence = arena_printf(j->arena,
                                        "/sys/class/net/%s/mtu: %" PRIu64 ", hence a RoCE MTU of %" PRIu64,
                                        s->netdev->name, s->netdev->mtu.value, port->roce_mtu.value);
    bool fast = port->rate_mbps.known && port->rate_mbps.value >= FAST_MBPS;
    uint64_t most = s->netdev->mtu_max.known && s->netdev->mtu_max.value ? s->netdev->mtu_max.value
                                                                         : MTU_FOR_4096;
    fix_mtu(j, &s->host->system, s->netdev->name, most < MTU_FOR_4096 ? (unsigned)most : MTU_FOR_4096);
    if (port->roce_mtu.value == 0)
        return judge_fail(j, "%s", evidence);
    return judge_as(
        j, port->roce_mtu.value < 1024 || (fast && port->roce_mtu.value < 2048) ? VERDICT_WARN : VERDICT_PASS,
        "%s", evidence);
}

static enum verdict judge_active_mtu(const struct subject *s, struct judgement *j)
{
    const struct port *port = s->port;
    if (!port_is_roce(port) || !port_carries_traffic(s) || !port->roce_mtu.known)
        return judge_na(j, "no RoCE port with a netdev here");
    const struct verbs_port *verbs = port->device->verbs ? verbs_device_port(port->device->verbs, port->number)
                                                         : NULL;
    if (!verbs || verbs->err)
        return judge_unknown(j, "libibverbs did not tell the active MTU: %s",
                             verbs                     ? say_errno((int)verbs->err)
                             : port->device->verbs_err ? say_errno(port->device->verbs_err)
                                                       : "the device was not asked");
    unsigned active = verbs_mtu_bytes(verbs->active_mtu);
    const char *evidence = arena_printf(
        j->arena, "ibv_query_port: active_mtu %u; MTU of %s: %" PRIu64 " allows %" PRIu64, active,
        s->netdev ? s->netdev->name : "its netdev", s->netdev ? s->netdev->mtu.value : 0,
        port->roce_mtu.value);
    if (s->netdev)
        judge_fix(
            j,
            "set the MTU of %s anew while nothing uses the port: ip link set dev %s down; ip link set dev %s mtu %" PRIu64
            "; ip link set dev %s up",
            s->netdev->name, s->netdev->name, s->netdev->name, s->netdev->mtu.value, s->netdev->name);
    return judge_as(j, active < port->roce_mtu.value ? VERDICT_WARN : VERDICT_PASS, "%s", evidence);
}

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
            "sysctl -w net.ipv4.conf.all.arp_ignore=1 net.ipv4.conf.all.arp_announce=2 (kept in /etc/sysctl.d/90-rdma.conf), or give each port a subnet of its own");
        return judge_fail(
            j,
            "%s and %s share the subnet of %s; net.ipv4.conf.%s: arp_ignore %d, arp_announce %d (with all's counted in)",
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
            "sysctl -w net.ipv4.conf.all.rp_filter=2 net.ipv4.conf.%s.rp_filter=2 (kept in /etc/sysctl.d/90-rdma.conf)",
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
        return judge_na(j, "no ACTIVE RoCE port");
    if (!s->host->routes_known)
        return judge_unknown(j, "rtnetlink GETROUTE did not answer");
    for (size_t i = 0; i < s->port->ngids; i++) {
        const struct gid *gid = &s->port->gids[i];
        if (!gid->netdev || gid->type != GID_TYPE_ROCE_V2 || !gid_is_routable(gid->raw) ||
            !host_find_netdev(s->host, gid->netdev))
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

/* "4791,8080-8090" */
static bool port_listed(const char *list, unsigned port)
{
    while (list && *list) {
        unsigned first, last;
        int n = sscanf(list, "%u-%u", &first, &last);
        if (n >= 1 && port >= first && port <= (n == 2 ? last : first))
            return true;
        list += strcspn(list, ",");
        list += *list == ',';
    }
    return false;
}

static enum verdict judge_udp_port(const struct subject *s, struct judgement *j)
{
    unsigned first, last;
    bool roce = false;
    for (const struct port *port = NULL; (port = host_next_port(s->host, port));)
        roce |= port_is_roce(port);
    if (!roce)
        return judge_na(j, "no RoCE port");
    const char *range = system_sysctl(&s->host->system, "net/ipv4/ip_local_port_range");
    if (!range || sscanf(range, "%u %u", &first, &last) != 2)
        return judge_unknown(j, "/proc/sys/net/ipv4/ip_local_port_range could not be read");
    const char *reserved = system_sysctl(&s->host->system, "net/ipv4/ip_local_reserved_ports");
    if (first > ROCE_PORT || last < ROCE_PORT)
        return judge_pass(j, "net.ipv4.ip_local_port_range: %u to %u, without 4791", first, last);
    if (port_listed(reserved, ROCE_PORT))
        return judge_pass(j, "net.ipv4.ip_local_reserved_ports: %s", reserved);
    fix_sysctl(j, "net.ipv4.ip_local_reserved_ports",
               reserved && *reserved ? arena_printf(j->arena, "%s,4791", reserved) : "4791");
    return judge_warn(j, "net.ipv4.ip_local_port_range: %u to %u, and 4791 is not reserved", first, last);
}

static enum verdict judge_firewall(const struct subject *s, struct judgement *j)
{
    const struct firewall *firewall = &s->host->system.firewall;
    const char *soft = NULL;
    for (size_t d = 0; d < s->host->ndevices && !soft; d++)
        if (device_is_rxe(&s->host->devices[d]))
            soft = s->host->devices[d].name;
    if (!soft)
        return judge_na(j, "no soft-RoCE device: hardware passes the firewall by");
    /* what a kernel without nftables says, depending on which of its modules is loaded */
    bool none = firewall->err == EOPNOTSUPP || firewall->err == EINVAL || firewall->err == EPROTONOSUPPORT;
    if (firewall->asked && none)
        return judge_pass(j, "no nftables in this kernel");
    if (!firewall->asked || firewall->err)
        return judge_unknown(j, "netlink nftables GETRULE: %s",
                             firewall->err ? say_errno(firewall->err) : "not asked");
    if (!firewall->refusal)
        return judge_pass(
            j, "no rule of nftables refuses UDP port 4791 by its number (sets and policies aren't followed)");
    judge_fix(
        j,
        "nft insert rule %.*s udp dport 4791 accept (in firewalld: firewall-cmd --add-port=4791/udp --permanent; ufw: ufw allow 4791/udp)",
        (int)(strstr(firewall->refusal, " handle ") - firewall->refusal), firewall->refusal);
    return judge_fail(j, "nftables rule %s refuses UDP port 4791, which %s uses", firewall->refusal, soft);
}

static bool has_v2(const struct port *port)
{
    for (size_t i = 0; i < port->ngids; i++)
        if (port->gids[i].type == GID_TYPE_ROCE_V2)
            return true;
    return false;
}

static enum verdict judge_cm_mode(const struct subject *s, struct judgement *j)
{
    const struct port *port = s->port;
    if (!port_is_roce(port) || !port_carries_traffic(s) || !port->ngids)
        return judge_na(j, "no RoCE port with GIDs");
    if (!port->cm_mode.known)
        return judge_unknown(j, "configfs rdma_cm/%s/ports/%u/default_roce_mode: %s", port->device->name,
                             port->number, port->cm_err ? say_errno(port->cm_err) : "not read");
    const char *mode = gid_type_text((enum gid_type)port->cm_mode.value);
    const char *evidence = arena_printf(j->arena, "configfs rdma_cm/%s/ports/%u/default_roce_mode: %s",
                                        port->device->name, port->number, mode ? mode : "?");
    if (num_is(port->cm_mode, GID_TYPE_ROCE_V2) || !has_v2(port))
        return judge_pass(j, "%s", evidence);
    judge_fix(
        j,
        "roce mode set %s/%u v2, on server and client alike (it lasts until the module is unloaded: repeat it at boot)",
        port->device->name, port->number);
    return judge_warn(j, "%s, although the port has RoCE v2 GIDs", evidence);
}

static enum verdict judge_cm_mode_equal(const struct subject *s, struct judgement *j)
{
    const struct port *first = NULL;
    for (const struct port *port = NULL; (port = host_next_port(s->host, port));) {
        if (!port_is_roce(port) || !port->cm_mode.known)
            continue;
        if (!first)
            first = port;
        else if (first->cm_mode.value != port->cm_mode.value)
            return judge_warn(j, "default_roce_mode: %s/%u has %s, %s/%u has %s", first->device->name,
                              first->number, gid_type_text((enum gid_type)first->cm_mode.value),
                              port->device->name, port->number,
                              gid_type_text((enum gid_type)port->cm_mode.value));
    }
    return first ? judge_pass(j, "default_roce_mode is the same on all ports")
                 : judge_na(j, "no port's default_roce_mode is known");
}

#define PORTS (NEED_STATE | NEED_GIDS | NEED_NETDEV_ALL | NEED_NLDEV | NEED_ADDRESSES)

const struct check checks_path[] = {
    { .id = "netdev-mtu",
      .topic = "path",
      .healthy = "the netdev's MTU leaves room for a large RoCE MTU",
      .why = "RoCE packets must fit the netdev's MTU with their headers: 1500 gives a RoCE MTU of 1024, with which a fast port doesn't reach its rate.",
      .fix = "an MTU of 4200 or 9000 on the netdev, the switch and the peers",
      .fires_on = "fault-path",
      .scope = SCOPE_PORT,
      .needs = PORTS | NEED_RATE | NEED_PCI | NEED_SYSTEM,
      .judge = judge_netdev_mtu },
    { .id = "active-mtu",
      .topic = "path",
      .healthy = "the port's active MTU is what its netdev allows",
      .why = "The device kept an older, smaller MTU: more packets and more headers for the same data.",
      .fix = "set the netdev's MTU anew",
      .fires_on = "fault-verbs",
      .scope = SCOPE_PORT,
      .needs = PORTS | NEED_VERBS | NEED_PCI,
      .judge = judge_active_mtu },
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
    { .id = "udp-port-4791",
      .topic = "path",
      .healthy = "no socket is given UDP port 4791 by chance",
      .why = "The NIC takes everything for UDP port 4791 as RoCE v2: an application whose socket got that port loses its answers.",
      .fix = "sysctl -w net.ipv4.ip_local_reserved_ports=4791",
      .fires_on = "fault-path",
      .scope = SCOPE_HOST,
      .needs = NEED_SYSTEM,
      .judge = judge_udp_port },
    { .id = "firewall-4791",
      .topic = "path",
      .healthy = "the firewall lets soft-RoCE's packets in and out",
      .why = "Soft-RoCE is UDP port 4791 of the kernel: hosts ping each other, connections are made, and no data passes; a drop on the way out even hangs the sender.",
      .fix = "allow UDP port 4791",
      .fires_on = "fault-firewall",
      .scope = SCOPE_HOST,
      .needs = NEED_SYSTEM | NEED_PCI,
      .judge = judge_firewall },
    { .id = "cm-roce-mode",
      .topic = "path",
      .healthy = "RDMA_CM chooses RoCE v2",
      .why = "With v1 as default RDMA_CM connections don't leave the Ethernet segment: client v1 to server v1 or v2 works, but through no router; client v2 to server v1 never connects; v2 to v2 works.",
      .fix = "roce mode set DEVICE/PORT v2, on both sides",
      .fires_on = "fault-path",
      .scope = SCOPE_PORT,
      .needs = PORTS | NEED_MODE,
      .judge = judge_cm_mode },
    { .id = "cm-roce-mode-equal",
      .topic = "path",
      .healthy = "RDMA_CM's default is the same on all ports",
      .why = "Which version a connection uses then depends on the port that its address happens to be on; client and server must agree.",
      .fix = "roce mode set DEVICE/PORT v2, for each port",
      .fires_on = "fault-path",
      .scope = SCOPE_HOST,
      .needs = NEED_MODE | NEED_GIDS,
      .judge = judge_cm_mode_equal },
    { 0 },
};
