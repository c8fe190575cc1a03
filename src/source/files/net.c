/* SPDX-License-Identifier: MIT */
/* /sys/class/net/NAME. */
#include <net/if_arp.h>

#include "base/ini.h"
#include "model/qos.h"
#include "source/files/files.h"
#include "source/files/forms.h"

#define CLASS NET_CLASS

/* The index is also in uevent, which is read anyway. */
static struct num ifindex_of(struct reader *reader, struct root_dir *dir, const char *uevent)
{
    struct num told = num_read(uevent ? ini_value(reader->arena, uevent, "IFINDEX") : NULL, 10);
    return told.known ? told : read_num_at(reader, dir, 10, "ifindex");
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
    net_guess_kind(netdev);
}

void net_guess_kind(struct netdev *netdev)
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

bool net_is_same(const struct netdev *known, const struct netdev *seen)
{
    return !known->ifindex.known || !seen->ifindex.known || known->ifindex.value == seen->ifindex.value;
}

bool net_read(struct reader *reader, const struct wanted_netdev *wanted, const struct netdev *known,
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
    bool told = known && net_is_same(known, netdev);
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

/* /sys/class/net/NAME/qos: MLNX_OFED's drivers for kernels without DSCPs in dcbnl show there what they trust.
 * If it exists, mlnx_qos uses it instead of the APP table (python/mlnx_qos of mlnx-tools). */

/* A line of words, then "DSCP PRIORITY" lines. */
static void read_map(struct reader *reader, struct qos *qos)
{
    const char *line = read_text(reader, FORM_DSCP_MAP, NET_CLASS "/%s/qos/dscp2prio", qos->netdev);
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
    const char *word = read_text(reader, "{dscp|pcp|both}", NET_CLASS "/%s/qos/trust", qos->netdev);
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
