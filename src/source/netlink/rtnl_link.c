/* SPDX-License-Identifier: MIT */
/* RTM_NEWLINK as a netdev, with what each kind of link adds. */
#include <linux/if.h>
#include <linux/if_bonding.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include "source/netlink/parsers.h"

static const char *const operstates[] = { "unknown", "notpresent", "down", "lowerlayerdown",
                                          "testing", "dormant",    "up" };
static const char *const bond_modes[] = { "balance-rr", "active-backup", "balance-xor", "broadcast",
                                          "802.3ad",    "balance-tlb",   "balance-alb" };
static const char *const bond_policies[] = { "layer2",   "layer3+4", "layer2+3",
                                             "encap2+3", "encap3+4", "vlan+srcmac" };
static const char *const mii_states[] = { "up", "going down", "down", "going back" };
static const char *const macvlan_modes[] = { [MACVLAN_MODE_PRIVATE] = "private",
                                             [MACVLAN_MODE_VEPA] = "vepa",
                                             [MACVLAN_MODE_BRIDGE] = "bridge",
                                             [MACVLAN_MODE_PASSTHRU] = "passthru",
                                             [MACVLAN_MODE_SOURCE] = "source" };
static const char *const ipvlan_modes[] = { "l2", "l3", "l3s" };
static const char *const ipoib_modes[] = { "datagram", "connected" };

NETLINK_RTNL_BOND;

/* The kernel reports only entries whose PCP isn't 0 (vlan_fill_info() in net/8021q/vlan_netlink.c). */
static bool take_pcp(void *to, struct reading *reading)
{
    struct ifla_vlan_qos_mapping mapping;
    attribute_copy(&mapping, sizeof(mapping), reading);
    *(struct vlan_pcp *)to = (struct vlan_pcp){ order32(mapping.from), order32(mapping.to) & 7 };
    return true;
}

static bool take_vlan_protocol(void *to, struct reading *reading)
{
    struct netdev *netdev = to;
    size_t len;
    const uint8_t *bytes = attr_bytes(reading->attr, &len); /* in network order on any machine */
    unsigned protocol = (unsigned)bytes[0] << 8 | bytes[1];
    netdev->vlan_protocol = protocol == ETH_P_8021Q ? "802.1Q" : protocol == ETH_P_8021AD ? "802.1ad" : NULL;
    return true;
}

NETLINK_RTNL_KINDS;

static const struct choice kinds[] = {
    { "vlan", { NEST(0, vlan) } },       { "bond", { NEST_NEW(0, bond, struct netdev, bond) } },
    { "macvlan", { NEST(0, macvlan) } }, { "macvtap", { NEST(0, macvlan) } },
    { "ipvlan", { NEST(0, ipvlan) } },   { "ipvtap", { NEST(0, ipvlan) } },
    { "ipoib", { NEST(0, ipoib) } },     { "vxlan", { NEST(0, vxlan) } },
    { "vrf", { NEST(0, vrf) } },
};
static const struct choice member_kinds[] = {
    { "bond", { NEST_NEW(0, bond_member, struct netdev, member) } },
};

/* The meaning of the data depends on the kind: in a tunnel's, the same numbers stand for its peer's address. */
NETLINK_RTNL_LINKS;

static bool begin_link(void *to, struct reading *reading)
{
    const struct ifinfomsg *info = reading->header;
    struct netdev *netdev = to;
    netdev->ifindex = num_of(order32((uint32_t)info->ifi_index));
    netdev->type = num_of(order16(info->ifi_type));
    netdev->flags = num_of(order32(info->ifi_flags));
    return info->ifi_family == AF_UNSPEC; /* else about a bridge port, not the link itself */
}

/* True if IFLA_LINK doesn't name a lower netdev. For veth and netkit it is the peer; for tunnels the netdev
 * that packets leave by (ip_tunnel_get_iflink() in net/ipv4/ip_tunnel.c, its like in net/ipv6 and net/xfrm),
 * but none is linked as its upper: in guests with 6.1 and 7.2 sysfs has no lower_NAME for any, and their
 * addresses gave no GID (roce_gid_mgmt.c asks netdev_has_upper_dev_all_rcu()). Geneve and WireGuard name
 * themselves. VLANs, macvlans, ipvlans and MACsec are linked, and their addresses become GIDs; so do VXLAN's
 * (since Linux 5.4: 0ce1822c2a08, "vxlan: add adjacent link to limit depth level"). */
static bool lies_on_nothing(const struct netdev *netdev)
{
    static const char *const beside[] = { "veth",   "netkit",    "gre",       "gretap", "erspan",
                                          "ip6gre", "ip6gretap", "ip6erspan", "ipip",   "sit",
                                          "ip6tnl", "vti",       "vti6",      "xfrm" };
    if (num_is(netdev->lower_ifindex, 0) || num_is(netdev->lower_ifindex, netdev->ifindex.value))
        return true;
    for (size_t i = 0; i < ARRAY_SIZE(beside); i++)
        if (text_is(netdev->kind_text, beside[i]))
            return true;
    return false;
}

static bool end_link(void *to, struct reading *reading)
{
    struct netdev *netdev = to;
    if (num_is(netdev->mtu_max, 0)) /* no limit */
        netdev->mtu_max = (struct num){ 0 };
    /* netlink reports 0 if the netdev is administratively down; to sysfs, and to us, it is unknown */
    if (!(netdev->flags.value & IFF_UP))
        netdev->carrier = TRI_UNKNOWN;
    if (text_is(netdev->kind_text, "veth"))
        netdev->peer_ifindex = netdev->lower_ifindex;
    if (lies_on_nothing(netdev))
        netdev->lower_ifindex = (struct num){ 0 };
    if (netdev->kind_text) /* else mostly hardware: the files say more */
        netdev->kind = netdev_kind_of(netdev->kind_text);
    if (netdev->kind == NETDEV_BOND && !netdev->bond)
        netdev->bond = arena_alloc(reading->arena, 1, sizeof(*netdev->bond));
    return netdev->name != NULL; /* all of the kernel's have one */
}

const struct answer rtnl_links = { .type = RTM_NEWLINK,
                                   .header = sizeof(struct ifinfomsg),
                                   .table = links,
                                   .begin = begin_link,
                                   .end = end_link };
