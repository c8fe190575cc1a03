/* SPDX-License-Identifier: MIT */
/* RTM_NEWLINK, with what each kind of link adds. */
#include <errno.h>
#include <linux/if_bonding.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>

#include "base/mem.h"
#include "source/netlink/message.h"
#include "source/netlink/parsers.h"

/* Two digits for each byte, with a separator between them ('\0': none). */
static const char *hex_text(const void *bytes, size_t len, char separator, struct arena *arena)
{
    static const char digits[] = "0123456789abcdef";
    if (!bytes || len == 0 || len > 32)
        return NULL;
    char *text = arena_alloc(arena, len * 3, 1), *end = text;
    for (size_t i = 0; i < len; i++) {
        uint8_t byte = ((const uint8_t *)bytes)[i];
        *end++ = digits[byte >> 4];
        *end++ = digits[byte & 15];
        if (separator && i + 1 < len)
            *end++ = separator;
    }
    *end = '\0';
    return text;
}

const char *rtnl_mac_text(const void *bytes, size_t len, struct arena *arena)
{
    return hex_text(bytes, len, ':', arena);
}

static void parse_bond(struct rtnl_link *link, const struct attrs *data, struct arena *arena)
{
    struct attrs info;
    size_t len;
    link->bond_mode = attr_u8(data->at[IFLA_BOND_MODE]);
    link->bond_active = attr_u32(data->at[IFLA_BOND_ACTIVE_SLAVE]);
    link->bond_policy = attr_u8(data->at[IFLA_BOND_XMIT_HASH_POLICY]);
    attrs_parse_nest(&info, data->at[IFLA_BOND_AD_INFO]);
    link->bond_aggregator = attr_u16(info.at[IFLA_BOND_AD_INFO_AGGREGATOR]);
    link->bond_num_ports = attr_u16(info.at[IFLA_BOND_AD_INFO_NUM_PORTS]);
    const void *partner = attr_bytes(info.at[IFLA_BOND_AD_INFO_PARTNER_MAC], &len);
    link->bond_partner = rtnl_mac_text(partner, len, arena);
}

/* The kernel names only entries whose PCP isn't 0 (vlan_fill_info() of net/8021q/vlan_netlink.c). */
static void parse_vlan(struct rtnl_link *link, const struct attrs *data, struct arena *arena)
{
    const struct nlattr *map = data->at[IFLA_VLAN_EGRESS_QOS];
    for (const struct nlattr *entry = NULL; (entry = attr_next(map, entry, IFLA_VLAN_QOS_MAPPING));) {
        size_t len;
        struct ifla_vlan_qos_mapping mapping;
        const void *bytes = attr_bytes(entry, &len);
        if (!bytes || len < sizeof(mapping))
            continue;
        memcpy(&mapping, bytes, sizeof(mapping));
        *ARENA_PUSH(arena, link->egress, link->negress) = (struct vlan_pcp){ order32(mapping.from),
                                                                             order32(mapping.to) & 7 };
    }
}

static void parse_kind(struct rtnl_link *link, const struct attrs *data, struct arena *arena)
{
    const char *kind = link->kind;
    if (strcmp(kind, "vlan") == 0) {
        parse_vlan(link, data, arena);
        link->vlan_id = attr_u16(data->at[IFLA_VLAN_ID]);
        link->vlan_protocol = attr_be16(data->at[IFLA_VLAN_PROTOCOL]);
    } else if (strcmp(kind, "bond") == 0) {
        parse_bond(link, data, arena);
    } else if (strcmp(kind, "macvlan") == 0 || strcmp(kind, "macvtap") == 0) {
        link->macvlan_mode = attr_u32(data->at[IFLA_MACVLAN_MODE]);
    } else if (strcmp(kind, "ipvlan") == 0 || strcmp(kind, "ipvtap") == 0) {
        link->ipvlan_mode = attr_u16(data->at[IFLA_IPVLAN_MODE]);
    } else if (strcmp(kind, "ipoib") == 0) {
        link->ipoib_mode = attr_u16(data->at[IFLA_IPOIB_MODE]);
        link->ipoib_pkey = attr_u16(data->at[IFLA_IPOIB_PKEY]);
    } else if (strcmp(kind, "vxlan") == 0) {
        link->lower = attr_u32(data->at[IFLA_VXLAN_LINK]); /* it has no ndo_get_iflink */
    }
}

static void parse_member(struct rtnl_link *link, const struct attrs *data)
{
    link->member_state = attr_u8(data->at[IFLA_BOND_SLAVE_STATE]);
    link->member_mii = attr_u8(data->at[IFLA_BOND_SLAVE_MII_STATUS]);
    link->member_failures = attr_u32(data->at[IFLA_BOND_SLAVE_LINK_FAILURE_COUNT]);
    link->member_aggregator = attr_u16(data->at[IFLA_BOND_SLAVE_AD_AGGREGATOR_ID]);
}

static void parse_linkinfo(struct rtnl_link *link, const struct nlattr *linkinfo, struct arena *arena)
{
    struct attrs info, data;
    attrs_parse_nest(&info, linkinfo);
    link->kind = attr_text(info.at[IFLA_INFO_KIND], arena);
    link->slave_kind = attr_text(info.at[IFLA_INFO_SLAVE_KIND], arena);
    if (link->kind && info.at[IFLA_INFO_DATA]) {
        attrs_parse_nest(&data, info.at[IFLA_INFO_DATA]);
        parse_kind(link, &data, arena);
    }
    if (link->slave_kind && strcmp(link->slave_kind, "bond") == 0) {
        attrs_parse_nest(&data, info.at[IFLA_INFO_SLAVE_DATA]);
        parse_member(link, &data);
    }
}

static void parse_link(struct rtnl_link *link, const struct ifinfomsg *info, const struct attrs *attrs,
                       struct arena *arena)
{
    size_t len, switch_len;
    const void *mac = attr_bytes(attrs->at[IFLA_ADDRESS], &len);
    const void *switch_id = attr_bytes(attrs->at[IFLA_PHYS_SWITCH_ID], &switch_len);
    *link = (struct rtnl_link){
        .ifindex = num_of(order32((uint32_t)info->ifi_index)),
        .name = attr_text(attrs->at[IFLA_IFNAME], arena),
        .mac = rtnl_mac_text(mac, len, arena),
        .type = num_of(order16(info->ifi_type)),
        .flags = num_of(order32(info->ifi_flags)),
        .mtu = attr_u32(attrs->at[IFLA_MTU]),
        .mtu_min = attr_u32(attrs->at[IFLA_MIN_MTU]),
        .mtu_max = attr_u32(attrs->at[IFLA_MAX_MTU]),
        .operstate = attr_u8(attrs->at[IFLA_OPERSTATE]),
        .carrier = attr_u8(attrs->at[IFLA_CARRIER]),
        .carrier_changes = attr_u32(attrs->at[IFLA_CARRIER_CHANGES]),
        .carrier_downs = attr_u32(attrs->at[IFLA_CARRIER_DOWN_COUNT]),
        .master = attr_u32(attrs->at[IFLA_MASTER]),
        .lower = attr_u32(attrs->at[IFLA_LINK]),
        .lower_netnsid = attr_u32(attrs->at[IFLA_LINK_NETNSID]),
        .phys_port_name = attr_text(attrs->at[IFLA_PHYS_PORT_NAME], arena),
        .phys_switch_id = hex_text(switch_id, switch_len, '\0', arena),
        .parent = attr_text(attrs->at[IFLA_PARENT_DEV_NAME], arena),
        .parent_bus = attr_text(attrs->at[IFLA_PARENT_DEV_BUS_NAME], arena),
    };
    const struct nlattr *names = attrs->at[IFLA_PROP_LIST];
    for (const struct nlattr *name = NULL; (name = attr_next(names, name, IFLA_ALT_IFNAME));)
        *ARENA_PUSH(arena, link->alt_names, link->nalt_names) = attr_text(name, arena);
    if (attrs->at[IFLA_LINKINFO])
        parse_linkinfo(link, attrs->at[IFLA_LINKINFO], arena);
}

int rtnl_parse_links(const void *bytes, size_t len, struct arena *arena, struct rtnl_link **links,
                     size_t *count)
{
    struct messages messages = messages_of(bytes, len);
    struct message message;
    int result = 0;
    while (messages_next_answer(&messages, &message)) {
        struct attrs attrs;
        const struct ifinfomsg *info = (const void *)message.payload;
        if (message.type != RTM_NEWLINK || message.len < sizeof(*info))
            continue;
        if (info->ifi_family != AF_UNSPEC) /* of a bridge's port: not about the link itself */
            continue;
        if (attrs_parse(&attrs, message.payload, message.len, sizeof(*info)) < 0)
            result = -EBADMSG;
        if (*count == NETDEVS_MOST)
            return -E2BIG;
        struct rtnl_link link;
        parse_link(&link, info, &attrs, arena);
        if (link.name)
            *ARENA_PUSH(arena, *links, *count) = link;
    }
    return messages.broken ? -EBADMSG : result;
}

const char *rtnl_operstate_text(struct num operstate)
{
    static const char *const words[] = { "unknown", "notpresent", "down", "lowerlayerdown",
                                         "testing", "dormant",    "up" };
    return NUM_WORD(words, operstate);
}

const char *rtnl_bond_mode_text(struct num mode)
{
    static const char *const words[] = { "balance-rr", "active-backup", "balance-xor", "broadcast",
                                         "802.3ad",    "balance-tlb",   "balance-alb" };
    return NUM_WORD(words, mode);
}

const char *rtnl_bond_policy_text(struct num policy)
{
    static const char *const words[] = { "layer2",   "layer3+4", "layer2+3",
                                         "encap2+3", "encap3+4", "vlan+srcmac" };
    return NUM_WORD(words, policy);
}

const char *rtnl_bond_mii_text(struct num mii)
{
    static const char *const words[] = { "up", "going down", "down", "going back" };
    return NUM_WORD(words, mii);
}

const char *rtnl_macvlan_mode_text(struct num mode)
{
    switch (mode.known ? mode.value : 0) {
    case MACVLAN_MODE_PRIVATE:
        return "private";
    case MACVLAN_MODE_VEPA:
        return "vepa";
    case MACVLAN_MODE_BRIDGE:
        return "bridge";
    case MACVLAN_MODE_PASSTHRU:
        return "passthru";
    case MACVLAN_MODE_SOURCE:
        return "source";
    }
    return NULL;
}

const char *rtnl_ipvlan_mode_text(struct num mode)
{
    static const char *const words[] = { "l2", "l3", "l3s" };
    return NUM_WORD(words, mode);
}
