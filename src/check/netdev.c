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
    if (!needs_netdev(s))
        return judge_na(j, "not a RoCE or iWARP port");
    if (!host_knows_netdevs(s->host))
        return judge_unknown(j, "/sys/class/net is not here");
    if (s->netdev)
        return judge_pass(j, "%s", s->netdev->name);
    if (!device_is_given(s->host, s->device))
        return judge_na(j, "%s was not given to this container", s->device->name);
    if (s->host->partial)
        return judge_unknown(j, "%s is not in this tree",
                             s->port->netdev ? s->port->netdev : "the port's netdev");
    if (s->port->netdev) {
        if (system_is_container(s->system))
            fix_give_netdev(j, s->system, s->device->name);
        else
            judge_advice(j, "from the namespace that has it: ip link set dev {netdev} netns NAME # which takes "
                            "it away from there; NAME: this namespace's, or a process's in it");
        return judge_warn(j, "netdev %s is not in this network namespace", s->port->netdev);
    }
    if (port_has_roce_off(s->port))
        return judge_na(j, "RoCE is off: see roce-enabled");
    if (system_is_container(s->system))
        fix_give_netdev(j, s->system, s->device->name);
    return judge_fail(j, "neither netlink nor the GIDs nor the PCI function names a netdev");
}

JUDGE(netdev_up)
{
    if (!s->netdev || !needs_netdev(s))
        return judge_na(j, "the port has no netdev here");
    if (!s->netdev->flags.known)
        return judge_unknown(j, "/sys/class/net/%s/flags could not be read", s->netdev->name);
    judge_command(j, "ip link set dev {netdev} up");
    return judge_as(j, netdev_is_switched_off(s->netdev) ? VERDICT_WARN : VERDICT_PASS,
                    "/sys/class/net/%s/flags: 0x%" PRIx64 "%s", s->netdev->name, netdev_file_flags(s->netdev),
                    netdev_is_switched_off(s->netdev) ? ", without IFF_UP" : "");
}

JUDGE(netdev_carrier)
{
    if (!s->netdev || !needs_netdev(s))
        return judge_na(j, "the port has no netdev here");
    if (netdev_is_switched_off(s->netdev))
        return judge_na(j, "%s is switched off: see netdev-up", s->netdev->name);
    if (s->netdev->carrier == TRI_UNKNOWN)
        return judge_unknown(j, "/sys/class/net/%s/carrier could not be read", s->netdev->name);
    if (s->netdev->carrier == TRI_YES)
        return judge_pass(j, "/sys/class/net/%s/carrier: 1", s->netdev->name);
    fix_link(s, j);
    return judge_fail(j, "/sys/class/net/%s/carrier: 0, operstate: %s", s->netdev->name,
                      s->netdev->operstate ? s->netdev->operstate : "?");
}

JUDGE(netdev_duplex)
{
    if (!s->netdev || !port_is_roce(s->port))
        return judge_na(j, "the port has no netdev here");
    if (!s->netdev->duplex)
        return s->netdev->carrier == TRI_YES && s->netdev->parent_bus && !device_is_soft(s->device)
                   ? judge_unknown(j, "/sys/class/net/%s/duplex says nothing", s->netdev->name)
                   : judge_na(j, "a link that is down or virtual has no duplex");
    if (strcmp(s->netdev->duplex, "half") != 0)
        return judge_pass(j, "/sys/class/net/%s/duplex: %s", s->netdev->name, s->netdev->duplex);
    judge_interrupting(j, "ethtool -s {netdev} autoneg on # the same at the switch");
    return judge_fail(j, "/sys/class/net/%s/duplex: half", s->netdev->name);
}

JUDGE(ipoib_mode)
{
    enum { DATAGRAM_MOST = 4092, DATAGRAM_USUAL = 2044, CONNECTED_MOST = 65520 };
    if (s->netdev->kind != NETDEV_IPOIB)
        return judge_na(j, "not an IPoIB netdev");
    if (!s->netdev->ipoib_mode || !s->netdev->mtu.known)
        return judge_unknown(j, "/sys/class/net/%s/mode or mtu could not be read", s->netdev->name);
    const char *evidence = arena_printf(j->arena, "/sys/class/net/%s/mode: %s, mtu: %" PRIu64, s->netdev->name,
                                        s->netdev->ipoib_mode, s->netdev->mtu.value);
    for (size_t i = 0; i < s->host->nnetdevs; i++) {
        const struct netdev *other = &s->host->netdevs[i];
        if (other == s->netdev || other->kind != NETDEV_IPOIB || !other->ipoib_mode || other->lower ||
            s->netdev->lower)
            continue;
        if (strcmp(other->ipoib_mode, s->netdev->ipoib_mode) != 0) {
            judge_command(j, "echo datagram >/sys/class/net/{netdev}/mode # or connected on both; then the "
                             "same MTU on both");
            return judge_warn(j, "%s; %s is in mode %s", evidence, other->name, other->ipoib_mode);
        }
    }
    if (strcmp(s->netdev->ipoib_mode, "connected") == 0 && s->netdev->mtu.value <= DATAGRAM_MOST) {
        judge_command(j, "ip link set dev {netdev} mtu %d", CONNECTED_MOST);
        return judge_warn(j, "%s", evidence);
    }
    if (strcmp(s->netdev->ipoib_mode, "datagram") == 0 && s->netdev->mtu.value < DATAGRAM_USUAL) {
        judge_command(j, "ip link set dev {netdev} mtu %d", DATAGRAM_USUAL);
        return judge_warn(j, "%s", evidence);
    }
    return judge_pass(j, "%s", evidence);
}
