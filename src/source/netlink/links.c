/* SPDX-License-Identifier: MIT */
/* Makes netdevs of rtnetlink's links, before the files of /sys fill in what it doesn't tell. */
#include <linux/if_ether.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "source/netlink/ask.h"
#include "source/netlink/parsers.h"
#include "source/netlink/read.h"

struct links {
    struct rtnl_link *items;
    size_t count;
};

static const struct {
    const char *word;
    enum netdev_kind kind;
} kinds[] = {
    { "vlan", NETDEV_VLAN },       { "bond", NETDEV_BOND },       { "bridge", NETDEV_BRIDGE },
    { "macvlan", NETDEV_MACVLAN }, { "macvtap", NETDEV_MACVLAN }, { "ipvlan", NETDEV_IPVLAN },
    { "ipvtap", NETDEV_IPVLAN },   { "ipoib", NETDEV_IPOIB },     { "veth", NETDEV_VETH },
    { "vxlan", NETDEV_VXLAN },     { "dummy", NETDEV_DUMMY },
};

static void set_kind(struct netdev *netdev, const struct rtnl_link *link)
{
    if (!link->kind)
        return; /* hardware, mostly: the files know more */
    netdev->kind = NETDEV_OTHER;
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (strcmp(link->kind, kinds[i].word) == 0)
            netdev->kind = kinds[i].kind;
    netdev->kind_text = link->kind;
}

static const struct rtnl_link *link_by_index(const struct links *links, struct num ifindex)
{
    for (size_t i = 0; ifindex.known && i < links->count; i++)
        if (links->items[i].ifindex.value == ifindex.value)
            return &links->items[i];
    return NULL;
}

static void set_plain(struct netdev *netdev, const struct rtnl_link *link)
{
    *netdev = (struct netdev){
        .name = link->name,
        .ifindex = link->ifindex,
        .mac = link->mac,
        .type = link->type,
        .flags = link->flags,
        .mtu = link->mtu,
        .mtu_min = link->mtu_min,
        .mtu_max = num_is(link->mtu_max, 0) ? (struct num){ 0 } : link->mtu_max, /* 0: no limit */
        .operstate = rtnl_operstate_text(link->operstate),
        .carrier_changes = link->carrier_changes,
        .carrier_downs = link->carrier_downs,
        .phys_port_name = link->phys_port_name,
        .phys_switch_id = link->phys_switch_id,
        .parent = link->parent,
        .parent_bus = link->parent_bus,
        .alt_names = link->alt_names,
        .nalt_names = link->nalt_names,
    };
    /* netlink says 0 of a netdev that is administratively down; sysfs, and we, that nobody knows */
    if (link->carrier.known && link->flags.value & 1)
        netdev->carrier = tri_of(link->carrier.value != 0);
}

static void set_bond(struct arena *arena, struct netdev *netdev, const struct rtnl_link *link,
                     const struct links *links)
{
    const struct rtnl_link *active = link_by_index(links, link->bond_active);
    netdev->bond = arena_alloc(arena, 1, sizeof(*netdev->bond));
    *netdev->bond = (struct bond){
        .mode = link->bond_mode,
        .mode_text = rtnl_bond_mode_text(link->bond_mode),
        .active_member = active ? active->name : NULL,
        .xmit_hash_policy = rtnl_bond_policy_text(link->bond_policy),
        .ad_num_ports = link->bond_num_ports,
        .ad_aggregator = link->bond_aggregator,
        .ad_partner_mac = link->bond_partner,
    };
}

static void set_member(struct arena *arena, struct netdev *netdev, const struct rtnl_link *link)
{
    netdev->member = arena_alloc(arena, 1, sizeof(*netdev->member));
    *netdev->member = (struct bond_member){
        .state = link->member_state,
        .mii_status = rtnl_bond_mii_text(link->member_mii),
        .failures = link->member_failures,
        .aggregator = link->member_aggregator,
    };
}

static const char *vlan_protocol_text(struct num protocol)
{
    return num_is(protocol, ETH_P_8021Q) ? "802.1Q" : num_is(protocol, ETH_P_8021AD) ? "802.1ad" : NULL;
}

/* Of a master that says nothing of what is below it (hv_netvsc's VF, a team): the last netdev that names it,
 * as in sysfs, where the last of its lower_NAME counts. */
static const char *name_below(const struct links *links, struct num master)
{
    const char *last = NULL;
    for (size_t i = 0; i < links->count; i++) /* in the order of their names */
        if (num_is(links->items[i].master, master.value))
            last = links->items[i].name;
    return last;
}

/* The members of a bond or bridge, from the members' own word. */
static void set_members(struct arena *arena, struct netdev *netdev, const struct links *links)
{
    for (size_t i = 0; i < links->count; i++)
        if (num_is(links->items[i].master, netdev->ifindex.value))
            *ARENA_PUSH(arena, netdev->members, netdev->nmembers) = links->items[i].name;
}

/* Whose IFLA_LINK names no netdev below. A veth's and a netkit's is the peer beside it. A tunnel's is the one
 * that its packets leave by (ip_tunnel_get_iflink() of net/ipv4/ip_tunnel.c, and its like in net/ipv6 and
 * net/xfrm), but none of these links itself above it: in guests with 6.1 and 7.2 sysfs has no lower_NAME of
 * any of them, and their addresses gave no GID (roce_gid_mgmt.c asks netdev_has_upper_dev_all_rcu()). Geneve
 * and WireGuard name themselves. VLANs, macvlans, ipvlans and MACsec are linked, and their addresses become
 * GIDs; so do VXLAN's (since Linux 5.4: 0ce1822c2a08, "vxlan: add adjacent link to limit depth level"). */
static bool lies_on_nothing(const char *kind)
{
    static const char *const beside[] = { "veth",   "netkit",    "gre",       "gretap", "erspan",
                                          "ip6gre", "ip6gretap", "ip6erspan", "ipip",   "sit",
                                          "ip6tnl", "vti",       "vti6",      "xfrm" };
    for (size_t i = 0; kind && i < ARRAY_SIZE(beside); i++)
        if (strcmp(kind, beside[i]) == 0)
            return true;
    return false;
}

static void set_relations(struct arena *arena, struct netdev *netdev, const struct rtnl_link *link,
                          const struct links *links)
{
    const struct rtnl_link *master = link_by_index(links, link->master);
    bool has_members = netdev->kind == NETDEV_BOND || netdev->kind == NETDEV_BRIDGE;
    netdev->master = master ? master->name : NULL;
    /* a link that names itself has none below */
    bool has_lower = link->lower.known && link->lower.value && !lies_on_nothing(link->kind) &&
                     link->lower.value != link->ifindex.value;
    if (has_lower) {
        const struct rtnl_link *lower = link->lower_netnsid.known ? NULL : link_by_index(links, link->lower);
        netdev->lower_ifindex = link->lower;
        netdev->lower = lower ? lower->name : NULL;
    } else if (!has_members) {
        netdev->lower = name_below(links, link->ifindex);
    }
    if (has_members)
        set_members(arena, netdev, links);
}

static struct netdev netdev_of(struct arena *arena, const struct rtnl_link *link, const struct links *links)
{
    struct netdev netdev;
    set_plain(&netdev, link);
    set_kind(&netdev, link);
    set_relations(arena, &netdev, link, links);
    netdev.vlan_id = link->vlan_id;
    netdev.vlan_protocol = vlan_protocol_text(link->vlan_protocol);
    netdev.egress = link->egress;
    netdev.negress = link->negress;
    netdev.egress_known = link->vlan_id.known; /* the same nest has both */
    netdev.macvlan_mode = netdev.kind == NETDEV_IPVLAN ? rtnl_ipvlan_mode_text(link->ipvlan_mode)
                                                       : rtnl_macvlan_mode_text(link->macvlan_mode);
    netdev.ipoib_pkey = link->ipoib_pkey;
    if (link->ipoib_mode.known)
        netdev.ipoib_mode = link->ipoib_mode.value ? "connected" : "datagram";
    if (netdev.kind == NETDEV_BOND)
        set_bond(arena, &netdev, link, links);
    if (text_is(link->slave_kind, "bond"))
        set_member(arena, &netdev, link);
    return netdev;
}

static bool is_wanted(const struct reader *reader, const char *name)
{
    if (reader->needs & NEED_NETDEV_ALL)
        return true;
    for (size_t i = 0; i < reader->nwanted; i++)
        if (strcmp(reader->wanted[i].name, name) == 0)
            return true;
    return false;
}

static int by_name(const void *a, const void *b)
{
    return text_version_compare(((const struct rtnl_link *)a)->name, ((const struct rtnl_link *)b)->name);
}

static int take_links(struct reader *reader, struct span reply, void *data)
{
    (void)data;
    struct host *host = reader->host;
    struct links links = { 0 };
    int r = rtnl_parse_links(reply.data, reply.len, reader->arena, &links.items, &links.count);
    if (links.count)
        qsort(links.items, links.count, sizeof(*links.items), by_name);
    for (size_t i = 0; i < links.count; i++) {
        const struct rtnl_link *link = &links.items[i];
        if (is_wanted(reader, link->name) && !host_find_netdev(host, link->name))
            *ARENA_PUSH(reader->arena, host->netdevs, host->nnetdevs) = netdev_of(reader->arena, link, &links);
    }
    return r;
}

int read_links(struct reader *reader)
{
    return netlink_read(reader, ASK_LINKS, NULL, take_links, NULL);
}
