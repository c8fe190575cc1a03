/* SPDX-License-Identifier: MIT */
/* Bonds, virtual functions, sub-functions, representors. */
#include <net/if.h>

#include "check/judge.h"
#include "model/topology.h"

/* The RDMA device of a netdev: on the same PCI function, or (soft RoCE) made on top of it. */
static const struct device *device_of(const struct host *host, const struct netdev *netdev)
{
    for (size_t d = 0; d < host->ndevices; d++) {
        const struct device *device = &host->devices[d];
        if (device->parent && (strcmp(device->parent, netdev->name) == 0 ||
                               (netdev->parent && strcmp(device->parent, netdev->parent) == 0)))
            return device;
    }
    return NULL;
}

/* Does a bond involve RDMA: does a member have a device, or do GIDs belong to it? */
static bool carries_rdma(const struct host *host, const struct netdev *bond)
{
    for (size_t i = 0; i < bond->nmembers; i++) {
        const struct netdev *member = host_find_netdev(host, bond->members[i]);
        if (member && (member->nibdevs || device_of(host, member)))
            return true;
    }
    for (const struct port *port = NULL; (port = host_next_port(host, port));)
        if (text_is(port->netdev, bond->name))
            return true;
    return false;
}

static bool is_rdma_bond(const struct subject *s)
{
    return s->netdev->kind == NETDEV_BOND && s->netdev->bond && carries_rdma(s->host, s->netdev);
}

PRECONDITION(no_bond)
{
    return is_rdma_bond(s) ? VERDICTS : judge_na(j, "not a bond over RDMA devices");
}

PRECONDITION(no_hardware_bond)
{
    const struct device *device = is_rdma_bond(s) ? device_of(s->host, s->netdev) : NULL;
    return is_rdma_bond(s) && !(device && device_is_soft(device))
               ? VERDICTS
               : judge_na(j, "not a bond over RDMA hardware");
}

JUDGE(bond_mode)
{
    const struct bond *bond = s->netdev->bond;
    if (!bond->mode.known)
        return judge_unknown(j, "/sys/class/net/%s/bonding/mode could not be read", s->netdev->name);
    bool fits = bond->mode.value == 1 || bond->mode.value == 2 || bond->mode.value == 4;
    judge_advice(j, "mode 802.3ad (with LACP at the switch), balance-xor or active-backup for {netdev}");
    return judge_as(j, fits ? VERDICT_PASS : VERDICT_FAIL, "/sys/class/net/%s/bonding/mode: %s %" PRIu64,
                    s->netdev->name, bond->mode_text, bond->mode.value);
}

/* The bond's first member, and the first one on another card; false if all are on one. */
static bool find_cards(const struct host *host, const struct netdev *bond, const struct netdev *cards[static 2])
{
    cards[0] = cards[1] = NULL;
    for (size_t i = 0; i < bond->nmembers && !cards[1]; i++) {
        const struct netdev *member = host_find_netdev(host, bond->members[i]);
        if (!member || !member->parent)
            continue;
        if (!cards[0])
            cards[0] = member;
        else if (!pci_is_one_card(cards[0]->parent, member->parent))
            cards[1] = member;
    }
    return cards[1] != NULL;
}

static bool spans_cards(const struct host *host, const struct netdev *bond)
{
    const struct netdev *cards[2];
    return find_cards(host, bond, cards);
}

/* A bond over two cards is for availability, and RDMA uses one of them at a time. */
JUDGE(bond_cards)
{
    const struct netdev *cards[2];
    if (find_cards(s->host, s->netdev, cards))
        return judge_info(j, "%s: members %s (%s) and %s (%s) are on different cards", s->netdev->name,
                          cards[0]->name, cards[0]->parent, cards[1]->name, cards[1]->parent);
    return cards[0] ? judge_pass(j, "the members of %s are on one card", s->netdev->name)
                    : judge_unknown(j, "the members of %s have no known PCI function", s->netdev->name);
}

/* Which of the members that are up LACP leaves out; VERDICTS if none. */
static enum verdict judge_lacp(const struct subject *s, struct judgement *j)
{
    const struct bond *bond = s->netdev->bond;
    if (text_is(bond->ad_partner_mac, "00:00:00:00:00:00")) {
        judge_advice(
            j, "set up LACP (802.3ad, active) at the switch for the ports of {netdev}: it doesn't answer");
        return judge_fail(j, "/sys/class/net/%s/bonding/ad_partner_mac: %s", s->netdev->name,
                          bond->ad_partner_mac);
    }
    for (size_t i = 0; i < s->netdev->nmembers; i++) {
        const struct netdev *member = host_find_netdev(s->host, s->netdev->members[i]);
        const struct num bundle = bond->ad_aggregator, own = member->member->aggregator;
        judge_advice(j, "check that the switch bundles the port of %s with the others (LACP, same speed)",
                     fix_name(j, member->name));
        if (bundle.known && own.known && bundle.value != own.value)
            return judge_fail(j, "%s is in LACP aggregator %" PRIu64 ", %s uses %" PRIu64, member->name,
                              own.value, s->netdev->name, bundle.value);
    }
    return VERDICTS;
}

JUDGE(bond_members)
{
    if (!s->netdev->nmembers)
        return judge_fail(j, "%s has no member", s->netdev->name);
    for (size_t i = 0; i < s->netdev->nmembers; i++) {
        const struct netdev *member = host_find_netdev(s->host, s->netdev->members[i]);
        if (!member || !member->member || !member->member->mii_status)
            return judge_unknown(j, "/sys/class/net/%s/bonding_slave/mii_status could not be read",
                                 s->netdev->members[i]);
        judge_command(j,
                      "ip link set dev %s up # if it is: look at its cable, its module and the switch's port",
                      fix_name(j, member->name));
        if (strcmp(member->member->mii_status, "up") != 0)
            return judge_fail(j, "/sys/class/net/%s/bonding_slave/mii_status: %s", member->name,
                              member->member->mii_status);
    }
    enum verdict lacp = num_is(s->netdev->bond->mode, 4) ? judge_lacp(s, j) : VERDICTS;
    if (lacp != VERDICTS)
        return lacp;
    return judge_pass(j, "all %zu members of %s are up", s->netdev->nmembers, s->netdev->name);
}

JUDGE(bond_backup)
{
    if (!is_rdma_bond(s) || !num_is(s->netdev->bond->mode, 1))
        return judge_na(j, "not an active-backup bond over RDMA devices");
    const struct bond *bond = s->netdev->bond;
    if (!bond->active_member)
        return judge_unknown(j, "/sys/class/net/%s/bonding/active_slave could not be read", s->netdev->name);
    if (!bond->primary)
        return judge_na(j, "%s has no primary member", s->netdev->name);
    judge_advice(j, "repair the link of %s, then: ip link set dev {netdev} type bond active_slave %s",
                 fix_name(j, bond->primary), fix_name(j, bond->primary));
    return judge_as(j, strcmp(bond->active_member, bond->primary) ? VERDICT_WARN : VERDICT_PASS,
                    "/sys/class/net/%s/bonding/active_slave: %s, primary: %s", s->netdev->name,
                    bond->active_member, bond->primary);
}

JUDGE(bond_mtu)
{
    if (!s->netdev->mtu.known)
        return judge_unknown(j, "/sys/class/net/%s/mtu could not be read", s->netdev->name);
    for (size_t i = 0; i < s->netdev->nmembers; i++) {
        const struct netdev *member = host_find_netdev(s->host, s->netdev->members[i]);
        if (!member || !member->mtu.known || member->mtu.value == s->netdev->mtu.value)
            continue;
        judge_command(j,
                      "ip link set dev {netdev} mtu %" PRIu64
                      " # the bond gives it to its members; some NICs stop for a moment",
                      s->netdev->mtu.value > member->mtu.value ? s->netdev->mtu.value : member->mtu.value);
        return judge_warn(j, "/sys/class/net/%s/mtu: %" PRIu64 ", of %s: %" PRIu64, member->name,
                          member->mtu.value, s->netdev->name, s->netdev->mtu.value);
    }
    return judge_pass(j, "/sys/class/net/%s/mtu: %" PRIu64 ", members too", s->netdev->name,
                      s->netdev->mtu.value);
}

/* Hardware that was not merged keeps using only the member's link, and takes its packets before anything above
 * the netdev does. */
JUDGE(device_on_bond_member)
{
    if (!port_is_roce(s->port))
        return judge_na(j, "not a RoCE port");
    const struct netdev *netdev = s->netdev, *bond;
    enum frames frames = netdev ? netdev_frames(s->host, netdev, &bond) : FRAMES_KEPT;
    if (!netdev)
        return judge_na(j, "the port has no netdev here");
    if (device_is_rxe(s->device) && frames > FRAMES_UNKNOWN) {
        fix_soft_below(s, j, frames, bond);
        return judge_as(j, port_first_reached(s->host, s->port) ? VERDICT_INFO : VERDICT_FAIL,
                        "%s is made over %s, %s %s", s->device->name, netdev->name, frames_text(frames),
                        bond->name);
    }
    if (frames != FRAMES_TO_BOND)
        return judge_pass(j, "%s isn't a member of a bond", netdev->name);
    if (spans_cards(s->host, bond))
        return judge_info(j, "%s is a member of %s, over different cards: each keeps a device of its own",
                          netdev->name, bond->name);
    if (s->host->partial) /* a merged device is recognised by its GIDs' netdevs */
        return judge_unknown(j, "this tree doesn't tell whether the device was merged into a bonded one");
    judge_advice(j,
                 "bond both ports of one card in mode 1, 2 or 4, so that the driver makes one device of them, "
                 "or take %s out of %s",
                 fix_name(j, netdev->name), fix_name(j, bond->name));
    return judge_warn(j, "%s is a member of %s, and its device was not merged into a bonded one", netdev->name,
                      bond->name);
}

static bool has_gid_table(const struct device *device)
{
    for (size_t i = 0; i < device->nports; i++)
        if (device->ports[i].gid_table_len.known && device->ports[i].gid_table_len.value)
            return true;
    return false;
}

JUDGE(vf_roce)
{
    if (s->device->transport != TRANSPORT_ROCE || !s->pci || !s->pci->physfn)
        return judge_na(j, "not a virtual function with an Ethernet port");
    if (has_gid_table(s->device) && s->device->roce_enabled != TRI_NO)
        return judge_pass(j, "virtual function %s of %s has a GID table", s->pci->address, s->pci->physfn);
    if (device_is_switch(s->host, s->device) || (s->device->nports && port_is_raw(&s->device->ports[0])))
        return judge_na(j, "virtual function %s only forwards, or gives raw packets", s->pci->address);
    if (host_infiniband_port(s->host))
        return judge_na(j, "virtual function %s has no GID table, and the host uses InfiniBand",
                        s->pci->address);
    judge_command(
        j,
        "devlink port function set {PORT} roce enable # on the host that has %s, before the function is bound",
        s->pci->physfn);
    return judge_fail(j, "virtual function %s of %s has no GID table", s->pci->address, s->pci->physfn);
}

/* Ethernet drivers derive the GUID from the MAC and refuse node_guid (mlx5e_set_vf_mac(), and no
 * ndo_set_vf_guid in mlx5/core/en_main.c; ipoib has it). Either one takes effect when the function is bound. */
static void fix_vf_guid(const struct subject *s, struct judgement *j, const struct pci *pci)
{
    const struct netdev *netdev = s->device->nports ? port_netdev(s->host, &s->device->ports[0]) : NULL;
    const char *set = s->device->transport != TRANSPORT_ROCE ? "node_guid {GUID}"
                      : netdev && netdev->mac                ? arena_printf(j->arena, "mac %s", netdev->mac)
                                                             : "mac {MAC}";
    const char *bind = arena_printf(j->arena, "/sys/bus/pci/drivers/%s",
                                    pci->driver ? pci->driver : "{DRIVER}");
    judge_interrupting(
        j,
        "ip link set dev %s %s && echo {pci} >%s/unbind && echo {pci} >%s/bind # on the host that "
        "has %s",
        fix_function(j, pci), set, bind, bind, pci->physfn);
}

JUDGE(vf_guid)
{
    bool ours = s->pci && s->pci->physfn, none = s->device->node_guid.known && !s->device->node_guid.value;
    /* in a guest nothing says that it is a virtual function; EFA's devices and raw ones have no GUIDs at all */
    bool guests = none && s->device->transport != TRANSPORT_UNSPECIFIED && has_gid_table(s->device);
    if (!ours && !guests)
        return judge_na(j, "not a virtual function");
    if (!s->device->node_guid.known)
        return judge_unknown(j, "/sys/class/infiniband/%s/node_guid could not be read", s->device->name);
    if (ours)
        fix_vf_guid(s, j, s->pci);
    return judge_as(j, s->device->node_guid.value ? VERDICT_PASS : VERDICT_WARN,
                    "/sys/class/infiniband/%s/node_guid: %s", s->device->name,
                    s->device->node_guid.value ? "set" : "0000:0000:0000:0000");
}

JUDGE(sf_roce)
{
    if (!text_starts(s->device->parent_bus, "auxiliary") || s->device->transport != TRANSPORT_ROCE)
        return judge_na(j, "not a sub-function with an Ethernet port");
    if (has_gid_table(s->device))
        return judge_pass(j, "sub-function %s has a GID table", s->device->parent);
    if (host_infiniband_port(s->host))
        return judge_na(j, "sub-function %s has no GID table, and the host uses InfiniBand", s->device->parent);
    fix_devlink_on(j, "auxiliary", s->device->parent, "enable_roce");
    return judge_fail(j, "sub-function %s has no GID table", s->device->parent);
}

JUDGE(representor_up)
{
    if (s->netdev->kind != NETDEV_REPRESENTOR)
        return judge_na(j, "not a representor");
    if (!s->netdev->flags.known)
        return judge_unknown(j, "/sys/class/net/%s/flags could not be read", s->netdev->name);
    judge_command(j, "ip link set dev %s up", fix_name(j, s->netdev->name));
    /* one that has neither master nor address belongs to a function that nobody uses */
    bool leads = s->netdev->master || s->netdev->naddresses;
    return judge_as(j,
                    s->netdev->flags.value & IFF_UP ? VERDICT_PASS
                    : leads                         ? VERDICT_WARN
                                                    : VERDICT_INFO,
                    "/sys/class/net/%s/flags: 0x%" PRIx64 "%s", s->netdev->name, netdev_file_flags(s->netdev),
                    s->netdev->flags.value & IFF_UP ? "" : ", without IFF_UP");
}
