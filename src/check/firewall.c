/* SPDX-License-Identifier: MIT */
/* Who else may get what is sent to RoCE's UDP port: a firewall that drops it, a program that is given the port.
 */
#include "check/judge.h"

/* What a chain does to the port's packets on one IP version, and the rule responsible; NULL if it is the
 * policy. */
enum way { WAY_OPEN, WAY_UNDECIDED, WAY_SHUT };
struct answer {
    enum way way;
    const struct firewall_chain *chain;
    const struct firewall_rule *rule;
};

static struct answer judge_chain(const struct firewall *firewall, const struct firewall_chain *chain, bool v6)
{
    bool certain = chain->certain && !firewall->dormant;
    const struct firewall_rule *passes = NULL, *drops = NULL; /* the first rule that may */
    for (size_t i = 0; i < chain->nrules; i++) {
        const struct firewall_rule *rule = &chain->rules[i];
        bool always = rule->matches[v6] == FIREWALL_ALWAYS;
        if (rule->matches[v6] == FIREWALL_NEVER || rule->does == FIREWALL_NOTHING)
            continue;
        if (rule->does == FIREWALL_DROPS && always && !passes && certain)
            return (struct answer){ WAY_SHUT, chain, rule };
        if (!drops && rule->does != FIREWALL_ACCEPTS &&
            (rule->does != FIREWALL_JUMPS || firewall->jumps_may_drop[v6]))
            drops = rule;
        if (!passes && rule->does != FIREWALL_DROPS)
            passes = rule;
        if (always && (rule->does == FIREWALL_ACCEPTS || rule->does == FIREWALL_DROPS))
            return (struct answer){ drops ? WAY_UNDECIDED : WAY_OPEN, chain, drops };
    }
    if (chain->drops)
        return (struct answer){ passes || !certain ? WAY_UNDECIDED : WAY_SHUT, chain, passes };
    return (struct answer){ drops ? WAY_UNDECIDED : WAY_OPEN, chain, drops };
}

/* The worst of the chains. */
static struct answer judge_chains(const struct firewall *firewall, bool v6)
{
    struct answer worst = { WAY_OPEN, NULL, NULL };
    for (size_t i = 0; i < firewall->nchains; i++)
        if (firewall->chains[i].sees[v6]) {
            struct answer answer = judge_chain(firewall, &firewall->chains[i], v6);
            worst = answer.way > worst.way ? answer : worst;
        }
    return worst;
}

/* On which IP versions does the port have addresses that applications use? */
static void find_versions(const struct port *port, bool has[static 2])
{
    bool routable = port_first_routable(port);
    for (size_t i = 0; i < port->ngids; i++) {
        const struct gid *gid = &port->gids[i];
        if (gid->type != GID_TYPE_IB_ROCE_V1 && !gid_is_zero(gid->raw) &&
            (!routable || gid_is_routable(gid->raw)))
            has[!gid_is_v4_mapped(gid->raw)] = true;
    }
}

static enum verdict judge_answer(struct judgement *j, const struct answer *answer, const char *version)
{
    static const char kept[] = "for every boot: the same where the ruleset is kept, as in /etc/nftables.conf";
    const char *place = answer->chain->name;
    const char *what = arena_printf(j->arena, "policy drop of chain %s", place);
    if (answer->rule) {
        place = arena_printf(j->arena, "%s handle %llu", place, (unsigned long long)answer->rule->handle);
        what = arena_printf(j->arena, "rule %s", place);
    }
    if (answer->way == WAY_UNDECIDED)
        return judge_unknown(
            j, "could not decide what nftables does to RoCE packets over %s (%s): roce ping proves it", version,
            what);
    if (answer->rule)
        judge_advice(j, "nft delete rule %s; %s", place, kept);
    else
        judge_advice(j, "nft add rule %s udp dport 4791 accept; %s", place, kept);
    return judge_fail(j, "nftables drops RoCE packets over %s: %s", version, what);
}

JUDGE(firewall_4791)
{
    const struct firewall *firewall = &s->system->firewall;
    if (!device_is_rxe(s->device))
        return judge_na(j, "not soft-RoCE: RoCE hardware bypasses the firewall");
    if (!s->netdev)
        return judge_unknown(j,
                             "its netdev is not in this network namespace, nor is the firewall that it passes");
    /* errors of a kernel without nftables, depending on which of its modules is loaded */
    bool none = firewall->err == EOPNOTSUPP || firewall->err == EINVAL || firewall->err == EPROTONOSUPPORT;
    if (!firewall->asked || (firewall->err && !none))
        return judge_unknown(j, "netlink nftables %s: %s", firewall->missing ? firewall->missing : "GETRULE",
                             firewall->err ? judge_errno(j, firewall->err) : "not asked");
    bool has[2] = { false };
    find_versions(s->port, has);
    struct answer v4 = has[0] ? judge_chains(firewall, false) : (struct answer){ 0 };
    struct answer v6 = has[1] ? judge_chains(firewall, true) : (struct answer){ 0 };
    if (!has[0] && !has[1])
        return judge_na(j, "the port has no RoCE v2 address");
    const char *legacy = has[0] && firewall->legacy ? firewall->legacy : has[1] ? firewall->legacy6 : NULL;
    if (legacy && v4.way != WAY_SHUT && v6.way != WAY_SHUT)
        return judge_unknown(
            j, "/proc/net/ip%s_tables_names: %s: tables of iptables-legacy, which nftables doesn't show",
            legacy == firewall->legacy ? "" : "6", legacy);
    if (v4.way || v6.way)
        return v6.way > v4.way ? judge_answer(j, &v6, "IPv6") : judge_answer(j, &v4, "IPv4");
    return judge_pass(j, "nftables %s",
                      none                ? "is not loaded"
                      : firewall->nchains ? "drops no RoCE packets"
                                          : "has no chains");
}

enum { ROCE_PORT = 4791 };

/* "4791,8080-8090" */
static bool port_listed(const char *list, unsigned port)
{
    const char *item;
    for (size_t len; (item = text_next_item(&list, ',', &len));) {
        unsigned first, last;
        int n = sscanf(item, "%u-%u", &first, &last);
        if (n >= 1 && port >= first && port <= (n == 2 ? last : first))
            return true;
    }
    return false;
}

JUDGE(udp_port_4791)
{
    unsigned first, last;
    bool roce = false;
    for (const struct port *port = NULL; (port = host_next_port(s->host, port));)
        roce |= port_is_roce(port);
    if (!roce)
        return judge_na(j, "no RoCE port");
    const char *range = system_sysctl(s->system, "net/ipv4/ip_local_port_range");
    if (!range || sscanf(range, "%u %u", &first, &last) != 2)
        return judge_unknown(j, "/proc/sys/net/ipv4/ip_local_port_range could not be read");
    const char *reserved = system_sysctl(s->system, "net/ipv4/ip_local_reserved_ports");
    if (first > ROCE_PORT || last < ROCE_PORT)
        return judge_pass(j, "net.ipv4.ip_local_port_range: %u to %u, without 4791", first, last);
    if (port_listed(reserved, ROCE_PORT))
        return judge_pass(j, "net.ipv4.ip_local_reserved_ports: %s", reserved);
    fix_sysctl(j, "net.ipv4.ip_local_reserved_ports",
               reserved && *reserved ? arena_printf(j->arena, "%s,4791", reserved) : "4791");
    return judge_warn(j, "net.ipv4.ip_local_port_range: %u to %u, and 4791 is not reserved", first, last);
}
