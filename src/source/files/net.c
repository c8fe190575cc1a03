/* SPDX-License-Identifier: MIT */
/* The netdevs that are read, what the files of each say (sys/class/net/NAME), and how that is merged with what
 * netlink reported. */
#include <net/if_arp.h>

#include "base/ini.h"
#include "model/qos.h"
#include "source/files/files.h"
#include "source/files/forms.h"

#define CLASS "sys/class/net"

/* The index is also in uevent, which is read anyway. */
static struct num ifindex_of(struct reader *reader, struct root_dir *dir, const char *uevent)
{
    struct num told = num_read(uevent ? ini_value(reader->arena, uevent, "IFINDEX") : NULL, 10);
    return told.known ? told : read_num_at(reader, dir, 10, "ifindex");
}

/* Guesses the kind of a netdev for which the kernel has no word, from what is known about it. */
static void guess_kind(struct netdev *netdev)
{
    if (num_is(netdev->type, ARPHRD_LOOPBACK))
        netdev->kind = NETDEV_LOOPBACK;
    else if (num_is(netdev->type, ARPHRD_INFINIBAND))
        netdev->kind = NETDEV_IPOIB;
    else if (netdev->kind_text)
        return;
    else if (netdev_is_representor_name(netdev->phys_port_name)) /* older kernels don't link it to a device */
        netdev->kind = NETDEV_REPRESENTOR;
    else
        netdev->kind = netdev->parent_bus ? NETDEV_PHYSICAL : NETDEV_OTHER;
    netdev->kind_text = netdev_kind_text(netdev->kind);
}

/* The kernel's DEVTYPE, if it has one for this kind. */
static void set_kind(struct reader *reader, const char *uevent, struct netdev *netdev)
{
    const char *word = uevent ? ini_value(reader->arena, uevent, "DEVTYPE") : NULL;
    enum netdev_kind kind = word ? netdev_kind_of(word) : NETDEV_OTHER;
    if (kind != NETDEV_OTHER) {
        netdev->kind = kind;
        netdev->kind_text = netdev_kind_text(kind);
    }
    guess_kind(netdev);
}

/* What rtnetlink also reports. */
static void read_plain(struct reader *reader, struct root_dir *dir, struct netdev *netdev)
{
    netdev->mtu = read_num_at(reader, dir, 10, "mtu");
    if (reader->needs & (NEED_NETDEV | NEED_NETDEV_ALL))
        netdev->operstate = read_text_at(reader, dir, FORM_OPERSTATE, "operstate");
    if (!(reader->needs & NEED_NETDEV_ALL))
        return;
    netdev->mac = read_text_at(reader, dir, "{mac}", "address");
    netdev->type = read_num_at(reader, dir, 10, "type");
    netdev->flags = read_num_at(reader, dir, 0, "flags");
    netdev->carrier_changes = read_num_at(reader, dir, 10, "carrier_changes");
    netdev->carrier_downs = read_num_at(reader, dir, 10, "carrier_down_count");
    struct num carrier = read_num_at(reader, dir, 10, "carrier");
    if (carrier.known)
        netdev->carrier = tri_of(carrier.value != 0);
    netdev->phys_port_name = read_text_at(reader, dir, "{name}", "phys_port_name");
    netdev->phys_switch_id = read_text_at(reader, dir, "{switch-id}", "phys_switch_id");
}

static void read_speed(struct reader *reader, struct root_dir *dir, struct netdev *netdev)
{
    /* -1 and 4294967295 both mean unknown; number() takes no sign */
    struct num speed = read_num_at(reader, dir, 10, "speed");
    if (speed.known && speed.value != UINT32_MAX)
        netdev->speed_mbps = speed;
    const char *duplex = read_text_at(reader, dir, "{full|half|unknown}", "duplex");
    netdev->duplex = duplex && *duplex && strcmp(duplex, "unknown") != 0 ? duplex : NULL;
}

static void read_relations(struct reader *reader, struct root_dir *dir, struct netdev *netdev)
{
    struct names names = { 0 };
    if (root_dir_list(dir, reader->arena, &names) < 0)
        return;
    for (size_t i = 0; i < names.count; i++) {
        const char *name = names.items[i];
        if (text_starts(name, "lower_"))
            *ARENA_PUSH(reader->arena, netdev->members, netdev->nmembers) = name + strlen("lower_");
        else if (strcmp(name, "master") == 0)
            netdev->master = read_link_name(reader, "%s/master", dir->path);
    }
    /* a team and a VRF have no DEVTYPE, but only what has members has several netdevs below it */
    if (netdev->nmembers == 1 && netdev->kind != NETDEV_BOND && netdev->kind != NETDEV_BRIDGE &&
        netdev->kind != NETDEV_OPENVSWITCH) {
        netdev->lower = netdev->members[0];
        netdev->nmembers = 0;
    }
}

/* "802.3ad 4" */
static void read_bond(struct reader *reader, const char *name, struct netdev *netdev)
{
    const char *mode = read_text(reader, FORM_BOND_MODE, CLASS "/%s/bonding/mode", name);
    if (!mode)
        return;
    struct bond *bond = arena_alloc(reader->arena, 1, sizeof(*bond));
    bond->mode = num_read(strchr(mode, ' '), 10);
    bond->mode_text = arena_strndup(reader->arena, mode, strcspn(mode, " "));
    const char *active = read_text(reader, "{name}", CLASS "/%s/bonding/active_slave", name);
    bond->active_member = active && *active ? active : NULL;
    const char *primary = read_text(reader, "{name} {always|better|failure} {number}\n{name}",
                                    CLASS "/%s/bonding/primary", name);
    bond->primary = primary && *primary ? arena_strndup(reader->arena, primary, strcspn(primary, " ")) : NULL;
    const char *policy = read_text(reader, FORM_HASH_POLICY, CLASS "/%s/bonding/xmit_hash_policy", name);
    bond->xmit_hash_policy = policy ? arena_strndup(reader->arena, policy, strcspn(policy, " ")) : NULL;
    bond->mii_status = read_text(reader, FORM_MII_STATUS, CLASS "/%s/bonding/mii_status", name);
    bond->ad_num_ports = read_num(reader, 10, CLASS "/%s/bonding/ad_num_ports", name);
    bond->ad_aggregator = read_num(reader, 10, CLASS "/%s/bonding/ad_aggregator", name);
    const char *partner = read_text(reader, "{mac}", CLASS "/%s/bonding/ad_partner_mac", name);
    bond->ad_partner_mac = partner && *partner ? partner : NULL;
    netdev->bond = bond;
}

static void read_bond_member(struct reader *reader, const char *name, struct netdev *netdev)
{
    const char *state = read_text(reader, "{active|backup}", CLASS "/%s/bonding_slave/state", name);
    if (!state)
        return;
    struct bond_member *member = arena_alloc(reader->arena, 1, sizeof(*member));
    member->state = num_of(strcmp(state, "backup") == 0);
    member->mii_status = read_text(reader, FORM_MII_STATUS, CLASS "/%s/bonding_slave/mii_status", name);
    member->failures = read_num(reader, 10, CLASS "/%s/bonding_slave/link_failure_count", name);
    member->aggregator = read_num(reader, 10, CLASS "/%s/bonding_slave/ad_aggregator_id", name);
    netdev->member = member;
}

/* " EGRESS priority mappings: 2:3 6:5 " (vlandev_seq_show() of net/8021q/vlanproc.c). */
static void read_egress(struct reader *reader, const char *text, struct netdev *netdev)
{
    static const char head[] = "EGRESS priority mappings:";
    const char *map = strstr(text, "\n EGRESS");
    map = map ? strstr(map, head) : NULL;
    if (!map)
        return;
    netdev->egress_known = true;
    for (const char *at = map + strlen(head); *at == ' ' && at[1] >= '0' && at[1] <= '9';) {
        char *end;
        unsigned long priority = strtoul(at + 1, &end, 10);
        if (*end != ':')
            return;
        unsigned long pcp = strtoul(end + 1, &end, 10);
        *ARENA_PUSH(reader->arena, netdev->egress, netdev->negress) = (struct vlan_pcp){ (uint32_t)priority,
                                                                                         pcp & 7 };
        at = end;
    }
}

/* proc/net/vlan/eth0.7: "eth0.7  VID: 7	 REORDER_HDR: 1 ...", "Device: eth0" */
static void read_vlan(struct reader *reader, const char *name, struct netdev *netdev)
{
    const char *text = read_text(reader, FORM_VLAN, "proc/net/vlan/%s", name);
    const char *vid = text ? strstr(text, "VID: ") : NULL;
    const char *lower = text ? strstr(text, "Device: ") : NULL;
    if (vid)
        netdev->vlan_id = num_of(strtoul(vid + 5, NULL, 10));
    if (lower && !netdev->lower)
        netdev->lower = arena_strndup(reader->arena, lower + 8, strcspn(lower + 8, "\n"));
    if (text)
        read_egress(reader, text, netdev);
}

static void read_ecn(struct reader *reader, struct root_dir *dir, const char *point,
                     enum tristate ecn[static 8])
{
    for (int priority = 0; priority < 8; priority++) {
        char name[64];
        snprintf(name, sizeof(name), "ecn/%s/enable/%d", point, priority);
        struct num on = read_num_at(reader, dir, 10, name);
        if (on.known)
            ecn[priority] = tri_of(on.value != 0);
        else if (priority == 0)
            return; /* the driver has no such directory */
    }
}

/* What rtnetlink doesn't report about this kind; all of it if netlink reports nothing about the netdev. */
static void read_kind_details(struct reader *reader, const char *name, bool told, struct netdev *netdev)
{
    switch (netdev->kind) {
    case NETDEV_BOND:
        read_bond(reader, name, netdev);
        break;
    case NETDEV_VLAN:
        if (!told)
            read_vlan(reader, name, netdev);
        break;
    case NETDEV_IPOIB:
        netdev->ipoib_mode = read_text(reader, "{datagram|connected}", CLASS "/%s/mode", name);
        netdev->ipoib_pkey = read_num(reader, 16, CLASS "/%s/pkey", name);
        break;
    default:
        break;
    }
    if (netdev->master && !told)
        read_bond_member(reader, name, netdev);
}

static void read_parent(struct reader *reader, const char *name, bool told, struct netdev *netdev)
{
    if (!told || !netdev->parent)
        netdev->parent = read_link_name(reader, CLASS "/%s/device", name);
    if (!netdev->parent)
        return;
    if (!told || !netdev->parent_bus)
        netdev->parent_bus = read_link_name(reader, CLASS "/%s/device/subsystem", name);
    netdev->driver = read_link_name(reader, CLASS "/%s/device/driver", name);
    struct names names = read_list(reader, CLASS "/%s/device/infiniband", name);
    netdev->ibdevs = names.items;
    netdev->nibdevs = names.count;
}

/* What is read for every netdev of the machine. */
static void read_all(struct reader *reader, struct root_dir *dir, const char *uevent, bool told,
                     struct netdev *netdev)
{
    if (!num_is(netdev->type, ARPHRD_LOOPBACK))
        read_speed(reader, dir, netdev);
    if (!netdev->kind_text)
        set_kind(reader, uevent, netdev);
    if (!told)
        read_relations(reader, dir, netdev);
    read_kind_details(reader, netdev->name, told, netdev);
}

/* The parts of netlink's answer that decide what else to read. */
static void begin_with(struct netdev *netdev, const struct netdev *known)
{
    netdev->type = known->type;
    netdev->phys_port_name = known->phys_port_name;
    netdev->parent = known->parent;
    netdev->parent_bus = known->parent_bus;
    netdev->kind = known->kind;
    netdev->kind_text = known->kind_text;
}

/* /sys may show another network namespace than netlink does (nsenter -n): then the index differs, and the two
 * aren't the same netdev. */
static bool is_same(const struct netdev *known, const struct netdev *seen)
{
    return !known->ifindex.known || !seen->ifindex.known || known->ifindex.value == seen->ifindex.value;
}

/* known: what netlink reported, or NULL; that isn't read again (but see source.thorough), nor put in *netdev,
 * except for what decides what else to read. False if there is no such directory. */
static bool read_netdev(struct reader *reader, const struct wanted_netdev *wanted, const struct netdev *known,
                        struct netdev *netdev)
{
    const char *name = wanted->name, *uevent = NULL;
    bool all = reader->needs & NEED_NETDEV_ALL;
    struct root_dir dir = { 0 };
    int r = root_dir_open(reader->root, &dir, CLASS "/%s", name);
    if (r < 0) {
        /* bonding_masters is a plain file in this class; a GID may name a netdev of another namespace */
        read_problem(reader, r, CLASS "/%s", name);
        return false;
    }
    *netdev = (struct netdev){ .name = name };
    if (all) {
        uevent = read_text_at(reader, &dir, FORM_UEVENT, "uevent");
        netdev->ifindex = ifindex_of(reader, &dir, uevent);
    }
    bool told = known && is_same(known, netdev);
    if (told)
        begin_with(netdev, known);
    told = told && !reader->source->thorough;
    if (!told)
        read_plain(reader, &dir, netdev);
    if (all)
        read_parent(reader, name, told, netdev);
    /* which port it belongs to, and whether it represents another function */
    bool is_clear = wanted->only && !(reader->needs & (NEED_NETDEV | NEED_NETDEV_ALL));
    if ((wanted->parent || netdev->parent) && !is_clear) {
        netdev->dev_port = read_num_at(reader, &dir, 0, "dev_port");
        netdev->dev_id = read_num_at(reader, &dir, 0, "dev_id");
    }
    if (all)
        read_all(reader, &dir, uevent, told, netdev);
    else if (wanted->parent && !told && !is_clear)
        netdev->phys_port_name = read_text_at(reader, &dir, "{name}", "phys_port_name");
    else if (!wanted->parent)
        read_bond(reader, name, netdev); /* a GID may name the bond above the port's netdev: RoCE LAG */
    if (reader->needs & (NEED_QOS | NEED_ECN)) {
        read_ecn(reader, &dir, "roce_rp", netdev->ecn_enabled);
        read_ecn(reader, &dir, "roce_np", netdev->ecn_np);
    }
    if (reader->needs & (NEED_QOS | NEED_FEC) && (wanted->parent || netdev->parent))
        netdev->rx_crc_errors = read_num_at(reader, &dir, 10, "statistics/rx_crc_errors");
    root_dir_close(&dir);
    return true;
}

/* -- which are read, and merged -------------------------------------------------------------------------- */

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
    struct names names = read_list(reader, CLASS);
    if (names.count > NETDEVS_MOST) {
        host_problem(reader->host, E2BIG, NULL, CLASS);
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
    const char *names = read_text(reader, "{names}", CLASS "/%s/bonding/slaves", bond);
    for (size_t len; names && *names; names += len + (names[len] == ' ')) {
        len = strcspn(names, " ");
        const char *name = arena_strndup(reader->arena, names, len);
        if (len)
            want_netdev(reader, name, read_link_name(reader, CLASS "/%s/device", name), false);
    }
}

static void add_netdev(struct reader *reader, const struct wanted_netdev *wanted)
{
    struct host *host = reader->host;
    struct netdev *known = host_find_netdev(host, wanted->name);
    struct netdev seen;
    if (!read_netdev(reader, wanted, known, &seen))
        return;
    if (!seen.parent)
        seen.parent = wanted->parent;
    if (seen.bond && reader->needs & NEED_FEC && !(reader->needs & NEED_NETDEV_ALL))
        want_members(reader, seen.name);
    if (!known)
        *ARENA_PUSH(reader->arena, host->netdevs, host->nnetdevs) = seen;
    else if (is_same(known, &seen))
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
            guess_kind(&host->netdevs[i]);
    host_order_netdevs(host);
}

/* -- qos -------------------------------------------------------------------------------------------------- */

/* /sys/class/net/NAME/qos: MLNX_OFED's drivers for kernels without DSCPs in dcbnl show there what they trust.
 * If it exists, mlnx_qos uses it instead of the APP table (python/mlnx_qos of mlnx-tools). */

/* A line of words, then "DSCP PRIORITY" lines. */
static void read_map(struct reader *reader, struct qos *qos)
{
    const char *line = read_text(reader, FORM_DSCP_MAP, CLASS "/%s/qos/dscp2prio", qos->netdev);
    while (line && (line = strchr(line, '\n'))) {
        char *end, *stop;
        unsigned long dscp = strtoul(++line, &end, 10), priority = strtoul(end, &stop, 10);
        if (end == line || stop == end || dscp >= DSCPS || priority >= PRIORITIES)
            continue;
        *ARENA_PUSH(reader->arena, qos->dcb.apps,
                    qos->dcb.napps) = (struct qos_app){ QOS_APP_DSCP, (uint8_t)priority, (uint16_t)dscp };
    }
}

static void read_trust(struct reader *reader, struct qos *qos)
{
    const char *word = read_text(reader, "{dscp|pcp|both}", CLASS "/%s/qos/trust", qos->netdev);
    if (!word)
        return;
    qos->trust_file = strcmp(word, "dscp") == 0  ? TRUST_DSCP
                      : strcmp(word, "pcp") == 0 ? TRUST_PCP
                                                 : TRUST_UNKNOWN;
    if (qos->trust_file == TRUST_DSCP)
        read_map(reader, qos);
}

void read_qos_files(struct reader *reader)
{
    for (size_t i = 0; i < reader->host->nqos; i++)
        read_trust(reader, &reader->host->qos[i]);
}
