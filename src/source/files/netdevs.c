/* SPDX-License-Identifier: MIT */
/* Which netdevs are read, and how what their files say is merged with what netlink reported. */
#include "source/files/files.h"

struct wanted_netdev *find_wanted(const struct reader *reader, const char *name)
{
    for (size_t i = 0; i < reader->nwanted; i++)
        if (text_is(name, reader->wanted[i].name))
            return &reader->wanted[i];
    return NULL;
}

static void want_netdev(struct reader *reader, const char *name, const char *parent, bool only)
{
    if (strchr(name, '/'))
        return;
    struct wanted_netdev *known = find_wanted(reader, name);
    if (!known && reader->nwanted == NETDEVS_MOST)
        return;
    if (!known) {
        known = ARENA_PUSH(reader->arena, reader->wanted, reader->nwanted);
        known->name = name;
    }
    if (!known->parent) { /* a GID of another namespace may have named it before */
        known->parent = parent;
        known->only = only;
    }
}

/* Netdevs that may belong to ports: those with the same parent, the soft driver's, and those that GIDs name. */
static void want_related(struct reader *reader, const struct device *device)
{
    bool is_virtual = device->parent_bus && strcmp(device->parent_bus, "virtual") == 0;
    if (is_virtual && device->parent)
        want_netdev(reader, device->parent, NULL, false);
    if (!is_virtual) {
        struct names names = read_list(reader, "sys/class/infiniband/%s/device/net", device->name);
        bool only = names.count == 1 && device->nports == 1 && device->ports[0].number == 1;
        for (size_t i = 0; i < names.count; i++)
            want_netdev(reader, names.items[i], device->parent, only);
    }
    for (size_t p = 0; p < device->nports; p++)
        if (device->ports[p].netdev_nldev)
            want_netdev(reader, device->ports[p].netdev_nldev, NULL, false);
    for (size_t p = 0; p < device->nports; p++)
        for (size_t g = 0; g < device->ports[p].ngids; g++)
            if (device->ports[p].gids[g].netdev)
                want_netdev(reader, device->ports[p].gids[g].netdev, NULL, false);
}

void find_netdevs(struct reader *reader)
{
    if (!(reader->needs & NEED_NETDEV_ALL)) {
        for (size_t d = 0; d < reader->host->ndevices; d++)
            want_related(reader, &reader->host->devices[d]);
        return;
    }
    struct names names = read_list(reader, NET_CLASS);
    if (names.count > NETDEVS_MOST) {
        host_problem(reader->host, E2BIG, NULL, NET_CLASS);
        names.count = NETDEVS_MOST;
    }
    for (size_t i = 0; i < names.count; i++)
        *ARENA_PUSH(reader->arena, reader->wanted,
                    reader->nwanted) = (struct wanted_netdev){ .name = names.items[i] };
}

#define FILL(member) ((to)->member = (to)->member ? (to)->member : (from)->member)
#define FILL_NUM(member) ((to)->member = (to)->member.known ? (to)->member : (from)->member)

static void fill_bond(struct bond *to, const struct bond *from)
{
    FILL_NUM(mode);
    FILL(mode_text);
    FILL(active_member);
    FILL(primary);
    FILL(xmit_hash_policy);
    FILL(mii_status);
    FILL_NUM(ad_num_ports);
    FILL_NUM(ad_aggregator);
    FILL(ad_partner_mac);
}

/* What only files show, and what netlink left open. (If it names no master or members, that is an answer.) */
static void fill_from_files(struct netdev *to, const struct netdev *from)
{
    to->speed_mbps = from->speed_mbps;
    to->duplex = from->duplex;
    to->dev_port = from->dev_port;
    to->dev_id = from->dev_id;
    to->driver = from->driver;
    to->ibdevs = from->ibdevs;
    to->nibdevs = from->nibdevs;
    memcpy(to->ecn_enabled, from->ecn_enabled, sizeof(to->ecn_enabled));
    memcpy(to->ecn_np, from->ecn_np, sizeof(to->ecn_np));
    to->rx_crc_errors = from->rx_crc_errors;
    FILL(mac);
    FILL_NUM(type);
    FILL_NUM(flags);
    FILL_NUM(mtu);
    FILL(operstate);
    FILL(carrier);
    FILL_NUM(carrier_changes);
    FILL_NUM(carrier_downs);
    FILL(phys_port_name);
    FILL(phys_switch_id);
    FILL(parent);
    FILL(parent_bus);
    if (!to->nmembers) /* else the only one of them */
        FILL(lower);
    FILL_NUM(vlan_id);
    if (!to->egress_known) {
        to->egress = from->egress;
        to->negress = from->negress;
        to->egress_known = from->egress_known;
    }
    FILL(ipoib_mode);
    FILL_NUM(ipoib_pkey);
    if (!to->kind_text) {
        to->kind = from->kind;
        to->kind_text = from->kind_text;
    }
    if (to->bond && from->bond)
        fill_bond(to->bond, from->bond);
    FILL(bond);
    FILL(member);
}

/* A bond has neither pause frames nor PFC: its members do. */
static void want_members(struct reader *reader, const char *bond)
{
    const char *names = read_text(reader, "{names}", NET_CLASS "/%s/bonding/slaves", bond);
    for (size_t len; names && *names; names += len + (names[len] == ' ')) {
        len = strcspn(names, " ");
        const char *name = arena_strndup(reader->arena, names, len);
        if (len)
            want_netdev(reader, name, read_link_name(reader, NET_CLASS "/%s/device", name), false);
    }
}

static void add_netdev(struct reader *reader, const struct wanted_netdev *wanted)
{
    struct host *host = reader->host;
    struct netdev *known = host_find_netdev(host, wanted->name);
    struct netdev seen;
    if (!net_read(reader, wanted, known, &seen))
        return;
    if (!seen.parent)
        seen.parent = wanted->parent;
    if (seen.bond && reader->needs & NEED_FEC && !(reader->needs & NEED_NETDEV_ALL))
        want_members(reader, seen.name);
    if (!known)
        *ARENA_PUSH(reader->arena, host->netdevs, host->nnetdevs) = seen;
    else if (net_is_same(known, &seen))
        fill_from_files(known, &seen);
    else
        *known = seen; /* the ports' netdevs are those in the /sys that shows the ports */
}

void read_netdevs(struct reader *reader)
{
    struct host *host = reader->host;
    size_t told = host->nnetdevs;
    for (size_t i = 0; i < reader->nwanted; i++)
        add_netdev(reader, &reader->wanted[i]);
    for (size_t i = 0; i < told; i++)
        if (!host->netdevs[i].kind_text)
            net_guess_kind(&host->netdevs[i]);
    host_order_netdevs(host);
}
