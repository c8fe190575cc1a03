/* SPDX-License-Identifier: MIT */
/* How sound a link's signal is: error correction, flaps. */
#include <inttypes.h>
#include <string.h>

#include "check/judge.h"
#include "model/qos.h"

/* The FEC of a sibling's link at the same rate: at another one another code is right, or none (IEEE 802.3 has
 * them by speed and medium). */
static const struct qos *sibling_qos(const struct subject *s, const struct port **sibling)
{
    *sibling = NULL;
    while ((*sibling = port_next_sibling(s, *sibling))) {
        const struct netdev *netdev = port_netdev(s->host, *sibling);
        const struct qos *qos = netdev ? host_find_qos(s->host, netdev) : NULL;
        bool same = num_is(s->port->rate_mbps, (*sibling)->rate_mbps.value) && (*sibling)->rate_mbps.known;
        if (same && qos && qos->ethtool.fec_active && strcmp(qos->ethtool.fec_active, "off") != 0)
            return qos;
    }
    return NULL;
}

static enum verdict judge_fec(const struct subject *s, struct judgement *j)
{
    const struct port *sibling = NULL;
    if (!s->netdev || !port_is_roce(s->port) || device_is_soft(s->device) || !port_is_active(s->port))
        return judge_na(j, "not an ACTIVE RoCE port of a NIC");
    const struct qos *qos = host_find_qos(s->host, s->netdev);
    const struct qos *other = sibling_qos(s, &sibling);
    if (!other)
        return judge_na(j, "no other ACTIVE port of this rate with FEC on a card of this kind");
    if (!qos || !qos->ethtool.fec_active)
        return judge_unknown(j, "ethtool FEC_GET of %s did not answer", s->netdev->name);
    bool off = strcmp(qos->ethtool.fec_active, "off") == 0;
    judge_fix(j, "ethtool --set-fec %s encoding %s" INTERRUPTS "; the switch needs the same", qos->netdev,
              other->ethtool.fec_active);
    return judge_as(j, off ? VERDICT_WARN : VERDICT_PASS, "%s: FEC %s, %s/%u at the same rate has %s",
                    qos->netdev, qos->ethtool.fec_active, sibling->device->name, sibling->number,
                    other->ethtool.fec_active);
}

static enum verdict judge_flaps(const struct subject *s, struct judgement *j)
{
    const struct netdev *netdev = s->netdev;
    if (!netdev || !port_carries_traffic(s))
        return judge_na(j, "the port has no netdev here");
    const struct netdev *before = host_find_netdev(s->before, netdev->name);
    if (!before || !before->carrier_changes.known || !netdev->carrier_changes.known)
        return judge_unknown(j, "/sys/class/net/%s/carrier_changes could not be read twice", netdev->name);
    uint64_t was = before->carrier_changes.value, is = netdev->carrier_changes.value;
    judge_fix(j, "reseat or change cable and module; compare ethtool -m %s at both ends", netdev->name);
    return judge_as(j, is > was ? VERDICT_FAIL : VERDICT_PASS,
                    "/sys/class/net/%s/carrier_changes: %" PRIu64 " more in the interval (%" PRIu64 " in all)",
                    netdev->name, is > was ? is - was : 0, is);
}

const struct check checks_signal[] = {
    { .id = "link-fec",
      .topic = "link",
      .healthy = "forward error correction is on where it is on the board's other ports of this rate",
      .why = "Without FEC a fast link loses packets to bit errors that it would have corrected.",
      .fix = "the same FEC at both ends of the cable",
      .fires_on = "fault-qos",
      .scope = SCOPE_PORT,
      .needs = NEED_STATE | NEED_RATE | NEED_QOS | NEED_NETDEV_ALL | NEED_GIDS | NEED_PCI | NEED_IDENT,
      .judge = judge_fec },
    { .id = "link-flaps",
      .topic = "link",
      .healthy = "the link stays up",
      .why = "Each flap ends connections and may move GIDs to other slots, which breaks every pinned GID index.",
      .fix = "reseat or change cable and module",
      .fires_on = "fault-counters",
      .scope = SCOPE_PORT,
      .needs = NEED_NETDEV_ALL | NEED_GIDS,
      .interval = true,
      .judge = judge_flaps },
    { 0 },
};
