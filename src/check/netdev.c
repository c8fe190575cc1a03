/* SPDX-License-Identifier: MIT */
/* The netdevs of ports, and IPoIB's. */
#include "check/judge.h"

/* Does the port need a netdev? RoCE's and iWARP's do. */
static bool needs_netdev(const struct subject *s)
{
    return (port_is_roce(s->port) || s->port->transport == TRANSPORT_IWARP) && port_carries_traffic(s);
}

JUDGE(port_netdev)
{
    const struct port *port = s->port;
    if (!needs_netdev(s))
        return judge_na(j, "not a RoCE or iWARP port");
    if (!host_knows_netdevs(s->host))
        return judge_unknown(j, "/sys/class/net is not here");
    if (s->netdev)
        return judge_pass(j, "%s", s->netdev->name);
    if (!device_is_given(s->host, s->device))
        return judge_na(j, "%s was not given to this container", s->device->name);
    if (s->host->partial)
        return judge_unknown(j, "%s is not in this tree", port->netdev ? port->netdev : "the port's netdev");
    if (port->netdev) {
        if (system_is_container(s->system))
            fix_give_netdev(j, s->system, s->device->name);
        else
            judge_advice(j, "from the namespace that has it: ip link set dev {netdev} netns NAME # which takes "
                            "it away from there; NAME: this namespace's, or a process's in it");
        return judge_warn(j, "netdev %s is not in this network namespace", port->netdev);
    }
    if (port_has_roce_off(port))
        return judge_na(j, "RoCE is off: see roce-enabled");
    if (system_is_container(s->system))
        fix_give_netdev(j, s->system, s->device->name);
    return judge_fail(j, "neither netlink nor the GIDs nor the PCI function names a netdev");
}

JUDGE(netdev_up)
{
    const struct netdev *netdev = s->netdev;
    if (!netdev || !needs_netdev(s))
        return judge_na(j, "the port has no netdev here");
    if (!netdev->flags.known)
        return judge_unknown(j, "/sys/class/net/%s/flags could not be read", netdev->name);
    judge_command(j, "ip link set dev {netdev} up");
    return judge_as(j, netdev_is_switched_off(netdev) ? VERDICT_WARN : VERDICT_PASS,
                    "/sys/class/net/%s/flags: 0x%" PRIx64 "%s", netdev->name, netdev_file_flags(netdev),
                    netdev_is_switched_off(netdev) ? ", without IFF_UP" : "");
}

JUDGE(netdev_carrier)
{
    const struct netdev *netdev = s->netdev;
    if (!netdev || !needs_netdev(s))
        return judge_na(j, "the port has no netdev here");
    if (netdev_is_switched_off(netdev))
        return judge_na(j, "%s is switched off: see netdev-up", netdev->name);
    if (netdev->carrier == TRI_UNKNOWN)
        return judge_unknown(j, "/sys/class/net/%s/carrier could not be read", netdev->name);
    if (netdev->carrier == TRI_YES)
        return judge_pass(j, "/sys/class/net/%s/carrier: 1", netdev->name);
    fix_link(s, j);
    return judge_fail(j, "/sys/class/net/%s/carrier: 0, operstate: %s", netdev->name,
                      netdev->operstate ? netdev->operstate : "?");
}

JUDGE(netdev_duplex)
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
    judge_interrupting(j, "ethtool -s {netdev} autoneg on # the same at the switch");
    return judge_fail(j, "/sys/class/net/%s/duplex: half", netdev->name);
}

JUDGE(ipoib_mode)
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
            judge_command(j, "echo datagram >/sys/class/net/{netdev}/mode # or connected on both; then the "
                             "same MTU on both");
            return judge_warn(j, "%s; %s is in mode %s", evidence, other->name, other->ipoib_mode);
        }
    }
    if (strcmp(netdev->ipoib_mode, "connected") == 0 && netdev->mtu.value <= DATAGRAM_MOST) {
        judge_command(j, "ip link set dev {netdev} mtu %d", CONNECTED_MOST);
        return judge_warn(j, "%s", evidence);
    }
    if (strcmp(netdev->ipoib_mode, "datagram") == 0 && netdev->mtu.value < DATAGRAM_USUAL) {
        judge_command(j, "ip link set dev {netdev} mtu %d", DATAGRAM_USUAL);
        return judge_warn(j, "%s", evidence);
    }
    return judge_pass(j, "%s", evidence);
}
