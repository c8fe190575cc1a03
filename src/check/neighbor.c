/* SPDX-License-Identifier: MIT */
/* The other end of the cable, by what it says of itself (LLDP, DCBX): does it agree with this one? */
#include "check/judge.h"
#include "check/rail.h"

#include "model/statistics.h"

enum {
    IPV4_OVERHEAD = 78,
    IPV6_OVERHEAD = 98,
    FRAME_HEADER = 14
}; /* RoCE v2's headers around a payload; Ethernet's */

/* What could only be known by listening, or if the switch said so, is nothing that a gate must have. */
static enum verdict not_told(struct judgement *j, const char *why)
{
    j->by_choice = true;
    return judge_unknown(j, "%s", why);
}

static const struct netdev *cabled_of(const struct subject *s)
{
    return netdev_cabled(s->host, s->netdev);
}

PRECONDITION(no_cable)
{
    const struct netdev *cabled = port_does_roce(s) ? cabled_of(s) : NULL;
    if (cabled && netdev_has_cable(cabled))
        return VERDICTS;
    bool is_untold = cabled && cabled->kind == NETDEV_OTHER && !device_is_soft(s->device);
    return is_untold ? not_told(j, arena_printf(j->arena, "what %s is could not be read", cabled->name))
                     : judge_na(j, "not a RoCE port with a cable here");
}

/* neighbor-pfc says why. */
static enum verdict not_known(const struct netdev *cabled, struct judgement *j)
{
    return judge_na(j, "what is at the other end of %s isn't known: see neighbor-pfc", cabled->name);
}

PRECONDITION(no_neighbor)
{
    const struct netdev *cabled = cabled_of(s);
    return netdev_neighbor(cabled) ? VERDICTS : not_known(cabled, j);
}

/* -- flow control ----------------------------------------------------------------------------------------- */

/* Did packets of one of these priorities drop in the interval? */
static bool drops_on(const struct subject *s, uint8_t priorities)
{
    const struct readings readings = s->before ? qos_twice(s) : (struct readings){ 0 };
    for (const struct qos_statistic *is = NULL;
         readings.now && (is = qos_next_in_role(readings.now, ROLES_OF(ROLE_PRIORITY_DROP), is));) {
        const struct qos_statistic *was = qos_statistic(readings.before, is->name);
        if (was && is->priority < PRIORITIES && priorities >> is->priority & 1 && grown(was->value, is->value))
            return true;
    }
    return false;
}

static const char *peer_text(struct judgement *j, const struct lldp_neighbor *neighbor,
                             const struct netdev *cabled)
{
    return neighbor ? lldp_text(j->arena, neighbor)
                    : arena_printf(j->arena, "the other end of %s (dcbnl)", cabled->name);
}

JUDGE(neighbor_pfc)
{
    const struct netdev *cabled = cabled_of(s);
    const struct lldp_neighbor *neighbor = netdev_neighbor(cabled);
    const struct qos_dcb *peer = netdev_peer_dcb(s->host, cabled);
    const char *absent = lldp_absence_text(s->host, cabled, j->arena);
    if (!neighbor && !peer)
        return absent
                   ? not_told(j, absent)
                   : judge_na(j, "several devices are at the other end of %s: see neighbor-one", cabled->name);
    if (!s->qos || s->qos->dcb_err || !s->qos->dcb.has_pfc)
        return judge_na(j, "what %s pauses isn't known: see lossless-configured", cabled->name);
    const char *name = peer_text(j, neighbor, cabled);
    if (!peer && neighbor->source == LLDP_ANSWERED)
        return not_told(
            j, arena_printf(j->arena, "systemd-networkd tells that %s is there, not its PFC: --listen", name));
    if (!peer || !peer->has_pfc)
        return not_told(j, arena_printf(j->arena, "%s sends no DCBX: its PFC isn't known", name));
    uint8_t here = s->qos->dcb.pfc_enabled, there = peer->pfc_enabled;
    const char *evidence = arena_printf(j->arena, "PFC here: %s; at %s: %s",
                                        qos_priorities_text(j->arena, here), name,
                                        qos_priorities_text(j->arena, there));
    if (here == there)
        return judge_pass(j, "%s", evidence);
    judge_advice(
        j,
        "decide on the priorities that are lossless, and set the same at both ends: at %s, or here with "
        "mlnx_qos or dcb pfc set dev {hardware}",
        name);
    bool drops = drops_on(s, here ^ there);
    return judge_as(j, drops ? VERDICT_FAIL : VERDICT_WARN, "%s%s", evidence,
                    drops ? "; and packets of that priority were dropped in the interval" : "");
}

/* What both ends have an entry for, of what RoCE may use: UDP port 4791, the DSCP that is in use, those that
 * are lossless here. */
struct mapping {
    const char *what; /* NULL: nothing */
    unsigned here, there;
};

static struct mapping dscp_mapping(const struct subject *s, struct judgement *j, const struct qos_app *theirs)
{
    unsigned tos;
    const char *source;
    bool mapped, in_use = tos_of(s->port, &tos, &source) && tos >> 2 == theirs->protocol;
    unsigned here = theirs->protocol < DSCPS ? qos_dscp_priority(s->qos, theirs->protocol, &mapped)
                                             : PRIORITIES;
    if (here >= PRIORITIES || !mapped || !(in_use || s->qos->dcb.pfc_enabled >> here & 1))
        return (struct mapping){ 0 };
    return (struct mapping){ arena_printf(j->arena, "DSCP %u", theirs->protocol), here, theirs->priority };
}

/* The first that differs, else the first. */
static struct mapping find_mapping(const struct subject *s, struct judgement *j, const struct qos_dcb *peer)
{
    struct mapping found = { 0 };
    unsigned here, there;
    if (qos_roce_priority(&s->qos->dcb, &here) && qos_roce_priority(peer, &there))
        found = (struct mapping){ "UDP port 4791", here, there };
    for (size_t i = 0; i < peer->napps && found.here == found.there && qos_trust(s->qos) == TRUST_DSCP; i++) {
        struct mapping one = { 0 };
        if (peer->apps[i].selector == QOS_APP_DSCP)
            one = dscp_mapping(s, j, &peer->apps[i]);
        found = one.what && (!found.what || one.here != one.there) ? one : found;
    }
    return found;
}

JUDGE(neighbor_priority)
{
    const struct netdev *cabled = cabled_of(s);
    const struct qos_dcb *peer = netdev_peer_dcb(s->host, cabled);
    if (!peer || !peer->apps_known || !s->qos || s->qos->dcb_err || !s->qos->dcb.apps_known)
        return judge_na(j, "one end of %s doesn't tell its priorities: see neighbor-pfc", cabled->name);
    const char *name = peer_text(j, netdev_neighbor(cabled), cabled);
    const struct mapping mapping = find_mapping(s, j, peer);
    if (!mapping.what)
        return judge_na(j, "no entry for RoCE that %s and %s both have", cabled->name, name);
    judge_advice(j, "map RoCE to the same priority at both ends: at %s, or here", name);
    return judge_as(j, mapping.here == mapping.there ? VERDICT_PASS : VERDICT_WARN,
                    "%s: priority %u here, %u at %s", mapping.what, mapping.here, mapping.there, name);
}

/* -- frames and bonds -------------------------------------------------------------------------------------- */

JUDGE(neighbor_mtu)
{
    const struct lldp_neighbor *neighbor = netdev_neighbor(cabled_of(s));
    const char *name = lldp_text(j->arena, neighbor);
    if (!neighbor->max_frame.known || !neighbor->max_frame.value || !s->netdev->mtu.known)
        return judge_na(j, "%s doesn't tell its largest frame", name);
    bool has_v4 = false;
    for (size_t i = 0; i < s->port->ngids; i++)
        has_v4 |= gid_is_routable(s->port->gids[i].raw) && gid_is_v4_mapped(s->port->gids[i].raw);
    uint64_t most = neighbor->max_frame.value, roce = s->port->roce_mtu.value;
    bool cuts = s->port->roce_mtu.known && most < roce + (has_v4 ? IPV4_OVERHEAD : IPV6_OVERHEAD);
    bool small = most < s->netdev->mtu.value + FRAME_HEADER;
    judge_advice(j, "raise the MTU of %s (9216 is usual), or lower {netdev}'s", name);
    return judge_as(j,
                    !small ? VERDICT_PASS
                    : cuts ? VERDICT_FAIL
                           : VERDICT_WARN,
                    "%s takes frames of %" PRIu64 " bytes; %s has MTU %" PRIu64 "%s", name, most,
                    s->netdev->name, s->netdev->mtu.value,
                    small && cuts ? arena_printf(j->arena, ", and RoCE sends %" PRIu64 " bytes a packet", roce)
                                  : "");
}

/* Another member on the same switch in another aggregation. */
static const struct netdev *member_apart(const struct host *host, const struct netdev *bond,
                                         const struct netdev *member, const struct lldp_neighbor *neighbor)
{
    for (size_t i = 0; i < bond->nmembers; i++) {
        const struct netdev *other = host_find_netdev(host, bond->members[i]);
        const struct lldp_neighbor *its = other && other != member ? netdev_neighbor(other) : NULL;
        if (its && text_is(its->chassis, neighbor->chassis) && its->aggregate.known &&
            neighbor->aggregate.known && its->aggregate.value != neighbor->aggregate.value)
            return other;
    }
    return NULL;
}

static bool has_lacp_partner(const struct bond *bond)
{
    return bond->ad_partner_mac && strspn(bond->ad_partner_mac, "0:") != strlen(bond->ad_partner_mac);
}

JUDGE(neighbor_lag)
{
    enum { LACP = 4 }; /* BOND_MODE_8023AD of linux/if_bonding.h */
    const struct netdev *cabled = cabled_of(s);
    const struct lldp_neighbor *neighbor = netdev_neighbor(cabled);
    const struct netdev *master = host_find_netdev(s->host, cabled->master);
    const struct bond *bond = master ? master->bond : NULL;
    const char *name = lldp_text(j->arena, neighbor);
    bool is_lacp = bond && num_is(bond->mode, LACP), is_set = bond || (master && master->kind == NETDEV_TEAM);
    if (neighbor->aggregated == TRI_UNKNOWN || (bond && !bond->mode.known) || (cabled->master && !master))
        return judge_na(j, "%s or this host doesn't tell about link aggregation", name);
    const struct netdev *apart = is_lacp ? member_apart(s->host, master, cabled, neighbor) : NULL;
    judge_advice(j,
                 is_set ? "put the ports of the bond's members into one LACP group at the switch: %s"
                        : "take %s out of its link aggregation, or bond the ports here",
                 name);
    if (apart)
        return judge_warn(j, "%s and %s are in one bond, and in two link aggregations at %s", cabled->name,
                          apart->name, lldp_system_name(neighbor));
    if (is_lacp && neighbor->aggregated == TRI_NO && !has_lacp_partner(bond))
        return judge_warn(j, "%s is in the 802.3ad bond %s, and %s in no link aggregation", cabled->name,
                          master->name, name);
    if (!is_set && neighbor->aggregated == TRI_YES && !lldp_is_host(neighbor))
        return judge_warn(j, "%s is in a link aggregation, and %s in no bond", name, cabled->name);
    return judge_pass(j, "%s: %s a link aggregation; %s: %s", name,
                      neighbor->aggregated == TRI_YES ? "in" : "not in", cabled->name,
                      is_set ? "in a bond" : "not in a bond");
}

/* -- who is there ------------------------------------------------------------------------------------------ */

JUDGE(neighbor_one)
{
    const struct netdev *cabled = cabled_of(s);
    if (!cabled->lldp.count)
        return not_known(cabled, j);
    const struct netdev_lldp *lldp = &cabled->lldp;
    const struct lldp_neighbor *first = &lldp->neighbors[0];
    const char *text = lldp_text(j->arena, first);
    bool differ = false;
    for (size_t i = 1; i < lldp->count; i++) {
        differ |= !text_is(lldp->neighbors[i].chassis, first->chassis);
        text = arena_printf(j->arena, "%s, %s", text, lldp_text(j->arena, &lldp->neighbors[i]));
    }
    judge_advice(
        j, "look at the cable: a hub, a bridge that forwards LLDP (group_fwd_mask), or a second LLDP agent in "
           "the device at the other end");
    if (differ)
        return judge_warn(j, "%zu devices answer on %s: %s", lldp->count, cabled->name, text);
    if (lldp->twin)
        return judge_warn(j, "%s and %s both hear the switch port %s", cabled->name, lldp->twin, text);
    return judge_as(j, lldp->count > 1 ? VERDICT_INFO : VERDICT_PASS, "%s: %s", cabled->name, text);
}

/* A rail is compared with ports of its kind: not with what leads to the outside or is bonded. */
static const struct lldp_neighbor *rail_neighbor(const struct host *host, const struct port *port)
{
    const struct netdev *netdev = port_netdev(host, port);
    if (!netdev || netdev->master || port_has_default_route(host, port) != TRI_NO)
        return NULL;
    return port_neighbor(host, port);
}

/* How a host's rails are cabled: the switches, and how many of its ports each has. */
struct cabling {
    const struct lldp_neighbor *switches[64];
    size_t ports[64];
    size_t count, nports, nhosts;
};

static void add_to(struct cabling *cabling, const struct lldp_neighbor *neighbor)
{
    size_t i = 0;
    cabling->nports++;
    cabling->nhosts += lldp_is_host(neighbor);
    while (i < cabling->count && !text_is(cabling->switches[i]->chassis, neighbor->chassis))
        i++;
    if (i == ARRAY_SIZE(cabling->switches))
        return;
    cabling->switches[i] = neighbor;
    cabling->count += i == cabling->count;
    cabling->ports[i]++;
}

static size_t ports_on(const struct cabling *cabling, const struct lldp_neighbor *neighbor)
{
    for (size_t i = 0; i < cabling->count; i++)
        if (text_is(cabling->switches[i]->chassis, neighbor->chassis))
            return cabling->ports[i];
    return 0;
}

JUDGE(neighbor_rails)
{
    enum { FEW = 4 };
    struct cabling cabling = { .count = 0 };
    const char *unread = NULL;
    const struct lldp_neighbor *own = netdev_neighbor(cabled_of(s));
    if (!s->host->routes_known)
        return not_told(j, "which ports lead to the outside isn't known: the routes could not be read");
    if (!rail_neighbor(s->host, s->port))
        return judge_na(j, "bonded, or the way to the outside: no rail to compare with others");
    add_to(&cabling, own);
    for (const struct port *port = NULL; (port = host_next_port(s->host, port));) {
        const struct lldp_neighbor *neighbor = port_is_active(port) ? rail_neighbor(s->host, port) : NULL;
        if (!neighbor)
            continue;
        if (!device_is_soft(port->device) && !device_board_is_known(s->host, port->device))
            unread = port->device->name;
        if (port != s->port && ports_are_alike(s->host, port, s->port) &&
            num_is(port->rate_mbps, s->port->rate_mbps.value))
            add_to(&cabling, neighbor);
    }
    const char *name = lldp_text(j->arena, own);
    size_t with = ports_on(&cabling, own);
    judge_advice(j,
                 "compare with the cable plan: another host's 'roce links --listen', or roce compare --cables");
    if (unread)
        return not_told(j, arena_printf(j->arena, "which board %s is could not be read", unread));
    if (cabling.nports < 2)
        return judge_na(j, "no other port of its kind has a known neighbor");
    if (lldp_is_host(own) && cabling.nhosts == 1 && cabling.nports > 2)
        return judge_warn(j, "%s is a host; its %zu siblings are cabled to switches", name, cabling.nports - 1);
    /* each has a switch of its own but two, which share one: one of these is in the wrong leaf */
    if (cabling.nports >= FEW && cabling.count == cabling.nports - 1 && with == 2)
        return judge_warn(j,
                          "%s: two of %zu ports are on this switch, and each of the others on one of its own",
                          name, cabling.nports);
    return judge_pass(j, "%s: %zu port%s on this switch, of %zu on %zu switch%s", name, with,
                      with == 1 ? "" : "s", cabling.nports, cabling.count, cabling.count == 1 ? "" : "es");
}

/* -- agents ------------------------------------------------------------------------------------------------ */

JUDGE(lldp_agents)
{
    const struct netdev *cabled = cabled_of(s);
    const char *how;
    enum tristate firmware = netdev_firmware_speaks(s->host, cabled, &how);
    if (firmware != TRI_YES && !cabled->driver && !device_is_soft(s->device))
        return not_told(j, arena_printf(j->arena, "the driver of %s could not be read", cabled->name));
    if (!s->host->lldp.agents_known || firmware == TRI_UNKNOWN)
        return judge_na(j, "whether the firmware of %s speaks LLDP, or a program here, isn't known",
                        cabled->name);
    bool sends = cabled->lldp.agent == LLDP_LLDPD || (cabled->lldp.agent == LLDP_OTHER && s->system->lldpad);
    const char *agent = cabled->lldp.agent == LLDP_LLDPD ? "lldpd" : "lldpad";
    if (firmware == TRI_YES && cabled->lldp.agent == LLDP_OTHER && !sends)
        return judge_unknown(j, "a program here hears LLDP on %s; whether it speaks, too, isn't known",
                             cabled->name);
    if (firmware == TRI_NO || !sends)
        return judge_pass(j, "%s: %s speaks LLDP", cabled->name,
                          firmware == TRI_YES ? "the firmware alone"
                          : sends             ? agent
                                              : "nobody here");
    bool stops_it = text_is(cabled->driver, "i40e") && cabled->lldp.agent == LLDP_LLDPD;
    if (text_is(cabled->driver, "ice"))
        judge_command(j, "ethtool --set-priv-flags %s fw-lldp-agent off", fix_name(j, cabled->name));
    else if (text_is(cabled->driver, "i40e"))
        judge_command(j, "ethtool --set-priv-flags %s disable-fw-lldp on", fix_name(j, cabled->name));
    else if (text_is(cabled->driver, "mlx5_core"))
        judge_advice(j,
                     "leave LLDP to one of them: mlnx_qos -i %s --dcbx os, and mlxconfig LLDP_NB_DCBX_P1=FALSE "
                     "LLDP_NB_TX_MODE_P1=0 (from the next start on), or stop %s there",
                     cabled->name, agent);
    /* lldpd from 1.0.11 on stops i40e's agent by itself, and the flag stays as it is */
    return judge_as(
        j, stops_it ? VERDICT_INFO : VERDICT_WARN,
        "%s and the firmware of %s both speak LLDP (%s): the switch sees two devices and may ignore DCBX",
        agent, cabled->name, how);
}
