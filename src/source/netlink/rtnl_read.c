/* Asks rtnetlink and puts the answers into the host's netdevs. Where sysfs and netlink speak of the same
 * thing, netlink's word wins: it is that of the own network namespace. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if_arp.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "source/netlink/read.h"
#include "source/netlink/rtnl.h"
#include "source/netlink/transport.h"

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
    if (link->kind) {
        netdev->kind = NETDEV_OTHER;
        for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
            if (strcmp(link->kind, kinds[i].word) == 0)
                netdev->kind = kinds[i].kind;
        netdev->kind_text = link->kind;
    } else if (!netdev->kind_text) {
        netdev->kind = num_is(link->type, ARPHRD_LOOPBACK)     ? NETDEV_LOOPBACK
                       : num_is(link->type, ARPHRD_INFINIBAND) ? NETDEV_IPOIB
                       : link->parent_bus                      ? NETDEV_PHYSICAL
                                                               : NETDEV_OTHER;
        netdev->kind_text = netdev_kind_text(netdev->kind);
    }
}

static const struct rtnl_link *link_by_index(const struct rtnl_link *links, size_t count, struct num ifindex)
{
    for (size_t i = 0; ifindex.known && i < count; i++)
        if (links[i].ifindex.value == ifindex.value)
            return &links[i];
    return NULL;
}

#define TAKE_NUM(to, from) ((to) = (from).known ? (from) : (to))
#define TAKE_TEXT(to, from) ((to) = (from) ? (from) : (to))

static void merge_plain(struct netdev *netdev, const struct rtnl_link *link)
{
    netdev->ifindex = link->ifindex;
    TAKE_TEXT(netdev->mac, link->mac);
    TAKE_NUM(netdev->type, link->type);
    TAKE_NUM(netdev->flags, link->flags);
    TAKE_NUM(netdev->mtu, link->mtu);
    netdev->mtu_min = link->mtu_min;
    netdev->mtu_max = num_is(link->mtu_max, 0) ? (struct num){ 0 } : link->mtu_max; /* 0: no limit */
    TAKE_TEXT(netdev->operstate, rtnl_operstate_text(link->operstate));
    /* netlink says 0 of a netdev that is administratively down; sysfs, and we, that nobody knows */
    if (link->carrier.known && link->flags.value & 1)
        netdev->carrier = tri_of(link->carrier.value != 0);
    TAKE_NUM(netdev->carrier_changes, link->carrier_changes);
    TAKE_TEXT(netdev->phys_port_name, link->phys_port_name);
    TAKE_TEXT(netdev->phys_switch_id, link->phys_switch_id);
    TAKE_TEXT(netdev->parent, link->parent);
    TAKE_TEXT(netdev->parent_bus, link->parent_bus);
    netdev->alt_names = link->alt_names;
    netdev->nalt_names = link->nalt_names;
}

static void merge_bond(struct reader *reader, struct netdev *netdev, const struct rtnl_link *link,
                       const struct rtnl_link *links, size_t count)
{
    if (!netdev->bond)
        netdev->bond = arena_alloc(reader->arena, 1, sizeof(*netdev->bond));
    struct bond *bond = netdev->bond;
    TAKE_NUM(bond->mode, link->bond_mode);
    TAKE_TEXT(bond->mode_text, rtnl_bond_mode_text(link->bond_mode));
    const struct rtnl_link *active = link_by_index(links, count, link->bond_active);
    TAKE_TEXT(bond->active_member, active ? active->name : NULL);
    TAKE_TEXT(bond->xmit_hash_policy, rtnl_bond_policy_text(link->bond_policy));
    TAKE_NUM(bond->ad_num_ports, link->bond_num_ports);
    TAKE_NUM(bond->ad_aggregator, link->bond_aggregator);
}

static void merge_member(struct reader *reader, struct netdev *netdev, const struct rtnl_link *link)
{
    if (!netdev->member)
        netdev->member = arena_alloc(reader->arena, 1, sizeof(*netdev->member));
    struct bond_member *member = netdev->member;
    TAKE_NUM(member->state, link->member_state);
    TAKE_TEXT(member->mii_status, rtnl_bond_mii_text(link->member_mii));
    TAKE_NUM(member->failures, link->member_failures);
    TAKE_NUM(member->aggregator, link->member_aggregator);
}

static const char *vlan_protocol_text(struct num protocol)
{
    return num_is(protocol, ETH_P_8021Q) ? "802.1Q" : num_is(protocol, ETH_P_8021AD) ? "802.1ad" : NULL;
}

/* Of a master that says nothing of what is below it (hv_netvsc's VF, a team): the last netdev that names it,
 * as in sysfs, where the last of its lower_NAME counts. */
static const char *name_below(const struct rtnl_link *links, size_t count, struct num master)
{
    const char *last = NULL;
    for (size_t i = 0; i < count; i++)
        if (num_is(links[i].master, master.value) && (!last || text_version_compare(links[i].name, last) > 0))
            last = links[i].name;
    return last;
}

static void merge_relations(struct netdev *netdev, const struct rtnl_link *link,
                            const struct rtnl_link *links, size_t count)
{
    const struct rtnl_link *master = link_by_index(links, count, link->master);
    netdev->master = master ? master->name : NULL;
    /* IFLA_LINK of a veth is its peer, beside it and not below; a link that names itself has none below */
    bool has_lower = link->lower.known && link->lower.value && netdev->kind != NETDEV_VETH &&
                     link->lower.value != link->ifindex.value;
    if (has_lower) {
        const struct rtnl_link *lower =
            link->lower_netnsid.known ? NULL : link_by_index(links, count, link->lower);
        netdev->lower_ifindex = link->lower;
        netdev->lower = lower ? lower->name : NULL;
    } else if (netdev->kind != NETDEV_BOND && netdev->kind != NETDEV_BRIDGE) {
        TAKE_TEXT(netdev->lower, name_below(links, count, link->ifindex));
    }
}

static void merge_link(struct reader *reader, struct netdev *netdev, const struct rtnl_link *link,
                       const struct rtnl_link *links, size_t count)
{
    merge_plain(netdev, link);
    set_kind(netdev, link);
    merge_relations(netdev, link, links, count);
    TAKE_NUM(netdev->vlan_id, link->vlan_id);
    TAKE_TEXT(netdev->vlan_protocol, vlan_protocol_text(link->vlan_protocol));
    TAKE_TEXT(netdev->macvlan_mode, netdev->kind == NETDEV_IPVLAN
                                        ? rtnl_ipvlan_mode_text(link->ipvlan_mode)
                                        : rtnl_macvlan_mode_text(link->macvlan_mode));
    TAKE_NUM(netdev->ipoib_pkey, link->ipoib_pkey);
    if (link->ipoib_mode.known)
        netdev->ipoib_mode = link->ipoib_mode.value ? "connected" : "datagram";
    if (netdev->kind == NETDEV_BOND)
        merge_bond(reader, netdev, link, links, count);
    if (link->slave_kind && strcmp(link->slave_kind, "bond") == 0)
        merge_member(reader, netdev, link);
}

static int by_version(const void *a, const void *b)
{
    return text_version_compare(*(const char *const *)a, *(const char *const *)b);
}

/* The members of a bond or bridge, from the members' own word. */
static void set_members(struct reader *reader, struct netdev *netdev, const struct rtnl_link *links,
                        size_t count)
{
    netdev->members = NULL;
    netdev->nmembers = 0;
    for (size_t i = 0; i < count; i++)
        if (links[i].master.known && num_is(netdev->ifindex, links[i].master.value))
            *ARENA_PUSH(reader->arena, netdev->members, netdev->nmembers) = links[i].name;
    if (netdev->nmembers)
        qsort(netdev->members, netdev->nmembers, sizeof(*netdev->members), by_version);
}

/* The netdev of a link. sysfs may show another network namespace than netlink does (nsenter -n): then the
 * index differs and they aren't the same. */
static struct netdev *netdev_of(struct reader *reader, const struct rtnl_link *link)
{
    struct host *host = reader->host;
    struct netdev *netdev = host_find_netdev(host, link->name);
    if (netdev && netdev->ifindex.known && netdev->ifindex.value != link->ifindex.value)
        return NULL;
    if (!netdev && reader->needs & NEED_NETDEV_ALL) {
        netdev = ARENA_PUSH(reader->arena, host->netdevs, host->nnetdevs);
        netdev->name = link->name;
    }
    return netdev;
}

static int ask_links(struct reader *reader)
{
    struct request request;
    struct span reply;
    request_begin(&request, RTM_GETLINK, NLM_F_DUMP, sizeof(struct ifinfomsg));
    mnl_attr_put_u32(&request.header, IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
    int r = netlink_ask(reader, NETLINK_ROUTE, &request, &reply, "rtnl-links");
    if (r < 0)
        return r;
    return rtnl_parse_links(reply.data, reply.len, reader->arena, &reader->links, &reader->nlinks);
}

void read_rtnl_links(struct reader *reader)
{
    reader->links_error = ask_links(reader);
}

bool read_rtnl_link(const struct reader *reader, struct netdev *netdev)
{
    if (source_is_recording(reader->source) || reader->source->recorder)
        return false;
    for (size_t i = 0; i < reader->nlinks; i++) {
        const struct rtnl_link *link = &reader->links[i];
        if (num_is(netdev->ifindex, link->ifindex.value) && strcmp(link->name, netdev->name) == 0) {
            merge_plain(netdev, link);
            return true;
        }
    }
    return false;
}

static int merge_links(struct reader *reader)
{
    for (size_t i = 0; i < reader->nlinks; i++) {
        const struct rtnl_link *link = &reader->links[i];
        struct netdev *netdev = netdev_of(reader, link);
        if (!netdev)
            continue;
        merge_link(reader, netdev, link, reader->links, reader->nlinks);
        if (netdev->kind == NETDEV_BOND || netdev->kind == NETDEV_BRIDGE)
            set_members(reader, netdev, reader->links, reader->nlinks);
    }
    return reader->links_error;
}

static int read_addresses(struct reader *reader)
{
    struct request request;
    struct span reply;
    request_begin(&request, RTM_GETADDR, NLM_F_DUMP, sizeof(struct ifaddrmsg));
    int r = netlink_ask(reader, NETLINK_ROUTE, &request, &reply, "rtnl-addresses");
    if (r < 0)
        return r;
    struct rtnl_address *addresses = NULL;
    size_t count = 0;
    r = rtnl_parse_addresses(reply.data, reply.len, reader->arena, &addresses, &count);
    struct host *host = reader->host;
    for (size_t i = 0; i < host->nnetdevs; i++)
        host->netdevs[i].addresses_known = host->netdevs[i].ifindex.known;
    for (size_t i = 0; i < count; i++) {
        struct netdev *netdev = host_find_netdev_by_index(host, addresses[i].ifindex.value);
        if (netdev)
            *ARENA_PUSH(reader->arena, netdev->addresses, netdev->naddresses) = addresses[i].address;
    }
    return r;
}

static const char *name_of(const struct host *host, struct num ifindex)
{
    const struct netdev *netdev = ifindex.known ? host_find_netdev_by_index(host, ifindex.value) : NULL;
    return netdev ? netdev->name : NULL;
}

static int read_routes(struct reader *reader)
{
    struct host *host = reader->host;
    struct request request;
    struct span reply;
    request_begin(&request, RTM_GETROUTE, NLM_F_DUMP, sizeof(struct rtmsg));
    int r = netlink_ask(reader, NETLINK_ROUTE, &request, &reply, "rtnl-routes");
    if (r < 0)
        return r;
    r = rtnl_parse_routes(reply.data, reply.len, reader->arena, &host->routes, &host->nroutes);
    for (size_t i = 0; i < host->nroutes; i++)
        host->routes[i].netdev = name_of(host, host->routes[i].ifindex);
    host->routes_known = r == 0;
    return r;
}

static int read_neighbours(struct reader *reader)
{
    struct host *host = reader->host;
    struct request request;
    struct span reply;
    request_begin(&request, RTM_GETNEIGH, NLM_F_DUMP, sizeof(struct ndmsg));
    int r = netlink_ask(reader, NETLINK_ROUTE, &request, &reply, "rtnl-neighbours");
    if (r < 0)
        return r;
    r = rtnl_parse_neighbours(reply.data, reply.len, reader->arena, &host->neighbours, &host->nneighbours);
    for (size_t i = 0; i < host->nneighbours; i++)
        host->neighbours[i].netdev = name_of(host, host->neighbours[i].ifindex);
    return r;
}

static int read_rules(struct reader *reader)
{
    struct host *host = reader->host;
    struct request request;
    struct span reply;
    request_begin(&request, RTM_GETRULE, NLM_F_DUMP, sizeof(struct rtmsg));
    int r = netlink_ask(reader, NETLINK_ROUTE, &request, &reply, "rtnl-rules");
    if (r < 0)
        return r;
    return rtnl_parse_rules(reply.data, reply.len, reader->arena, &host->rules, &host->nrules);
}

static int note(struct reader *reader, int err, const char *what)
{
    if (err < 0)
        netlink_problem(reader, err, "%s", what);
    return err;
}

void read_rtnl(struct reader *reader)
{
    if (note(reader, merge_links(reader), "rtnl-links") == 0 && reader->needs & NEED_ADDRESSES)
        note(reader, read_addresses(reader), "rtnl-addresses");
    if (reader->needs & NEED_ROUTES) {
        note(reader, read_routes(reader), "rtnl-routes");
        note(reader, read_neighbours(reader), "rtnl-neighbours");
        note(reader, read_rules(reader), "rtnl-rules");
    }
}
