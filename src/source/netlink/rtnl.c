/* SPDX-License-Identifier: MIT */
#include "source/netlink/parsers.h"

#include <errno.h>
#include <linux/fib_rules.h>
#include <linux/if_addr.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>

#include "base/base.h"
#include "base/mem.h"
#include "base/text.h"
#include "source/netlink/message.h"

static size_t address_size(unsigned family)
{
    return family == AF_INET ? 4 : family == AF_INET6 ? 16 : 0;
}

/* Copies an address of family; false when the attribute isn't one. */
static bool address(uint8_t raw[static 16], const struct nlattr *attr, unsigned family)
{
    size_t len, size = address_size(family);
    const void *data = attr_bytes(attr, &len);
    if (!data || size == 0 || len < size)
        return false;
    memset(raw, 0, 16);
    memcpy(raw, data, size);
    return true;
}

/* The next message of type with at least a fixed header; -EBADMSG in *result when something is broken. */
static bool next(struct messages *messages, unsigned type, size_t header, struct message *message,
                 struct attrs *attrs, int *result)
{
    while (messages_next_answer(messages, message)) {
        if (message->type != type || message->len < header)
            continue;
        if (attrs_parse(attrs, message->payload, message->len, header) < 0)
            *result = -EBADMSG;
        return true;
    }
    if (messages->broken)
        *result = -EBADMSG;
    return false;
}

/* How long it stays: INFINITY_LIFE_TIME of net/addrconf.h is for ever. */
static struct num lifetime(const struct nlattr *attr)
{
    size_t len;
    struct ifa_cacheinfo info;
    const void *data = attr_bytes(attr, &len);
    if (!data || len < sizeof(info))
        return (struct num){ 0 };
    memcpy(&info, data, sizeof(info));
    return num_if(info.ifa_valid != UINT32_MAX, order32(info.ifa_valid));
}

int rtnl_parse_addresses(const void *bytes, size_t len, struct arena *arena, struct rtnl_address **addresses,
                         size_t *count)
{
    struct messages messages = messages_of(bytes, len);
    struct message message;
    struct attrs attrs;
    int result = 0;
    while (next(&messages, RTM_NEWADDR, sizeof(struct ifaddrmsg), &message, &attrs, &result)) {
        const struct ifaddrmsg *info = (const void *)message.payload;
        struct num flags = attr_u32(attrs.at[IFA_FLAGS]);
        struct rtnl_address found = {
            .ifindex = num_of(order32(info->ifa_index)),
            .address = { .family = info->ifa_family,
                         .prefix = info->ifa_prefixlen,
                         .scope = info->ifa_scope,
                         .flags = flags.known ? (uint32_t)flags.value : info->ifa_flags,
                         .valid_s = lifetime(attrs.at[IFA_CACHEINFO]) },
        };
        /* IPv6 has IFA_LOCAL only on point-to-point links */
        bool has_peer = address(found.address.peer, attrs.at[IFA_ADDRESS], info->ifa_family);
        bool has_local = address(found.address.raw, attrs.at[IFA_LOCAL], info->ifa_family);
        if (!has_peer && !has_local)
            continue;
        if (!has_local)
            memcpy(found.address.raw, found.address.peer, 16);
        if (!has_peer)
            memcpy(found.address.peer, found.address.raw, 16);
        *ARENA_PUSH(arena, *addresses, *count) = found;
    }
    return result;
}

/* A route for each of several next hops. */
static int push_hops(const struct route *route, const struct nlattr *multipath, struct arena *arena,
                     struct route **routes, size_t *count)
{
    size_t len;
    const char *at = attr_bytes(multipath, &len);
    size_t first = *count;
    while (at && len >= sizeof(struct rtnexthop)) {
        const struct rtnexthop *hop = (const void *)at;
        struct attrs attrs;
        size_t size = order16(hop->rtnh_len);
        if (size < sizeof(*hop) || size > len)
            return -EBADMSG;
        struct route *found = ARENA_PUSH(arena, *routes, *count);
        *found = *route;
        found->ifindex = num_of(order32((uint32_t)hop->rtnh_ifindex));
        found->dead = hop->rtnh_flags & RTNH_F_DEAD;
        attrs_parse(&attrs, hop, size, sizeof(*hop));
        found->has_gateway = address(found->gateway, attrs.at[RTA_GATEWAY], route->family);
        size_t step = NLA_ALIGN(size) < len ? NLA_ALIGN(size) : len;
        at += step;
        len -= step;
    }
    for (size_t i = first; i<*count && * count - first> 1; i++)
        (*routes)[i].several = true;
    return 0;
}

int rtnl_parse_routes(const void *bytes, size_t len, struct arena *arena, struct route **routes, size_t *count)
{
    struct messages messages = messages_of(bytes, len);
    struct message message;
    struct attrs attrs, metrics;
    int result = 0;
    while (next(&messages, RTM_NEWROUTE, sizeof(struct rtmsg), &message, &attrs, &result)) {
        const struct rtmsg *info = (const void *)message.payload;
        struct num table = attr_u32(attrs.at[RTA_TABLE]);
        struct route route = {
            .family = info->rtm_family,
            .prefix = info->rtm_dst_len,
            .table = table.known ? (uint32_t)table.value : info->rtm_table,
            .type = info->rtm_type,
            .scope = info->rtm_scope,
            .protocol = info->rtm_protocol,
            .metric = attr_u32(attrs.at[RTA_PRIORITY]),
            .ifindex = attr_u32(attrs.at[RTA_OIF]),
            .tos = info->rtm_tos,
            .dead = order32(info->rtm_flags) & RTNH_F_DEAD,
        };
        if (address_size(route.family) == 0 || route.prefix > address_size(route.family) * 8 ||
            order32(info->rtm_flags) & RTM_F_CLONED)
            continue;
        address(route.destination, attrs.at[RTA_DST], route.family);
        route.has_gateway = address(route.gateway, attrs.at[RTA_GATEWAY], route.family);
        route.has_source = address(route.source, attrs.at[RTA_PREFSRC], route.family);
        attrs_parse_nest(&metrics, attrs.at[RTA_METRICS]);
        route.mtu = attr_u32(metrics.at[RTAX_MTU]);
        if (!attrs.at[RTA_MULTIPATH])
            *ARENA_PUSH(arena, *routes, *count) = route;
        else if (push_hops(&route, attrs.at[RTA_MULTIPATH], arena, routes, count) < 0)
            result = -EBADMSG;
    }
    return result;
}

int rtnl_parse_neighbours(const void *bytes, size_t len, struct arena *arena, struct neighbour **neighbours,
                          size_t *count)
{
    struct messages messages = messages_of(bytes, len);
    struct message message;
    struct attrs attrs;
    int result = 0;
    while (next(&messages, RTM_NEWNEIGH, sizeof(struct ndmsg), &message, &attrs, &result)) {
        const struct ndmsg *info = (const void *)message.payload;
        struct neighbour found = { .family = info->ndm_family,
                                   .ifindex = num_of(order32((uint32_t)info->ndm_ifindex)),
                                   .state = order16(info->ndm_state) };
        if (!address(found.address, attrs.at[NDA_DST], info->ndm_family))
            continue;
        size_t size;
        const void *mac = attr_bytes(attrs.at[NDA_LLADDR], &size);
        found.mac = rtnl_mac_text(mac, size, arena);
        *ARENA_PUSH(arena, *neighbours, *count) = found;
    }
    return result;
}

static bool has_one_of(const struct attrs *attrs, const unsigned types[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (attrs->at[types[i]])
            return true;
    return false;
}

static bool is_narrowed(const struct fib_rule_hdr *info, const struct attrs *attrs)
{
    static const unsigned types[] = { FRA_IP_PROTO, FRA_SPORT_RANGE, FRA_DPORT_RANGE, FRA_TUN_ID };
    return info->tos || has_one_of(attrs, types, ARRAY_SIZE(types));
}

static bool is_odd(const struct fib_rule_hdr *info, const struct attrs *attrs)
{
    static const unsigned types[] = { FRA_UID_RANGE, RULE_DSCP, RULE_FLOWLABEL };
    struct num group = attr_u32(attrs->at[FRA_SUPPRESS_IFGROUP]);
    return order32(info->flags) & FIB_RULE_INVERT || info->action == FR_ACT_GOTO ||
           (group.known && group.value != UINT32_MAX) || has_one_of(attrs, types, ARRAY_SIZE(types));
}

int rtnl_parse_rules(const void *bytes, size_t len, struct arena *arena, struct rule **rules, size_t *count)
{
    struct messages messages = messages_of(bytes, len);
    struct message message;
    struct attrs attrs;
    int result = 0;
    while (next(&messages, RTM_NEWRULE, sizeof(struct fib_rule_hdr), &message, &attrs, &result)) {
        const struct fib_rule_hdr *info = (const void *)message.payload;
        struct num table = attr_u32(attrs.at[FRA_TABLE]);
        struct num suppress = attr_u32(attrs.at[FRA_SUPPRESS_PREFIXLEN]),
                   l3mdev = attr_u8(attrs.at[FRA_L3MDEV]);
        struct rule rule = {
            .family = info->family,
            .action = info->action,
            .source_prefix = info->src_len,
            .destination_prefix = info->dst_len,
            .table = table.known ? (uint32_t)table.value : info->table,
            .priority = attr_u32(attrs.at[FRA_PRIORITY]),
            .mark = attr_u32(attrs.at[FRA_FWMARK]),
            .in_netdev = attr_text(attrs.at[FRA_IIFNAME], arena),
            .out_netdev = attr_text(attrs.at[FRA_OIFNAME], arena),
            .suppress_prefix = num_if(suppress.known && suppress.value != UINT32_MAX, suppress.value),
            .l3mdev = l3mdev.known && l3mdev.value,
            .narrowed = is_narrowed(info, &attrs),
            .odd = is_odd(info, &attrs),
        };
        unsigned bits = (unsigned)address_size(rule.family) * 8;
        if (bits == 0 || info->src_len > bits || info->dst_len > bits) /* those of multicast routing */
            continue;
        address(rule.source, attrs.at[FRA_SRC], rule.family);
        address(rule.destination, attrs.at[FRA_DST], rule.family);
        *ARENA_PUSH(arena, *rules, *count) = rule;
    }
    return result;
}

static bool take_map(const struct nlattr *attr, struct tc_mqprio_qopt *map)
{
    size_t len;
    const void *bytes = attr_bytes(attr, &len);
    if (!bytes || len < sizeof(*map))
        return false;
    memcpy(map, bytes, sizeof(*map));
    bool sane = map->num_tc > 0 && map->num_tc <= TC_QOPT_MAX_QUEUE;
    for (size_t i = 0; i < sizeof(map->prio_tc_map); i++)
        sane &= map->prio_tc_map[i] < map->num_tc;
    return sane;
}

bool rtnl_priority_map(const struct nlattr *options, bool *nested, struct tc_mqprio_qopt *map)
{
    struct attrs attrs;
    *nested = options && attrs_parse_nest(&attrs, options) == 0 &&
              take_map(attrs.at[TCA_TAPRIO_ATTR_PRIOMAP], map);
    return *nested || take_map(options, map);
}

int rtnl_parse_qdisc(const void *bytes, size_t len, struct arena *arena,
                     const struct traffic_classes **classes)
{
    struct messages messages = messages_of(bytes, len);
    struct message message;
    struct attrs attrs;
    int result = 0;
    *classes = NULL;
    while (next(&messages, RTM_NEWQDISC, sizeof(struct tcmsg), &message, &attrs, &result)) {
        const struct tcmsg *info = (const void *)message.payload;
        const char *kind = attr_text(attrs.at[TCA_KIND], arena);
        bool mqprio = text_is(kind, "mqprio"), taprio = text_is(kind, "taprio"), nested;
        struct tc_mqprio_qopt map;
        if (info->tcm_parent != TC_H_ROOT || (!mqprio && !taprio) ||
            !rtnl_priority_map(attrs.at[TCA_OPTIONS], &nested, &map) || nested != taprio)
            continue;
        struct traffic_classes *found = arena_alloc(arena, 1, sizeof(*found));
        found->by = mqprio ? "mqprio" : "taprio";
        memcpy(found->of_priority, map.prio_tc_map, sizeof(found->of_priority));
        *classes = found;
    }
    return result;
}
