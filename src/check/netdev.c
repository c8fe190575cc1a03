/* SPDX-License-Identifier: MIT */
/* The netdevs of ports, and IPoIB's; MTUs. */
#include "check/judge.h"
#include "check/use.h"
#include "model/verbs.h"

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

enum { MTU_FOR_4096 = 4200, FAST_MBPS = 25000, SMALLEST_USUAL = 1024 };

/* A sibling port in use whose MTU is larger: then 1500 isn't the network's choice. NULL if none. */
static const struct port *larger_beside(const struct subject *s, struct judgement *j)
{
    for (const struct port *port = NULL; (port = host_next_port(s->host, port));)
        if (port != s->port && port_is_roce(port) && port_is_active(port) && port->roce_mtu.known &&
            port->roce_mtu.value > s->port->roce_mtu.value &&
            devices_are_siblings(s->host, port->device, s->device) &&
            port_use(s->host, port, j->arena).use == USE_HERE)
            return port;
    return NULL;
}

/* What leads to the outside has the MTU of the outside: a front end on the board that the rails have, too. */
static enum verdict judge_smaller(const struct subject *s, struct judgement *j, const struct port *larger,
                                  const char *evidence)
{
    enum tristate front_end = port_has_default_route(s->host, s->port);
    evidence = arena_printf(j->arena, "%s; %s/%u of the same board has %" PRIu64, evidence,
                            larger->device->name, larger->number, larger->roce_mtu.value);
    if (front_end == TRI_UNKNOWN)
        return judge_unknown(j, "%s; whether the default route leaves here isn't known: no routes were read",
                             evidence);
    if (front_end == TRI_YES)
        return judge_info(j, "%s, and the default route leaves here", evidence);
    return judge_warn(j, "%s", evidence);
}

JUDGE(netdev_mtu)
{
    if (!port_does_roce(s) || !s->netdev)
        return judge_na(j, "not a RoCE port with a netdev here");
    if (s->port->state.known && !port_is_active(s->port))
        return judge_na(j, "the port is not ACTIVE: see port-active");
    if (!s->netdev->mtu.known || !s->port->roce_mtu.known)
        return judge_unknown(j, "/sys/class/net/%s/mtu could not be read", s->netdev->name);
    const char *evidence = arena_printf(j->arena,
                                        "/sys/class/net/%s/mtu: %" PRIu64 ", hence a RoCE MTU of %" PRIu64,
                                        s->netdev->name, s->netdev->mtu.value, s->port->roce_mtu.value);
    bool fast = s->port->rate_mbps.known && s->port->rate_mbps.value >= FAST_MBPS;
    uint64_t most = s->netdev->mtu_max.known && s->netdev->mtu_max.value ? s->netdev->mtu_max.value
                                                                         : MTU_FOR_4096;
    fix_mtu(j, s->system, most < MTU_FOR_4096 ? (unsigned)most : MTU_FOR_4096);
    if (s->port->roce_mtu.value == 0)
        return judge_fail(j, "%s", evidence);
    const struct port *larger = larger_beside(s, j);
    if (larger)
        return judge_smaller(s, j, larger, evidence);
    if (s->port->roce_mtu.value < SMALLEST_USUAL)
        return judge_warn(j, "%s", evidence);
    return fast && s->port->roce_mtu.value < 2048 ? judge_info(j, "%s", evidence)
                                                  : judge_pass(j, "%s", evidence);
}

JUDGE(active_mtu)
{
    if (!port_does_roce(s) || !s->port->roce_mtu.known)
        return judge_na(j, "not a RoCE port with a netdev here");
    const struct verbs_port *verbs = s->port->device->verbs
                                         ? verbs_device_port(s->port->device->verbs, s->port->number)
                                         : NULL;
    if (!verbs || verbs->err)
        return judge_unknown(j, "libibverbs did not report the active MTU: %s",
                             verbs                        ? judge_errno(j, (int)verbs->err)
                             : s->port->device->verbs_err ? judge_errno(j, s->port->device->verbs_err)
                                                          : "the device was not asked");
    unsigned active = verbs_mtu_bytes(verbs->active_mtu), most = verbs_mtu_bytes(verbs->max_mtu);
    uint64_t allowed = most && most < s->port->roce_mtu.value ? most : s->port->roce_mtu.value;
    const char *evidence = arena_printf(
        j->arena, "ibv_query_port: active_mtu %u, max_mtu %u; MTU of %s: %" PRIu64 " allows %" PRIu64, active,
        most, s->netdev ? s->netdev->name : "its netdev", s->netdev ? s->netdev->mtu.value : 0,
        s->port->roce_mtu.value);
    if (s->netdev)
        judge_interrupting(j,
                           "ip link set dev {netdev} down && ip link set dev {netdev} mtu %" PRIu64
                           " && ip link set dev {netdev} up",
                           s->netdev->mtu.value);
    return judge_as(j, active < allowed ? VERDICT_WARN : VERDICT_PASS, "%s", evidence);
}
