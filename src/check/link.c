/* SPDX-License-Identifier: MIT */
/* Ports, their links, and who needs them. */
#include "check/judge.h"
#include "check/rail.h"
#include "check/use.h"

static const char *state_evidence(struct judgement *j, const struct port *port, const char *file,
                                  struct num value, const char *text)
{
    return arena_printf(j->arena, "%s: %" PRIu64 ": %s", port_path(j, port, file), value.value,
                        text ? text : "?");
}

/* The InfiniBand link is up, but no subnet manager has made the port ACTIVE: until it has seen the port, the
 * LID is 0 or 65535. */
static bool awaits_subnet_manager(const struct port *port)
{
    return port->transport == TRANSPORT_INFINIBAND &&
           (num_is(port->state, PORT_STATE_INIT) || num_is(port->state, PORT_STATE_ARMED) ||
            (num_is(port->state, PORT_STATE_DOWN) && num_is(port->phys_state, PHYS_STATE_LINK_UP)));
}

/* iw_query_port() of drivers/infiniband/core/device.c: a netdev with a carrier but no IPv4 address is INIT and
 * PortConfigurationTraining. */
static bool awaits_address(const struct port *port)
{
    return port->transport == TRANSPORT_IWARP && num_is(port->state, PORT_STATE_INIT);
}

static enum verdict without_address(const struct subject *s, struct judgement *j, const char *evidence)
{
    const char *netdev = s->netdev ? s->netdev->name : "NETDEV";
    fix_address(s, j, "", "{ADDRESS/PREFIX}", "");
    return judge_fail(j, "%s; %s has no IPv4 address", evidence, s->netdev ? netdev : "its netdev");
}

/* A virtual function's link is up when the card's is; the host's policy keeps its port DOWN until told
 * otherwise, and opensm leaves such ports out unless virt_enabled is 2 (opensm.conf; k8snetworkplumbingwg's
 * sriov-network-operator issue 382). */
static void fix_subnet_manager(const struct subject *s, struct judgement *j)
{
    bool function = s->pci && s->pci->physfn;
    if (!function && s->port->sm_lid.known && s->port->sm_lid.value)
        judge_advice(j,
                     "a subnet manager, at LID %" PRIu64
                     ", knows the port and hasn't brought it up: wait for its next sweep, then look at its "
                     "log; in a virtual machine, have its host give the function a GUID and a link (node_guid, "
                     "port_guid, state of its vf in ip link)",
                     s->port->sm_lid.value);
    else if (!function)
        judge_advice(j, "the link is there, but no subnet manager has configured it: systemctl start opensm on "
                        "one host of the fabric, or switch on the switch's");
    else if (s->system->kubernetes)
        judge_advice(j, "linkState: enable in its SriovIBNetwork (link_state of ib-sriov-cni), and a GUID; "
                        "then a subnet manager that knows virtual functions: virt_enabled 2 in opensm.conf");
    else
        judge_advice(j,
                     "on the host of %s: ip link set dev %s state enable, and node_guid and port_guid; then a "
                     "subnet manager that knows virtual functions: virt_enabled 2 in opensm.conf",
                     s->pci->physfn, fix_function(j, s->pci));
}

static enum verdict without_subnet_manager(const struct subject *s, struct judgement *j, const char *evidence)
{
    const char *function = s->pci && s->pci->physfn
                               ? arena_printf(j->arena, "; a virtual function of %s", s->pci->physfn)
                               : "";
    fix_subnet_manager(s, j);
    if (num_is(s->port->lid, 0) || num_is(s->port->lid, 0xffff))
        return judge_fail(j, "%s, and the LID is 0x%" PRIx64 ": no subnet manager has given it one%s", evidence,
                          s->port->lid.value, function);
    return judge_fail(j, "%s%s", evidence, function);
}

JUDGE(port_active)
{
    if (!s->port->state.known)
        return judge_unknown(j, "%s could not be read", port_path(j, s->port, "state"));
    const char *evidence = state_evidence(j, s->port, "state", s->port->state, s->port->state_text);
    if (port_is_active(s->port))
        return judge_pass(j, "%s", evidence);
    if (awaits_subnet_manager(s->port))
        return without_subnet_manager(s, j, evidence);
    if (awaits_address(s->port))
        return without_address(s, j, evidence);
    if (netdev_is_switched_off(s->netdev)) {
        judge_command(j, "ip link set dev {netdev} up");
        return judge_fail(j, "%s; its netdev %s is switched off (flags 0x%" PRIx64 ")", evidence,
                          s->netdev->name, netdev_file_flags(s->netdev));
    }
    if (s->netdev)
        fix_link(s, j);
    return judge_fail(j, "%s", evidence);
}

/* Disabled. On InfiniBand, somebody switched the port off; mlx5's Ethernet ports, irdma, ocrdma, erdma, mana,
 * bnxt_re and iWARP (iw_query_port()) report it for any port without a carrier. The netdev tells why it has
 * none. */
static enum verdict judge_disabled(const struct subject *s, struct judgement *j, const char *evidence)
{
    if (s->port->transport == TRANSPORT_INFINIBAND) {
        judge_command(j, "ibportstate -C {device} -D 0 %u enable", s->port->number);
        return judge_fail(j, "%s", evidence);
    }
    if (!s->netdev || !s->netdev->flags.known)
        return judge_fail(j, "%s", evidence);
    if (netdev_is_switched_off(s->netdev)) {
        judge_command(j, "ip link set dev {netdev} up");
        return judge_warn(j, "%s; its netdev %s is switched off", evidence, s->netdev->name);
    }
    fix_link(s, j);
    return judge_fail(j, "%s; its netdev %s is switched on%s", evidence, s->netdev->name,
                      s->netdev->carrier == TRI_NO ? ", without a carrier" : "");
}

JUDGE(port_phys_state)
{
    if (!s->port->phys_state.known)
        return judge_unknown(j, "%s could not be read", port_path(j, s->port, "phys_state"));
    const char *evidence = state_evidence(j, s->port, "phys_state", s->port->phys_state,
                                          s->port->phys_state_text);
    switch (s->port->phys_state.value) {
    case PHYS_STATE_LINK_UP:
        return judge_pass(j, "%s", evidence);
    case PHYS_STATE_POLLING:
        judge_advice(j, "no signal comes in: plug in the cable, compare speed, FEC and module at both ends, "
                        "check that the switch's port is enabled");
        return judge_fail(j, "%s", evidence);
    case PHYS_STATE_DISABLED:
        return judge_disabled(s, j, evidence);
    default:
        if (awaits_address(s->port))
            return without_address(s, j, evidence);
        /* no port is ACTIVE without a link: the file has been edited */
        if (s->host->partial && port_is_active(s->port))
            return judge_unknown(j, "%s, and the port is ACTIVE", evidence);
        return judge_fail(j, "%s", evidence);
    }
}

/* Ports of one card may be on two InfiniBand fabrics, each as fast as its switches: different subnet managers
 * or prefixes show that. */
static bool are_on_one_fabric(const struct port *a, const struct port *b)
{
    if (a->transport != TRANSPORT_INFINIBAND)
        return true;
    const struct gid *x = port_gid(a, 0), *y = port_gid(b, 0);
    bool other_manager = a->sm_lid.known && b->sm_lid.known && a->sm_lid.value != b->sm_lid.value;
    return !other_manager && (!x || !y || memcmp(x->raw, y->raw, 8) == 0);
}

JUDGE(port_rate)
{
    const struct port *port = s->port, *best = NULL;
    if (!port_is_active(port) || !port_carries_traffic(s))
        return judge_na(j, "the port is not ACTIVE");
    if (!port->rate_mbps.known)
        return judge_unknown(j, "%s could not be read", port_path(j, port, "rate"));
    for (const struct port *other = NULL; (other = port_next_sibling(s, other));) {
        if (!other->rate_mbps.known || other->transport != port->transport || !are_on_one_fabric(port, other))
            continue;
        if (!best || other->rate_mbps.value > best->rate_mbps.value)
            best = other;
    }
    if (!best)
        return judge_na(j, "there is no other ACTIVE port on a card of this kind");
    if (best->rate_mbps.value <= port->rate_mbps.value)
        return judge_pass(j, "%s: %s", port_path(j, port, "rate"), port->rate_text);
    if (s->netdev)
        judge_command(j, "ethtool {netdev} # compare with the other: cable, module, and the speed that the "
                         "switch's port is set to");
    return judge_warn(j, "%s: %s, %s/%u of the same board has %s", port_path(j, port, "rate"), port->rate_text,
                      best->device->name, best->number, best->rate_text);
}

static double gbps(struct num mbps)
{
    return (double)mbps.value / 1000;
}

/* The verdict when the speed is known and below what the netdev supports. */
static enum verdict slow_link(const struct qos *qos, struct judgement *j)
{
    const struct qos_ethtool *ethtool = &qos->ethtool;
    const char *name = fix_name(j, qos->netdev);
    bool withheld = ethtool->advertised_mbps.known &&
                    ethtool->advertised_mbps.value < ethtool->supported_mbps.value;
    if (withheld)
        judge_interrupting(
            j, "ethtool -s %s autoneg on # it advertises all that the netdev supports. The same at the switch",
            name);
    else if (ethtool->autoneg == TRI_NO)
        judge_interrupting(
            j,
            "ethtool -s %s speed %" PRIu64
            " autoneg off # where cable, module (ethtool -m %s) and the switch's port can do that",
            name, ethtool->supported_mbps.value, name);
    else
        judge_command(
            j, "ethtool -m %s # compare cable and module with the speed that the switch's port is set to",
            name);
    /* what the other end or the cable allows is the network's choice; a limit set here is a mistake */
    bool set_here = withheld || ethtool->autoneg == TRI_NO;
    return judge_as(j, set_here ? VERDICT_WARN : VERDICT_INFO,
                    "ethtool LINKMODES_GET of %s: %g Gb/s, it supports %g Gb/s%s", qos->netdev,
                    gbps(ethtool->speed_mbps), gbps(ethtool->supported_mbps),
                    withheld ? arena_printf(j->arena, ", but advertises no more than %g Gb/s",
                                            gbps(ethtool->advertised_mbps))
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
        return judge_na(j, "the driver of %s doesn't say which speeds it supports", qos->netdev);
    if (!ethtool->speed_mbps.known)
        return judge_unknown(j, "ethtool LINKMODES_GET of %s reports no speed", qos->netdev);
    if (ethtool->speed_mbps.value < ethtool->supported_mbps.value)
        return slow_link(qos, j);
    return judge_pass(j, "ethtool LINKMODES_GET of %s: %g Gb/s, it supports %g Gb/s", qos->netdev,
                      gbps(ethtool->speed_mbps), gbps(ethtool->supported_mbps));
}

/* A bond has as many links as members: the worst one counts. */
JUDGE(link_speed)
{
    if (!s->netdev || !port_is_roce(s->port) || !port_carries_traffic(s) || !port_is_active(s->port))
        return judge_na(j, "no ACTIVE RoCE port with a netdev here");
    const struct netdev *base = netdev_base(s->host, s->netdev);
    if (base->kind != NETDEV_BOND)
        return judge_speed_of(s, s->netdev, j);
    enum verdict worst = judge_na(j, "%s has no members here", base->name);
    for (size_t i = 0; i < base->nmembers; i++) {
        struct judgement one = { .arena = j->arena, .subject = s };
        const struct netdev *member = host_find_netdev(s->host, base->members[i]);
        if (!member)
            continue;
        enum verdict verdict = judge_speed_of(s, member, &one);
        if (verdict < worst)
            continue;
        worst = verdict;
        *j = one;
    }
    return worst;
}

JUDGE(port_module)
{
    if (!port_carries_traffic(s) || device_is_soft(s->port->device))
        return judge_na(j, "the port has no cage");
    if (s->port->rate_err == 0 && s->port->rate_text)
        return judge_pass(j, "%s: %s", port_path(j, s->port, "rate"), s->port->rate_text);
    if (s->port->rate_err == EINVAL && port_is_active(s->port))
        /* a link that is up has its module: the driver doesn't report a width or speed that the kernel knows */
        return judge_na(j, "%s: %s, but the port is ACTIVE", port_path(j, s->port, "rate"),
                        judge_errno(j, EINVAL));
    if (s->port->rate_err == EINVAL)
        return judge_fail(j, "%s: %s", port_path(j, s->port, "rate"), judge_errno(j, EINVAL));
    return judge_unknown(j, "%s: %s", port_path(j, s->port, "rate"),
                         s->port->rate_err ? judge_errno(j, s->port->rate_err) : "not read");
}

/* A port that nobody uses has this remark, and no other finding. */
JUDGE(port_in_use)
{
    struct port_use use = port_use(s->host, s->port, j->arena);
    if (use.use == USE_HERE && use.unsure && !s->named)
        return judge_unknown(j, "%s", use.reason);
    if (use.use == USE_HERE)
        return judge_pass(j, "%s", use.reason);
    if (s->named)
        return judge_pass(j, "you named it (%s)", use.reason);
    if (!device_is_given(s->host, s->device)) {
        judge_advice(j, "nothing, if it is for others; else ask for it where the container is described");
        return judge_info(j, "it was not given to this container");
    }
    if (!host_uses_rdma(s->host, j->arena))
        return judge_na(j, "%s, and no other port is used: all are judged", use.reason);
    /* a spare one has no gap left for it, and what pods and guests take needs no address here */
    bool bare = use.use == USE_NONE && port_is_active(s->port) && s->netdev &&
                netdev_frames(s->host, s->netdev, NULL) == FRAMES_KEPT;
    const char *gap = bare && !host_serves_others(s->host, j->arena) ? rail_planned_address(s, j->arena) : NULL;
    if (gap && !system_is_container(s->system))
        judge_command(j, "ip address add {ADDRESS/PREFIX} dev {netdev}");
    return judge_as(j, gap ? VERDICT_WARN : VERDICT_INFO, "%s%s%s%s%s", use.reason,
                    s->port->state_text ? "; " : "", s->port->state_text ? s->port->state_text : "",
                    gap ? "; by the plan of the others like it: " : "", gap ? gap : "");
}
