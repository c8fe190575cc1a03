/* SPDX-License-Identifier: MIT */
/* Congestion control, who controls it, and how often a port has to pause its switch. */
#include "check/judge.h"

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
