/* SPDX-License-Identifier: MIT */
/* Flow control: PFC, and which priority traffic gets; congestion control. Software RoCE has no queues of its
 * own; its netdev's are judged all the same if it has any. */
#include "check/judge.h"

enum { USUAL_PRIORITY = 3 };

/* No settings below a RoCE port are known. */
PRECONDITION(no_qos)
{
    if (!port_does_roce(s) || !s->netdev)
        return judge_na(j, "not a RoCE port with a netdev here");
    if (s->qos && s->qos->dcb_err == 0)
        return VERDICTS;
    if (device_is_soft(s->device))
        return judge_na(j, "%s is software over a netdev without priorities", s->device->name);
    return judge_unknown(j, "dcbnl IEEE_GET of %s: %s", s->netdev->name,
                         s->qos ? judge_errno(j, s->qos->dcb_err) : "netlink did not answer");
}

enum verdict no_pfc(const struct subject *s, struct judgement *j)
{
    enum verdict verdict = no_qos(s, j);
    if (verdict != VERDICTS)
        return verdict;
    return s->qos->dcb.has_pfc && s->qos->dcb.pfc_enabled ? VERDICTS
                                                          : judge_na(j, "no PFC: see lossless-configured");
}

static void add_vlan(struct vlans *vlans, const struct netdev *vlan)
{
    for (size_t i = 0; i < vlans->count; i++)
        if (vlans->items[i] == vlan)
            return;
    if (vlan && vlans->count < ARRAY_SIZE(vlans->items))
        vlans->items[vlans->count++] = vlan;
}

struct vlans vlans_of(const struct subject *s)
{
    struct vlans vlans = { 0 };
    bool routable = false;
    for (size_t i = 0; i < s->port->ngids; i++)
        routable |= gid_is_routable(s->port->gids[i].raw);
    for (size_t i = 0; i < s->port->ngids; i++) {
        const struct gid *gid = &s->port->gids[i];
        const struct netdev *netdev = gid->netdev ? host_find_netdev(s->host, gid->netdev) : s->netdev;
        if (!routable || gid_is_routable(gid->raw))
            add_vlan(&vlans, netdev_vlan(s->host, netdev));
    }
    if (!s->port->ngids)
        add_vlan(&vlans, netdev_vlan(s->host, s->netdev));
    return vlans;
}

static struct qos_path follow_by(const struct qos *qos, unsigned tos, bool by_cm, const struct netdev *vlan)
{
    struct qos_path path = qos_follow(qos, tos, vlan);
    if (path.trust == TRUST_PCP && vlan && !by_cm) {
        path.trust = TRUST_UNKNOWN;
        path.loss = QOS_LOST_UNKNOWN;
        path.pfc = false;
    }
    return path;
}

/* Kept, unknown, lost. */
static unsigned badness(const struct qos_path *path)
{
    return path->loss == QOS_KEPT ? 0 : path->loss == QOS_LOST_UNKNOWN ? 1 : 2;
}

/* What becomes of a TOS on the VLAN where it fares worst; *vlan is NULL if the port has none. by_cm: an RDMA_CM
 * connection asks for it, otherwise an application or the driver, and then the PCP isn't known. */
static struct qos_path follow_tos(const struct subject *s, unsigned tos, bool by_cm, const struct netdev **vlan)
{
    struct vlans vlans = vlans_of(s);
    *vlan = vlans.count ? vlans.items[0] : NULL;
    struct qos_path worst = follow_by(s->qos, tos, by_cm, *vlan);
    for (size_t i = 1; i < vlans.count; i++) {
        struct qos_path path = follow_by(s->qos, tos, by_cm, vlans.items[i]);
        if (badness(&path) <= badness(&worst))
            continue;
        worst = path;
        *vlan = vlans.items[i];
    }
    return worst;
}

/* The priorities on which congestion control runs: mlx5 tells, other drivers have no file for it. */
static bool ecn_known(const struct netdev *netdev, uint8_t *bits)
{
    bool known = false;
    *bits = 0;
    for (unsigned i = 0; netdev && i < PRIORITIES; i++) {
        known |= netdev->ecn_enabled[i] != TRI_UNKNOWN;
        if (netdev->ecn_enabled[i] == TRI_YES && netdev->ecn_np[i] != TRI_NO)
            *bits |= (uint8_t)(1 << i);
    }
    return known;
}

bool tos_of(const struct port *port, unsigned *tos, const char **source)
{
    if (port->traffic_class.known) {
        *tos = (unsigned)port->traffic_class.value & 0xff;
        *source = "traffic_class";
        return true;
    }
    if (port->cm_tos.known && port->cm_tos.value) {
        *tos = (unsigned)port->cm_tos.value & 0xff;
        *source = "RDMA_CM's default TOS";
        return true;
    }
    return false;
}

/* The usual DSCP for a priority, 26 for 3: mlnx_qos --trust dscp maps a DSCP by its upper three bits. */
static unsigned usual_dscp(unsigned priority)
{
    return priority << 3 | 2;
}

static void fix_pfc(struct judgement *j, const struct subject *s, unsigned priority)
{
    char list[PRIORITIES * 2] = { 0 };
    for (unsigned i = 0; i < PRIORITIES; i++) {
        list[2 * i] = i == priority ? '1' : '0';
        list[2 * i + 1] = i + 1 < PRIORITIES ? ',' : '\0';
    }
    if (text_starts(device_family(s->device), "mlx5"))
        judge_command(j,
                      "mlnx_qos -i {hardware} --trust dscp --pfc %s # without mlnx_qos: dcb pfc set dev "
                      "{hardware} prio-pfc all:off %u:on. The same at the switch",
                      list, priority);
    else if (text_starts(device_family(s->device), "bnxt"))
        judge_command(j,
                      "dcb pfc set dev {hardware} prio-pfc all:off %u:on # with the firmware's LLDP agent off "
                      "(niccli); the same at the switch",
                      priority);
    else
        judge_command(j, "dcb pfc set dev {hardware} prio-pfc all:off %u:on # the same at the switch",
                      priority);
}

JUDGE(lossless_configured)
{
    uint8_t ecn;
    const struct netdev *hardware = hardware_of(s);
    bool known = ecn_known(hardware, &ecn) || device_is_soft(s->device); /* those have none */
    if (s->qos->dcb.has_pfc && s->qos->dcb.pfc_enabled)
        return judge_pass(j, "dcb of %s: PFC on priority %s", s->qos->netdev,
                          qos_priorities_text(j->arena, s->qos->dcb.pfc_enabled));
    if (hardware && ecn)
        return judge_pass(j, "/sys/class/net/%s/ecn: on for priority %s (no PFC: lossy RoCE)", hardware->name,
                          qos_priorities_text(j->arena, ecn));
    if (qos_has_global_pause(s->qos))
        return judge_pass(j, "ethtool -a %s: global pause is on, which stops all priorities alike",
                          s->qos->netdev);
    if (!s->qos->dcb.has_pfc)
        return judge_unknown(j, "dcb of %s says nothing about PFC", s->qos->netdev);
    if (!known)
        return judge_unknown(j, "dcb of %s: PFC on no priority; ECN: this driver doesn't say", s->qos->netdev);
    fix_pfc(j, s, USUAL_PRIORITY);
    return judge_warn(j, "dcb of %s: PFC on no priority; ECN: off for all priorities", s->qos->netdev);
}

JUDGE(pfc_one_priority)
{
    int count = __builtin_popcount(s->qos->dcb.pfc_enabled);
    /* which of them RoCE uses isn't known here; one that is off isn't one of them */
    bool usual = s->qos->dcb.pfc_enabled & 1u << USUAL_PRIORITY;
    fix_pfc(j, s, usual ? USUAL_PRIORITY : (unsigned)__builtin_ctz(s->qos->dcb.pfc_enabled));
    /* two are mostly intended: one for storage, one for the rest */
    return judge_as(j,
                    count == 1   ? VERDICT_PASS
                    : count == 2 ? VERDICT_INFO
                                 : VERDICT_WARN,
                    "dcb of %s: PFC on priority %s", s->qos->netdev,
                    qos_priorities_text(j->arena, s->qos->dcb.pfc_enabled));
}

/* A DSCP that maps to the priority, the usual one if it does. */
static bool dscp_to(const struct qos *qos, unsigned priority, unsigned *dscp)
{
    bool mapped;
    *dscp = usual_dscp(priority);
    if (qos_trust(qos) != TRUST_DSCP)
        return false;
    if (qos_dscp_priority(qos, *dscp, &mapped) == priority && mapped)
        return true;
    for (unsigned other = 0; other < DSCPS; other++)
        if (qos_dscp_priority(qos, other, &mapped) == priority && mapped) {
            *dscp = other;
            return true;
        }
    return false;
}

/* The TOS doesn't map to a priority with PFC: change the map or the TOS. */
static void fix_tos(struct judgement *j, const struct subject *s, const struct qos_path *path,
                    const struct netdev *vlan)
{
    unsigned priority = (unsigned)__builtin_ctz(s->qos->dcb.pfc_enabled);
    bool mlx5 = text_starts(device_family(s->device), "mlx5");
    const struct netdev *real = vlan && vlan->classes ? netdev_vlan_real(s->host, vlan) : NULL;
    if (path->trust == TRUST_PCP && real)
        judge_advice(j,
                     "tc qdisc show dev %s # the map of its %s decides, not %s's: set it again with priority "
                     "%u in class %u",
                     fix_name(j, real->name), vlan->classes->by, fix_name(j, vlan->name), path->skb_priority,
                     priority);
    else if (path->trust == TRUST_PCP && vlan)
        judge_command(
            j, "ip link set dev %s type vlan egress %u:%u # packets of the kernel's priority %u get PCP %u",
            fix_name(j, vlan->name), path->skb_priority, priority, path->skb_priority, priority);
    else if (path->loss == QOS_LOST_TRUST || path->loss == QOS_LOST_MAP)
        judge_command(j, "%s%s%sdcb app add dev {hardware} dscp-prio %u:%u # the same at the switch",
                      mlx5 ? "mlnx_qos -i " : "", mlx5 ? "{hardware}" : "", mlx5 ? " --trust dscp; " : "",
                      path->dscp, priority);
    else
        fix_pfc(j, s, path->priority);
}

/* Does traffic with this TOS end up on a priority with PFC? */
static enum verdict judge_tos(const struct subject *s, struct judgement *j, unsigned tos, const char *source,
                              bool by_cm)
{
    const struct netdev *vlan;
    enum verdict verdict = no_pfc(s, j);
    if (verdict != VERDICTS)
        return verdict;
    struct qos_path path = follow_tos(s, tos, by_cm, &vlan);
    const char *lossless = qos_priorities_text(j->arena, s->qos->dcb.pfc_enabled);
    const char *head = arena_printf(j->arena, "%s %u (DSCP %u)", source, tos, path.dscp);
    if (path.trust == TRUST_UNKNOWN && qos_trust(s->qos) == TRUST_PCP && vlan)
        return judge_unknown(j, "%s: %s trusts PCP, and which one %s has is %s; PFC is on priority %s", head,
                             s->qos->netdev, vlan->name,
                             by_cm ? "not known" : "the application's service level (NCCL_IB_SL, UCX_IB_SL)",
                             lossless);
    if (path.loss == QOS_LOST_UNKNOWN)
        return judge_unknown(j, "%s: trust isn't known; PFC is on priority %s", head, lossless);
    const char *pcp = path.trust == TRUST_PCP && vlan
                          ? arena_printf(j->arena, "PCP %" PRIu64 " by %s, ", path.pcp.value, vlan->name)
                          : "";
    const char *evidence = arena_printf(j->arena, "%s: %spriority %u, PFC is on priority %s", head, pcp,
                                        path.priority, lossless);
    if (path.pfc)
        return judge_pass(j, "%s", evidence);
    fix_tos(j, s, &path, vlan);
    return judge_fail(j, "%s%s", evidence,
                      path.loss == QOS_LOST_TRUST ? "; the netdev trusts PCP, and the frames have no tag"
                      : path.loss == QOS_LOST_MAP ? "; no entry maps that DSCP"
                                                  : "");
}

JUDGE(traffic_class_priority)
{
    if (!s->port->traffic_class.known)
        return judge_na(j, "no traffic_class is forced");
    return judge_tos(s, j, (unsigned)s->port->traffic_class.value & 0xff, "traffic_class", false);
}

/* A default TOS of 0 maps to no PFC priority: give RDMA_CM one that does. ECT(0) with the DSCP: congestion
 * control marks such packets instead of dropping them. */
static void fix_cm_tos(struct judgement *j, const struct subject *s)
{
    unsigned dscp, priority = (unsigned)__builtin_ctz(s->qos->dcb.pfc_enabled);
    const char *map = "";
    if (!dscp_to(s->qos, priority, &dscp))
        map = text_starts(device_family(s->device), "mlx5") && qos_trust(s->qos) == TRUST_PCP
                  ? "mlnx_qos -i {hardware} --trust dscp; "
                  : arena_printf(j->arena, "dcb app add dev {hardware} dscp-prio %u:%u; ", dscp, priority);
    judge_command(j, "%sroce mode tos {device}/%u %u # DSCP %u, priority %u", map, s->port->number,
                  dscp << 2 | 2, dscp, priority);
}

/* Does anybody have an RDMA_CM connection or listener on the port? One that listens on any address has one on
 * every port. */
static bool uses_rdma_cm(const struct subject *s)
{
    const struct resources *resources = s->host->resources;
    for (size_t i = 0; resources && i < resources->nitems; i++)
        if (resources->items[i].type == RESOURCE_CM_ID && text_is(resources->items[i].device, s->device->name))
            return true;
    return false;
}

JUDGE(cm_tos_priority)
{
    if (!port_is_roce(s->port) || !port_carries_traffic(s) || !s->port->ngids)
        return judge_na(j, "not a RoCE port with GIDs");
    if (s->port->traffic_class.known)
        return judge_na(j, "the port's traffic_class overrides it: see traffic-class-priority");
    if (!s->port->cm_tos.known)
        return judge_unknown(j, "configfs rdma_cm/%s/ports/%u/default_roce_tos: %s", s->device->name,
                             s->port->number, s->port->cm_err ? judge_errno(j, s->port->cm_err) : "not read");
    enum verdict verdict = judge_tos(s, j, (unsigned)s->port->cm_tos.value & 0xff, "RDMA_CM's default TOS",
                                     true);
    bool by_tag = s->qos && qos_trust(s->qos) == TRUST_PCP && vlans_of(s).count;
    if (verdict == VERDICT_FAIL && s->qos && !by_tag && s->port->cm_tos.value == 0)
        fix_cm_tos(j, s);
    if (verdict != VERDICT_FAIL)
        return verdict;
    /* NCCL sets its own class, and never connects through RDMA_CM */
    return uses_rdma_cm(s) ? VERDICT_WARN : VERDICT_INFO;
}

JUDGE(trust_untagged)
{
    uint8_t beside_default = (uint8_t)(s->qos->dcb.pfc_enabled & ~(1u << qos_default_priority(s->qos)));
    if (!s->qos->dcb.has_pfc || !beside_default)
        return judge_na(j, "no PFC on any priority but the default one");
    enum qos_trust trust = qos_trust(s->qos);
    struct vlans vlans = vlans_of(s);
    if (trust == TRUST_UNKNOWN)
        return judge_unknown(j, "dcb of %s reports neither trust nor a DSCP map", s->qos->netdev);
    if (trust == TRUST_DSCP)
        return judge_pass(j, "%s trusts dscp", s->qos->netdev);
    if (vlans.count)
        return judge_pass(j, "%s trusts pcp, and %s tags its frames", s->qos->netdev, vlans.items[0]->name);
    unsigned priority = (unsigned)__builtin_ctz(beside_default);
    if (text_starts(device_family(s->device), "mlx5"))
        judge_command(j,
                      "mlnx_qos -i {hardware} --trust dscp # without mlnx_qos: dcb app add dev {hardware} "
                      "dscp-prio %u:%u",
                      usual_dscp(priority), priority);
    else
        judge_command(j, "dcb app add dev {hardware} dscp-prio %u:%u%s", usual_dscp(priority), priority,
                      s->qos->dcb.has_trust_order ? "; dcb apptrust set dev {hardware} order dscp pcp" : "");
    return judge_warn(j, "%s trusts pcp, %s sends untagged frames: all are priority %u, PFC is on %s",
                      s->qos->netdev, s->netdev->name, qos_default_priority(s->qos),
                      qos_priorities_text(j->arena, s->qos->dcb.pfc_enabled));
}

JUDGE(pause_with_pfc)
{
    bool on = s->qos->ethtool.pause_rx == TRI_YES || s->qos->ethtool.pause_tx == TRI_YES;
    if (s->qos->ethtool.pause_rx == TRI_UNKNOWN && s->qos->ethtool.pause_tx == TRI_UNKNOWN)
        return judge_unknown(j, "ethtool PAUSE_GET of %s did not answer", s->qos->netdev);
    judge_interrupting(j, "ethtool -A {hardware} rx off tx off");
    return judge_as(j, on ? VERDICT_WARN : VERDICT_PASS, "%s: pause rx %s, tx %s; PFC on priority %s",
                    s->qos->netdev, s->qos->ethtool.pause_rx == TRI_YES ? "on" : "off",
                    s->qos->ethtool.pause_tx == TRI_YES ? "on" : "off",
                    qos_priorities_text(j->arena, s->qos->dcb.pfc_enabled));
}

JUDGE(pfc_buffers)
{
    if (!s->qos->dcb.has_buffer)
        return judge_na(j, "%s doesn't report its buffers", s->qos->netdev);
    for (unsigned lossless = 0; lossless < PRIORITIES; lossless++) {
        unsigned buffer = s->qos->dcb.priority_buffer[lossless];
        if (!(s->qos->dcb.pfc_enabled >> lossless & 1) || buffer >= PRIORITIES)
            continue;
        if (s->qos->dcb.buffer_size[buffer] == 0) {
            judge_command(j,
                          "dcb buffer set dev {hardware} prio-buffer %u:1 buffer-size 1:{SIZE} # SIZE: "
                          "bytes, of buffer 0's; on mlx5 also mlnx_qos --prio2buffer and --buffer_size",
                          lossless);
            return judge_fail(j, "dcb of %s: priority %u has PFC, its buffer %u has 0 bytes", s->qos->netdev,
                              lossless, buffer);
        }
        for (unsigned lossy = 0; lossy < PRIORITIES; lossy++) {
            if (s->qos->dcb.pfc_enabled >> lossy & 1 || s->qos->dcb.priority_buffer[lossy] != buffer)
                continue;
            judge_command(
                j, "dcb buffer set dev {hardware} prio-buffer %u:%u # a buffer of its own, which needs a size",
                lossless, buffer ? 0 : 1);
            return judge_warn(j, "dcb of %s: priority %u (PFC) and %u (none) share buffer %u", s->qos->netdev,
                              lossless, lossy, buffer);
        }
    }
    return judge_pass(j, "dcb of %s: priorities with PFC have buffers of their own", s->qos->netdev);
}

JUDGE(ecn_priority)
{
    unsigned tos;
    const char *source;
    uint8_t ecn;
    const struct netdev *netdev = hardware_of(s);
    if (!port_does_roce(s) || !netdev)
        return judge_na(j, "not a RoCE port with a netdev here");
    if (device_is_soft(s->device))
        return judge_na(j, "software RoCE has no congestion control");
    if (!ecn_known(netdev, &ecn))
        return judge_unknown(j,
                             "/sys/class/net/%s/ecn doesn't exist: the driver doesn't say on which priorities "
                             "congestion control runs",
                             netdev->name);
    unsigned priority = USUAL_PRIORITY;
    const struct netdev *vlan;
    struct qos_path path = { 0 };
    if (tos_of(s->port, &tos, &source))
        path = follow_tos(s, tos, !s->port->traffic_class.known, &vlan);
    if (path.trust != TRUST_UNKNOWN)
        priority = path.priority;
    else if (s->qos && s->qos->dcb_err == 0 && s->qos->dcb.has_pfc && s->qos->dcb.pfc_enabled)
        priority = (unsigned)__builtin_ctz(s->qos->dcb.pfc_enabled);
    else if (ecn)
        return judge_pass(j, "/sys/class/net/%s/ecn: on for priority %s (which one RoCE uses isn't known)",
                          netdev->name, qos_priorities_text(j->arena, ecn));
    const char *name = fix_name(j, netdev->name);
    judge_command(j,
                  "echo 1 >/sys/class/net/%s/ecn/roce_np/enable/%u; echo 1 "
                  ">/sys/class/net/%s/ecn/roce_rp/enable/%u # and ECN marking at the switch",
                  name, priority, name, priority);
    return judge_as(j, ecn >> priority & 1 ? VERDICT_PASS : VERDICT_WARN,
                    "/sys/class/net/%s/ecn: on for priority %s; RoCE uses %u", netdev->name,
                    qos_priorities_text(j->arena, ecn), priority);
}

JUDGE(dcbx_owner)
{
    if (!s->qos->dcb.dcbx.known)
        return judge_unknown(j, "dcbnl GDCBX of %s did not answer", s->qos->netdev);
    uint64_t mode = s->qos->dcb.dcbx.value;
    /* With lldpad, an owner like any other, the host's settings are lldpad's, unless somebody overrides them,
     * which nothing shows. Without it, nothing here receives the settings that willing promises to accept. */
    bool fights = mode & DCBX_HOST && (mode & DCBX_LLD_MANAGED || (s->qos->dcb.willing && !s->system->lldpad));
    if (text_starts(device_family(s->device), "mlx5"))
        judge_command(j, "mlnx_qos -i {hardware} --dcbx os # or --dcbx fw, and set nothing here");
    else
        judge_command(j, "dcb dcbx set dev {hardware} host ieee && dcb ets set dev {hardware} willing off # or "
                         "leave all to the switch, and set nothing here");
    return judge_as(j, fights ? VERDICT_WARN : VERDICT_PASS,
                    "dcb of %s: DCBX 0x%02" PRIx64 "%s%s, willing %u%s", s->qos->netdev, mode,
                    mode & DCBX_HOST ? " host" : "", mode & DCBX_LLD_MANAGED ? " lld-managed" : "",
                    s->qos->dcb.willing, s->system->lldpad ? "; lldpad runs (/run/lldpad.pid)" : "");
}

/* A NIC that pauses its switch port hundreds of times a second can't keep up with its input. */
enum { MANY_FRAMES = 100 };

JUDGE(pause_frames)
{
    uint64_t sent = 0, received = 0;
    const struct qos *before = qos_twice(s).before;
    if (!before || !before->dcb.has_pfc || !s->qos->dcb.has_pfc)
        return judge_unknown(j, "PFC frames of %s could not be read twice", s->qos->netdev);
    for (unsigned i = 0; i < PRIORITIES; i++) {
        sent += grown(before->dcb.pfc_sent[i], s->qos->dcb.pfc_sent[i]);
        received += grown(before->dcb.pfc_received[i], s->qos->dcb.pfc_received[i]);
    }
    uint64_t seconds = s->interval_ms >= 1000 ? s->interval_ms / 1000 : 1;
    return judge_as(j, sent / seconds >= MANY_FRAMES ? VERDICT_WARN : VERDICT_PASS,
                    "dcb of %s: %" PRIu64 " PFC frames sent, %" PRIu64 " received in the interval",
                    s->qos->netdev, sent, received);
}
