/* Ports and their links. */
#include <errno.h>
#include <inttypes.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <string.h>

#include "base/say.h"
#include "check/judge.h"
#include "model/qos.h"

static bool is_admin_down(const struct netdev *netdev)
{
    return netdev && netdev->flags.known && !(netdev->flags.value & IFF_UP);
}

static const char *state_evidence(struct judgement *j, const struct port *port, const char *file,
                                  struct num value, const char *text)
{
    return arena_printf(j->arena, "%s: %" PRIu64 ": %s", port_path(j, port, file), value.value,
                        text ? text : "?");
}

static enum verdict judge_active(const struct subject *s, struct judgement *j)
{
    const struct port *port = s->port;
    if (!port_carries_traffic(s))
        return judge_na(j, "a management or representor port");
    if (!port->state.known)
        return judge_unknown(j, "%s could not be read", port_path(j, port, "state"));
    const char *evidence = state_evidence(j, port, "state", port->state, port->state_text);
    if (port_is_active(port))
        return judge_pass(j, "%s", evidence);
    if (port->transport == TRANSPORT_INFINIBAND && num_is(port->state, PORT_STATE_INIT))
        judge_fix(
            j,
            "the link is there, but no subnet manager has configured it: systemctl start opensm on one host of the fabric, or switch on the switch's");
    else if (is_admin_down(s->netdev)) {
        judge_fix(j, "ip link set dev %s up", s->netdev->name);
        return judge_warn(j, "%s; its netdev %s is switched off (flags 0x%" PRIx64 ")", evidence,
                          s->netdev->name, netdev_file_flags(s->netdev));
    } else if (s->netdev)
        judge_fix(j, "look at the cable, the module and the switch's port; ethtool %s", s->netdev->name);
    return judge_fail(j, "%s", evidence);
}

static enum verdict judge_phys_state(const struct subject *s, struct judgement *j)
{
    const struct port *port = s->port;
    if (!port_carries_traffic(s))
        return judge_na(j, "a management or representor port");
    if (!port->phys_state.known)
        return judge_unknown(j, "%s could not be read", port_path(j, port, "phys_state"));
    const char *evidence = state_evidence(j, port, "phys_state", port->phys_state, port->phys_state_text);
    switch (port->phys_state.value) {
    case PHYS_STATE_LINK_UP:
        return judge_pass(j, "%s", evidence);
    case PHYS_STATE_POLLING:
        judge_fix(
            j,
            "no signal comes in: plug the cable, compare both ends' speed, FEC and module, see that the switch's port is enabled");
        return judge_fail(j, "%s", evidence);
    case PHYS_STATE_DISABLED:
        if (s->netdev)
            judge_fix(j, "ip link set dev %s up", s->netdev->name);
        else if (port->transport == TRANSPORT_INFINIBAND)
            judge_fix(j, "ibportstate -C %s -D 0 %u enable", port->device->name, port->number);
        return judge_as(j, is_admin_down(s->netdev) ? VERDICT_WARN : VERDICT_FAIL, "%s", evidence);
    default:
        return judge_fail(j, "%s", evidence);
    }
}

/* The next other ACTIVE port on a card like the subject's, after port; NULL: there are no more. */
static const struct port *next_sibling(const struct subject *s, const struct port *port)
{
    while ((port = host_next_port(s->host, port)))
        if (port != s->port && port_is_active(port) && devices_are_siblings(s->host, s->device, port->device))
            return port;
    return NULL;
}

static enum verdict judge_rate_siblings(const struct subject *s, struct judgement *j)
{
    const struct port *port = s->port, *best = NULL;
    if (!port_is_active(port) || !port_carries_traffic(s))
        return judge_na(j, "the port is not ACTIVE");
    if (!port->rate_mbps.known)
        return judge_unknown(j, "%s could not be read", port_path(j, port, "rate"));
    for (const struct port *other = NULL; (other = next_sibling(s, other));) {
        if (!other->rate_mbps.known || other->transport != port->transport)
            continue;
        if (!best || other->rate_mbps.value > best->rate_mbps.value)
            best = other;
    }
    if (!best)
        return judge_na(j, "there is no other ACTIVE port on such a card");
    if (best->rate_mbps.value <= port->rate_mbps.value)
        return judge_pass(j, "%s: %s", port_path(j, port, "rate"), port->rate_text);
    if (s->netdev)
        judge_fix(j, "compare ethtool %s at both: cable, module, and the speed the switch's port is set to",
                  s->netdev->name);
    return judge_warn(j, "%s: %s, %s/%u of the same board has %s", port_path(j, port, "rate"),
                      port->rate_text, best->device->name, best->number, best->rate_text);
}

/* Speed is known here, and less than the netdev supports. */
static enum verdict slow_link(const struct qos *qos, struct judgement *j)
{
    const struct qos_ethtool *ethtool = &qos->ethtool;
    bool withheld = ethtool->advertised_mbps.known &&
                    ethtool->advertised_mbps.value < ethtool->supported_mbps.value;
    if (withheld)
        judge_fix(
            j,
            "ethtool -s %s autoneg on (it advertises all that the netdev supports), and the same at the switch",
            qos->netdev);
    else if (ethtool->autoneg == TRI_NO)
        judge_fix(j,
                  "ethtool -s %s speed %" PRIu64
                  " autoneg off, where cable, module (ethtool -m %s) and the switch's port can do that",
                  qos->netdev, ethtool->supported_mbps.value, qos->netdev);
    else
        judge_fix(j, "compare cable, module (ethtool -m %s) and the speed that the switch's port is set to",
                  qos->netdev);
    return judge_warn(j, "ethtool LINKMODES_GET of %s: %" PRIu64 " Mb/s, it supports %" PRIu64 " Mb/s%s",
                      qos->netdev, ethtool->speed_mbps.value, ethtool->supported_mbps.value,
                      withheld ? arena_printf(j->arena, ", but advertises no more than %" PRIu64 " Mb/s",
                                              ethtool->advertised_mbps.value)
                               : "");
}

static enum verdict judge_speed_of(const struct subject *s, const struct netdev *netdev, struct judgement *j)
{
    const struct qos *qos = host_find_qos(s->host, netdev);
    if (!qos || qos->ethtool.autoneg == TRI_UNKNOWN)
        return judge_as(j, device_is_soft(s->device) ? VERDICT_NA : VERDICT_UNKNOWN,
                        "ethtool LINKMODES_GET of %s did not answer", netdev->name);
    const struct qos_ethtool *ethtool = &qos->ethtool;
    if (!ethtool->supported_mbps.known)
        return judge_na(j, "the driver of %s tells no speeds that it supports", qos->netdev);
    if (!ethtool->speed_mbps.known)
        return judge_unknown(j, "ethtool LINKMODES_GET of %s tells no speed", qos->netdev);
    if (ethtool->speed_mbps.value < ethtool->supported_mbps.value)
        return slow_link(qos, j);
    return judge_pass(j, "ethtool LINKMODES_GET of %s: %" PRIu64 " Mb/s, it supports %" PRIu64 " Mb/s",
                      qos->netdev, ethtool->speed_mbps.value, ethtool->supported_mbps.value);
}

/* A bond has as many links as members: the worst of them counts. */
static enum verdict judge_speed(const struct subject *s, struct judgement *j)
{
    if (!s->netdev || !port_is_roce(s->port) || !port_carries_traffic(s) || !port_is_active(s->port))
        return judge_na(j, "no ACTIVE RoCE port with a netdev here");
    const struct netdev *base = netdev_base(s->host, s->netdev);
    if (base->kind != NETDEV_BOND)
        return judge_speed_of(s, s->netdev, j);
    enum verdict worst = judge_na(j, "%s has no members here", base->name);
    for (size_t i = 0; i < base->nmembers; i++) {
        struct judgement one = { .arena = j->arena };
        const struct netdev *member = host_find_netdev(s->host, base->members[i]);
        enum verdict verdict = member ? judge_speed_of(s, member, &one) : VERDICT_NA;
        if (!member || verdict < worst)
            continue;
        worst = verdict;
        *j = one;
    }
    return worst;
}

static enum verdict judge_module(const struct subject *s, struct judgement *j)
{
    const struct port *port = s->port;
    if (!port_carries_traffic(s) || device_is_soft(port->device))
        return judge_na(j, "the port has no cage");
    if (port->rate_err == 0 && port->rate_text)
        return judge_pass(j, "%s: %s", port_path(j, port, "rate"), port->rate_text);
    if (port->rate_err == EINVAL)
        return judge_fail(j, "%s: %s", port_path(j, port, "rate"), say_errno(EINVAL));
    return judge_unknown(j, "%s: %s", port_path(j, port, "rate"),
                         port->rate_err ? say_errno(port->rate_err) : "not read");
}

static enum verdict judge_netdev(const struct subject *s, struct judgement *j)
{
    const struct port *port = s->port;
    if (!port_is_roce(port) || !port_carries_traffic(s))
        return judge_na(j, "not a RoCE port");
    if (s->netdev)
        return judge_pass(j, "%s", s->netdev->name);
    if (port->netdev) {
        judge_fix(
            j,
            "move the netdev here (ip link set dev %s netns NAME), or give this container a device of its own",
            port->netdev);
        return judge_warn(j, "netdev %s is not in this network namespace", port->netdev);
    }
    if (num_is(port->gid_table_len, 0))
        return judge_na(j, "RoCE is off: see roce-enabled");
    return judge_fail(j, "neither netlink, GIDs nor the PCI function name a netdev");
}

static enum verdict judge_netdev_up(const struct subject *s, struct judgement *j)
{
    const struct netdev *netdev = s->netdev;
    if (!netdev || !port_is_roce(s->port) || !port_carries_traffic(s))
        return judge_na(j, "the port has no netdev here");
    if (!netdev->flags.known)
        return judge_unknown(j, "/sys/class/net/%s/flags could not be read", netdev->name);
    judge_fix(j, "ip link set dev %s up", netdev->name);
    return judge_as(j, is_admin_down(netdev) ? VERDICT_WARN : VERDICT_PASS,
                    "/sys/class/net/%s/flags: 0x%" PRIx64 "%s", netdev->name, netdev_file_flags(netdev),
                    is_admin_down(netdev) ? ", without IFF_UP" : "");
}

static enum verdict judge_carrier(const struct subject *s, struct judgement *j)
{
    const struct netdev *netdev = s->netdev;
    if (!netdev || !port_is_roce(s->port) || !port_carries_traffic(s))
        return judge_na(j, "the port has no netdev here");
    if (is_admin_down(netdev))
        return judge_na(j, "%s is switched off: see netdev-up", netdev->name);
    if (netdev->carrier == TRI_UNKNOWN)
        return judge_unknown(j, "/sys/class/net/%s/carrier could not be read", netdev->name);
    if (netdev->carrier == TRI_YES)
        return judge_pass(j, "/sys/class/net/%s/carrier: 1", netdev->name);
    judge_fix(j, "look at the cable, the module and the switch's port; ethtool %s", netdev->name);
    return judge_fail(j, "/sys/class/net/%s/carrier: 0, operstate: %s", netdev->name,
                      netdev->operstate ? netdev->operstate : "?");
}

static enum verdict judge_duplex(const struct subject *s, struct judgement *j)
{
    const struct netdev *netdev = s->netdev;
    if (!netdev || !port_is_roce(s->port))
        return judge_na(j, "the port has no netdev here");
    if (!netdev->duplex)
        return netdev->carrier == TRI_YES && netdev->parent_bus && !device_is_soft(s->device)
                   ? judge_unknown(j, "/sys/class/net/%s/duplex says nothing", netdev->name)
                   : judge_na(j, "a link that is down or virtual has no duplex");
    if (strcmp(netdev->duplex, "half") != 0)
        return judge_pass(j, "/sys/class/net/%s/duplex: %s", netdev->name, netdev->duplex);
    judge_fix(j, "ethtool -s %s autoneg on, and the same at the switch", netdev->name);
    return judge_fail(j, "/sys/class/net/%s/duplex: half", netdev->name);
}

static enum verdict judge_ipoib(const struct subject *s, struct judgement *j)
{
    const struct netdev *netdev = s->netdev;
    enum { DATAGRAM_MOST = 4092, DATAGRAM_USUAL = 2044, CONNECTED_MOST = 65520 };
    if (netdev->kind != NETDEV_IPOIB)
        return judge_na(j, "not an IPoIB netdev");
    if (!netdev->ipoib_mode || !netdev->mtu.known)
        return judge_unknown(j, "/sys/class/net/%s/mode or mtu could not be read", netdev->name);
    const char *evidence = arena_printf(j->arena, "/sys/class/net/%s/mode: %s, mtu: %" PRIu64, netdev->name,
                                        netdev->ipoib_mode, netdev->mtu.value);
    for (size_t i = 0; i < s->host->nnetdevs; i++) {
        const struct netdev *other = &s->host->netdevs[i];
        if (other == netdev || other->kind != NETDEV_IPOIB || !other->ipoib_mode || other->lower ||
            netdev->lower)
            continue;
        if (strcmp(other->ipoib_mode, netdev->ipoib_mode) != 0) {
            judge_fix(
                j, "echo datagram >/sys/class/net/%s/mode (or connected on both), then the same MTU on both",
                netdev->name);
            return judge_warn(j, "%s; %s is in mode %s", evidence, other->name, other->ipoib_mode);
        }
    }
    if (strcmp(netdev->ipoib_mode, "connected") == 0 && netdev->mtu.value <= DATAGRAM_MOST) {
        judge_fix(j, "ip link set dev %s mtu %d", netdev->name, CONNECTED_MOST);
        return judge_warn(j, "%s", evidence);
    }
    if (strcmp(netdev->ipoib_mode, "datagram") == 0 && netdev->mtu.value < DATAGRAM_USUAL) {
        judge_fix(j, "ip link set dev %s mtu %d", netdev->name, DATAGRAM_USUAL);
        return judge_warn(j, "%s", evidence);
    }
    return judge_pass(j, "%s", evidence);
}

/* The FEC and lanes of a sibling's link at the same rate, to compare with. */
static const struct qos *sibling_qos(const struct subject *s, const struct port **sibling)
{
    *sibling = NULL;
    while ((*sibling = next_sibling(s, *sibling))) {
        const struct netdev *netdev = port_netdev(s->host, *sibling);
        const struct qos *qos = netdev ? host_find_qos(s->host, netdev) : NULL;
        if (qos && qos->ethtool.fec_active && strcmp(qos->ethtool.fec_active, "off") != 0)
            return qos;
    }
    return NULL;
}

static enum verdict judge_fec(const struct subject *s, struct judgement *j)
{
    const struct port *sibling = NULL;
    if (!s->netdev || !port_is_roce(s->port) || device_is_soft(s->device) || !port_is_active(s->port))
        return judge_na(j, "no ACTIVE RoCE port of a NIC");
    const struct qos *qos = host_find_qos(s->host, s->netdev);
    const struct qos *other = sibling_qos(s, &sibling);
    if (!other)
        return judge_na(j, "no other ACTIVE port on such a card with FEC");
    if (!qos || !qos->ethtool.fec_active)
        return judge_unknown(j, "ethtool FEC_GET of %s did not answer", s->netdev->name);
    bool off = strcmp(qos->ethtool.fec_active, "off") == 0;
    bool lanes = qos->ethtool.lanes.known && other->ethtool.lanes.known &&
                 qos->ethtool.lanes.value < other->ethtool.lanes.value;
    judge_fix(j, "ethtool --set-fec %s encoding %s, and the same at the switch", qos->netdev,
              other->ethtool.fec_active);
    return judge_as(j, off || lanes ? VERDICT_WARN : VERDICT_PASS, "%s: FEC %s, %s/%u has %s%s", qos->netdev,
                    qos->ethtool.fec_active, sibling->device->name, sibling->number,
                    other->ethtool.fec_active, lanes ? ", and more lanes" : "");
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

const struct check checks_link[] = {
    { .id = "port-active",
      .topic = "link",
      .healthy = "the port is ACTIVE",
      .why = "Only an ACTIVE port carries traffic; queue pairs on another one fail or time out.",
      .fix = "look at the cable, the module, the switch's port and the netdev",
      .fires_on = "fault-link",
      .scope = SCOPE_PORT,
      .needs = NEED_STATE | NEED_NETDEV_ALL | NEED_GIDS | NEED_NLDEV,
      .judge = judge_active },
    { .id = "port-phys-state",
      .topic = "link",
      .healthy = "the physical link is up",
      .why = "It tells why a port is down: Polling means no signal from the other end, Disabled that somebody switched it off here.",
      .fix = "look at the cable, the module and the switch's port",
      .fires_on = "fault-link",
      .scope = SCOPE_PORT,
      .needs = NEED_STATE | NEED_NETDEV_ALL | NEED_GIDS | NEED_NLDEV,
      .judge = judge_phys_state },
    { .id = "port-rate",
      .topic = "link",
      .healthy = "the port is as fast as others on the same board",
      .why = "The slowest rail sets the pace of a collective operation.",
      .fix = "compare cable, module and the speed that the switch's ports are set to",
      .fires_on = "fault-link",
      .scope = SCOPE_PORT,
      .needs = NEED_STATE | NEED_RATE | NEED_PCI | NEED_IDENT | NEED_NETDEV_ALL | NEED_GIDS,
      .judge = judge_rate_siblings },
    { .id = "link-speed",
      .topic = "link",
      .healthy = "the link is as fast as its netdev supports",
      .why = "A slower cable or module, or a speed that somebody has set here or at the switch, takes part of the bandwidth that the card was bought for; and the slowest host of a job sets its pace.",
      .fix = "compare cable, module, and the speeds set at both ends",
      .fires_on = "fault-qos",
      .scope = SCOPE_PORT,
      .needs = NEED_STATE | NEED_QOS | NEED_NETDEV_ALL | NEED_GIDS,
      .judge = judge_speed },
    { .id = "port-module",
      .topic = "link",
      .healthy = "the cage holds a module",
      .why = "The kernel can't say the port's width without a module or cable: reading the rate fails with EINVAL, and old tools stop there.",
      .fix = "plug in a module or cable; if the port shall stay empty, skip the check",
      .fires_on = "fault-link",
      .scope = SCOPE_PORT,
      .needs = NEED_RATE | NEED_NETDEV_ALL | NEED_GIDS,
      .judge = judge_module },
    { .id = "port-netdev",
      .topic = "link",
      .healthy = "a RoCE port has its netdev here",
      .why = "Addresses, routes and GIDs come from the netdev: without one the port has no usable GID, and RDMA_CM says ADDR_ERROR -19.",
      .fix = "bring the netdev into this network namespace",
      .fires_on = "fault-link",
      .scope = SCOPE_PORT,
      .needs = NEED_NETDEV_ALL | NEED_GIDS | NEED_NLDEV,
      .judge = judge_netdev },
    { .id = "netdev-up",
      .topic = "link",
      .healthy = "the port's netdev is switched on",
      .why = "A netdev that is down takes the port down; connecting from it fails with ENETUNREACH.",
      .fix = "ip link set dev NETDEV up",
      .fires_on = "fault-link",
      .scope = SCOPE_PORT,
      .needs = NEED_NETDEV_ALL | NEED_GIDS | NEED_NLDEV,
      .judge = judge_netdev_up },
    { .id = "netdev-carrier",
      .topic = "link",
      .healthy = "the port's netdev has a carrier",
      .why = "No carrier means no link to the switch. Traffic within the host (a loopback test) still works, which hides it.",
      .fix = "look at the cable, the module and the switch's port",
      .fires_on = "fault-link",
      .scope = SCOPE_PORT,
      .needs = NEED_NETDEV_ALL | NEED_GIDS | NEED_NLDEV,
      .judge = judge_carrier },
    { .id = "netdev-duplex",
      .topic = "link",
      .healthy = "the link is full duplex",
      .why = "A half duplex link means that autonegotiation failed; it collides and drops under load.",
      .fix = "switch autonegotiation on at both ends",
      .fires_on = "fault-link",
      .scope = SCOPE_PORT,
      .needs = NEED_NETDEV_ALL | NEED_GIDS | NEED_PCI,
      .judge = judge_duplex },
    { .id = "ipoib-mode",
      .topic = "link",
      .healthy = "IPoIB's mode and MTU fit each other and the other ports",
      .why = "Connected mode with a datagram MTU is slow for no gain; peers in different modes or with different MTUs lose big packets.",
      .fix = "the same mode and MTU on all hosts: datagram with 2044 or 4092, or connected with 65520",
      .fires_on = "fault-ib",
      .scope = SCOPE_NETDEV,
      .needs = NEED_NETDEV_ALL,
      .judge = judge_ipoib },
    { .id = "link-fec",
      .topic = "link",
      .healthy = "forward error correction and lanes are as on other ports of the board",
      .why = "Without FEC a fast link loses packets to bit errors that it would have corrected; with fewer lanes it runs slower.",
      .fix = "the same FEC at both ends of the cable",
      .fires_on = "fault-qos",
      .scope = SCOPE_PORT,
      .needs = NEED_STATE | NEED_QOS | NEED_NETDEV_ALL | NEED_GIDS | NEED_PCI | NEED_IDENT,
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
