/* SPDX-License-Identifier: MIT */
/* Does the firewall let soft-RoCE's packets through, in and out, to and from each address of the port? */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/netfilter.h>
#include <string.h>

#include "base/say.h"
#include "base/text.h"
#include "check/filter.h"
#include "check/judge.h"
#include "model/route.h"

enum { TABLE_DEFAULT = 253, TABLE_MAIN, TABLE_LOCAL, ADDRESSES_MOST = 64, BELOW_MOST = 16 };

/* One address of the port, and what is asked about it. */
struct asked {
    const struct host *host;
    const struct gid *gid;
    const struct netdev *netdev;
    bool v6;
    uint8_t own[16];
    unsigned prefix; /* of its subnet; 0: not known, or none that others are in (a link between two) */
    bool routed;     /* the subnet's route leads out of the netdev, and no rule leads elsewhere */
    struct filter_device below[BELOW_MOST];
    size_t nbelow;
};

/* ---- what is known about an address */

static unsigned subnet_of(const struct asked *asked)
{
    size_t size = asked->v6 ? 16 : 4;
    for (size_t i = 0; i < asked->netdev->naddresses; i++) {
        const struct address *address = &asked->netdev->addresses[i];
        if ((address->family == AF_INET6) == asked->v6 && memcmp(address->raw, asked->own, size) == 0 &&
            memcmp(address->peer, address->raw, size) == 0)
            return address->prefix < size * 8 - 2 ? address->prefix : 0;
    }
    return 0;
}

static bool is_first(const struct asked *asked)
{
    for (size_t i = 0; i < asked->netdev->naddresses; i++) {
        const struct address *address = &asked->netdev->addresses[i];
        if ((address->family == AF_INET6) == asked->v6)
            return memcmp(address->raw, asked->own, asked->v6 ? 16 : 4) == 0;
    }
    return false;
}

static bool subnet_is_routed(const struct asked *asked)
{
    const struct host *host = asked->host;
    uint8_t family = asked->v6 ? AF_INET6 : AF_INET;
    for (size_t i = 0; i < host->nrules; i++)
        if (host->rules[i].table < TABLE_DEFAULT || host->rules[i].table > TABLE_LOCAL)
            return false;
    for (size_t i = 0; asked->prefix && i < host->nroutes; i++) {
        const struct route *route = &host->routes[i];
        if (route->family == family && route->table == TABLE_MAIN && !route->has_gateway && route->prefix &&
            route->prefix <= asked->prefix && prefix_holds(route->destination, route->prefix, asked->own) &&
            text_is(route->netdev, asked->netdev->name))
            return true;
    }
    return false;
}

static struct filter_device device_of(const struct netdev *netdev, bool perhaps)
{
    return (struct filter_device){ netdev->name, (uint32_t)netdev->ifindex.value, perhaps };
}

/* What the packet passes below the netdev: a VLAN's lower, one of a bond's members, and so on. */
static void find_below(struct asked *asked, const struct netdev *netdev, bool perhaps, unsigned depth)
{
    const struct host *host = asked->host;
    const struct netdev *lower = netdev->lower ? host_find_netdev(host, netdev->lower) : NULL;
    if (depth > 8)
        return;
    if (lower && asked->nbelow < BELOW_MOST) {
        asked->below[asked->nbelow++] = device_of(lower, perhaps);
        find_below(asked, lower, perhaps, depth + 1);
    }
    for (size_t i = 0; i < netdev->nmembers && asked->nbelow < BELOW_MOST; i++) {
        const struct netdev *member = host_find_netdev(host, netdev->members[i]);
        if (!member)
            continue;
        bool several = perhaps || netdev->nmembers > 1;
        asked->below[asked->nbelow++] = device_of(member, several);
        find_below(asked, member, several, depth + 1);
    }
}

static bool ask_about(struct asked *asked, const struct subject *s, const struct gid *gid)
{
    const struct netdev *netdev = gid->netdev ? host_find_netdev(s->host, gid->netdev) : s->netdev;
    bool v4 = gid_is_v4_mapped(gid->raw);
    if (!netdev)
        return false;
    *asked = (struct asked){ .host = s->host, .gid = gid, .netdev = netdev, .v6 = !v4 };
    memcpy(asked->own, v4 ? gid->raw + 12 : gid->raw, v4 ? 4 : 16);
    asked->prefix = subnet_of(asked);
    if (!asked->prefix && !gid_is_routable(gid->raw))
        asked->prefix = v4 ? 16 : 64; /* fe80::/64, 169.254.0.0/16: there are no other peers */
    asked->routed = subnet_is_routed(asked);
    find_below(asked, netdev, false, 0);
    return true;
}

/* ---- the peers */

/* Addresses that hosts have: what is not 0, loopback, multicast; of link-local GIDs only their link. */
struct range {
    uint8_t low[16], high[16];
};
static const struct range v4_hosts[] = {
    { { 1 }, { 126, 255, 255, 255 } },
    { { 128 }, { 223, 255, 255, 255 } },
};
static const struct range v6_hosts[] = {
    { { 0x20 }, { 0x3f, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255 } },
    { { 0xfc }, { 0xfd, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255 } },
};

static struct filter_answer judge_range(const struct asked *asked, bool in, const struct range *range,
                                        bool on_link, struct arena *arena)
{
    struct filter_packet packet = {
        .in = in,
        .v6 = asked->v6,
        .own_is_first = is_first(asked),
        .peer_on_link = on_link && asked->routed,
        .device = device_of(asked->netdev, false),
        .below = asked->below,
        .nbelow = asked->nbelow,
        .bridge = asked->netdev->kind == NETDEV_BRIDGE,
    };
    const struct netdev *master = asked->netdev->master ? host_find_netdev(asked->host, asked->netdev->master)
                                                        : NULL;
    packet.vrf = master && text_is(master->kind_text, "vrf");
    memcpy(packet.own, asked->own, sizeof(packet.own));
    memcpy(packet.peer_low, range->low, sizeof(packet.peer_low));
    memcpy(packet.peer_high, range->high, sizeof(packet.peer_high));
    return filter_judge(&asked->host->system.firewall.ruleset, &packet, arena);
}

/* The hosts of a prefix; of IPv4 without its first and last address, which no host has. */
static struct range prefix_range(const uint8_t *address, unsigned prefix, bool v6)
{
    struct range range = { 0 };
    size_t size = v6 ? 16 : 4;
    for (size_t i = 0; i < size; i++) {
        unsigned bits = prefix > i * 8 ? prefix - (unsigned)i * 8 : 0;
        uint8_t mask = bits >= 8 ? 0xff : (uint8_t)(0xff00U >> bits);
        range.low[i] = address[i] & mask;
        range.high[i] = (uint8_t)(address[i] | (uint8_t)~mask);
    }
    if (!v6 && prefix < 31) {
        range.low[3]++;
        range.high[3]--;
    }
    return range;
}

struct way {
    struct filter_answer answer;
    bool narrow; /* it is so for the peers that the host knows a way to; for others it may be another */
    const char *elsewhere; /* which rule makes it so */
};

/* The same answer for both, or unknown because of what isn't accepted. */
static struct filter_answer join(struct filter_answer a, struct filter_answer b)
{
    if (a.result == b.result)
        return a;
    struct filter_answer *worse = a.result == FILTER_ACCEPTS ||
                                          (a.result == FILTER_DROPS && b.result == FILTER_UNKNOWN)
                                      ? &b
                                      : &a;
    worse->result = FILTER_UNKNOWN;
    return *worse;
}

enum { ROUTES_MOST = 64 };

/* Networks behind a gateway to which a route of their own leads out of the netdev: other rails, other racks.
 * They are joined to what is known of the subnet, where there is one; what more there are than ROUTES_MOST (a
 * router's full table) is not known. False: no such route. */
static bool judge_routed(const struct asked *asked, bool in, struct filter_answer *answer, struct arena *arena)
{
    unsigned looked = 0;
    for (size_t i = 0; i < asked->host->nroutes; i++) {
        const struct route *route = &asked->host->routes[i];
        if (route->family != (asked->v6 ? AF_INET6 : AF_INET) || !route->has_gateway || !route->prefix ||
            route->prefix > (asked->v6 ? 128 : 32) || !text_is(route->netdev, asked->netdev->name))
            continue;
        if (looked == ROUTES_MOST) {
            *answer = join(*answer, (struct filter_answer){ FILTER_UNKNOWN,
                                                            "more networks behind gateways than are looked at",
                                                            NULL, NULL });
            break;
        }
        struct range range = prefix_range(route->destination, route->prefix, asked->v6);
        struct filter_answer one = judge_range(asked, in, &range, false, arena);
        *answer = looked || asked->prefix ? join(*answer, one) : one;
        looked++;
    }
    return looked;
}

/* Any peer; when that depends on who it is, those of the same subnet, where there is one, and of networks
 * that routes name. */
static struct way judge_way(const struct asked *asked, bool in, struct arena *arena)
{
    const struct range *hosts = asked->v6 ? v6_hosts : v4_hosts;
    struct way way = { 0 };
    struct filter_answer any = judge_range(asked, in, &hosts[0], false, arena);
    any = join(any, judge_range(asked, in, &hosts[1], false, arena));
    way.elsewhere = any.where;
    if (!asked->prefix) {
        way.answer = any;
        way.narrow = any.result == FILTER_UNKNOWN && judge_routed(asked, in, &way.answer, arena) &&
                     way.answer.result != FILTER_UNKNOWN;
        return way;
    }
    struct range subnet = prefix_range(asked->own, asked->prefix, asked->v6);
    way.answer = judge_range(asked, in, &subnet, true, arena);
    if (!gid_is_routable(asked->gid->raw))
        return way;
    if (way.answer.result == FILTER_ACCEPTS && any.result != FILTER_ACCEPTS)
        judge_routed(asked, in, &way.answer, arena);
    way.narrow = any.result != way.answer.result;
    return way;
}

/* ---- what to do about it */

static bool is_iptables(const struct nft_chain *base)
{
    static const char *const tables[] = { "filter", "mangle", "nat", "raw", "security" };
    static const char *const chains[] = { "INPUT", "OUTPUT", "PREROUTING", "POSTROUTING" };
    bool table = false, chain = false;
    for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
        table |= strcmp(base->table, tables[i]) == 0;
    for (size_t i = 0; i < ARRAY_SIZE(chains); i++)
        chain |= strcmp(base->name, chains[i]) == 0;
    return table && chain && (base->family == NFPROTO_IPV4 || base->family == NFPROTO_IPV6);
}

static bool has_chain(const struct ruleset *ruleset, const struct nft_chain *base, const char *name)
{
    return ruleset_chain(ruleset, base->family, base->table, name);
}

static void fix_firewalld(struct judgement *j, const char *zone, bool in)
{
    if (!in)
        judge_advice(
            j,
            "firewall-cmd --permanent --policy=POLICY --add-port=4791/udp && firewall-cmd --reload, of the policy whose ingress zone is HOST (firewall-cmd --list-all-policies)");
    else if (zone)
        judge_advice(j, "firewall-cmd --permanent --zone=%s --add-port=4791/udp && firewall-cmd --reload",
                     zone);
    else
        judge_advice(
            j,
            "firewall-cmd --permanent --zone=ZONE --add-port=4791/udp && firewall-cmd --reload, of the netdev's zone (firewall-cmd --get-active-zones)");
}

/* Whoever wrote the rules is told to: what is changed behind his back he puts back. */
static void fix_firewall(struct judgement *j, const struct system *system, const struct filter_answer *answer,
                         bool in)
{
    const struct nft_chain *base = answer->base;
    const struct ruleset *ruleset = &system->firewall.ruleset;
    bool v6 = base->family == NFPROTO_IPV6, redhat = system_distribution(system) == DISTRIBUTION_REDHAT;
    if (strcmp(base->table, "firewalld") == 0 || has_chain(ruleset, base, "INPUT_ZONES"))
        fix_firewalld(j, answer->zone, in);
    else if (has_chain(ruleset, base, v6 ? "ufw6-user-input" : "ufw-user-input"))
        judge_advice(j, "ufw allow %s4791/udp", in ? "" : "out ");
    else if (is_iptables(base))
        judge_advice(j, "%s -t %s -I %s -p udp --dport 4791 -j ACCEPT; for every boot: %s",
                     v6 ? "ip6tables" : "iptables", base->table, base->name,
                     redhat ? "service iptables save" : "netfilter-persistent save");
    else
        judge_advice(j, "nft insert rule %s %s %s udp dport 4791 accept; for every boot: the same in %s",
                     nft_family_text(base->family), base->table, base->name,
                     redhat ? "/etc/sysconfig/nftables.conf" : "/etc/nftables.conf");
}

/* ---- the verdict */

struct summary {
    size_t looked;
    const char *passes;                /* "10.0.0.1, 2001:db8::1" */
    const char *elsewhere, *undecided; /* the first of each */
    bool v4, v6;
};

static const char *direction_text(bool in)
{
    return in ? "to" : "from";
}

/* FAIL when the address is shut off. */
static enum verdict judge_address(const struct asked *asked, struct judgement *j, struct summary *summary)
{
    char text[GID_ADDRESS_SIZE];
    gid_address(asked->gid->raw, text);
    *(asked->v6 ? &summary->v6 : &summary->v4) = true;
    for (int in = 1; in >= 0; in--) {
        struct way way = judge_way(asked, in, j->arena);
        if (way.answer.result == FILTER_DROPS) {
            fix_firewall(j, &asked->host->system, &way.answer, in);
            return judge_fail(j, "nftables drops RoCE packets %s %s on %s%s: %s", direction_text(in), text,
                              asked->netdev->name, way.narrow ? ", of the peers that routes lead to" : "",
                              way.answer.where);
        }
        if (way.answer.result == FILTER_UNKNOWN && !summary->undecided)
            summary->undecided = arena_printf(j->arena, "could not decide about RoCE packets %s %s on %s: %s",
                                              direction_text(in), text, asked->netdev->name,
                                              way.answer.where ? way.answer.where : "?");
        if (way.answer.result == FILTER_ACCEPTS && way.narrow && !summary->elsewhere)
            summary->elsewhere = arena_printf(
                j->arena, "; others than the peers that routes from %s lead to may be refused: %s", text,
                way.elsewhere);
    }
    summary->looked++;
    summary->passes = summary->passes ? arena_printf(j->arena, "%s, %s", summary->passes, text)
                                      : arena_strdup(j->arena, text);
    return VERDICT_PASS;
}

static enum verdict judge_addresses(const struct subject *s, struct judgement *j, struct summary *summary)
{
    struct asked asked;
    bool routable = port_first_routable(s->port);
    for (size_t i = 0; i < s->port->ngids; i++) {
        const struct gid *gid = &s->port->gids[i];
        if (gid->type == GID_TYPE_IB_ROCE_V1 || gid_is_zero(gid->raw) ||
            (routable && !gid_is_routable(gid->raw)) || !ask_about(&asked, s, gid))
            continue;
        if (summary->looked == ADDRESSES_MOST) {
            summary->undecided = "more addresses than roce judges";
            break;
        }
        enum verdict verdict = judge_address(&asked, j, summary);
        if (verdict != VERDICT_PASS)
            return verdict;
    }
    return VERDICT_PASS;
}

/* Tables that iptables-legacy made, of a family that counts. */
static const char *legacy_of(const struct firewall *firewall, const struct summary *summary)
{
    return summary->v4 && firewall->legacy    ? firewall->legacy
           : summary->v6 && firewall->legacy6 ? firewall->legacy6
                                              : NULL;
}

static enum verdict judge_firewall(const struct subject *s, struct judgement *j)
{
    const struct firewall *firewall = &s->host->system.firewall;
    struct summary summary = { 0 };
    if (!device_is_rxe(s->device))
        return judge_na(j, "not soft-RoCE: RoCE hardware bypasses the firewall");
    if (!s->netdev)
        return judge_unknown(
            j, "its netdev is not in this network namespace, nor is the firewall that it passes");
    /* what a kernel without nftables says, depending on which of its modules is loaded */
    bool none = firewall->err == EOPNOTSUPP || firewall->err == EINVAL || firewall->err == EPROTONOSUPPORT;
    if (!firewall->asked || (firewall->err && !none))
        return judge_unknown(j, "netlink nftables %s: %s", firewall->missing ? firewall->missing : "GETRULE",
                             firewall->err ? say_errno(firewall->err) : "not asked");
    enum verdict verdict = judge_addresses(s, j, &summary);
    if (verdict != VERDICT_PASS)
        return verdict;
    if (!summary.looked)
        return judge_na(j, "the port has no RoCE v2 address");
    const char *legacy = legacy_of(firewall, &summary);
    if (legacy) {
        judge_advice(
            j, "look at iptables-legacy-save and ip6tables-legacy-save: UDP port 4791 has to be accepted");
        return judge_unknown(
            j, "/proc/net/ip%s_tables_names: %s: tables of iptables-legacy, which nftables doesn't show",
            legacy == firewall->legacy ? "" : "6", legacy);
    }
    if (summary.undecided)
        return judge_unknown(j, "%s", summary.undecided);
    if (none)
        return judge_pass(j, "nftables is not loaded");
    if (!firewall->ruleset.nchains)
        return judge_pass(j, "nftables has no chains");
    return judge_pass(j, "nftables accepts RoCE packets to and from %s%s", summary.passes,
                      summary.elsewhere ? summary.elsewhere : "");
}

const struct check checks_firewall[] = {
    { "firewall-4791", .healthy = "the firewall lets soft-RoCE packets in and out",
      .why = "Soft-RoCE uses UDP port 4791 of the kernel: hosts ping each other and connections are made, but no data passes; a drop on the way out even hangs the sender.",
      .fix = "allow UDP port 4791", .fires_on = "fault-firewall", .scope = SCOPE_PORT,
      .needs = PORTS | NEED_SYSTEM | NEED_PCI | NEED_ROUTES, .judge = judge_firewall },
    { 0 },
};
