/* SPDX-License-Identifier: MIT */
/* rtnetlink's addresses, routes, neighbours, rules and qdiscs. */
#include <linux/fib_rules.h>
#include <linux/if_addr.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>

#include "source/netlink/parsers.h"

/* -- addresses ------------------------------------------------------------------------------------------- */

/* How long it stays valid: INFINITY_LIFE_TIME (net/addrconf.h) means for ever. */
static bool take_lifetime(void *to, struct reading *reading)
{
    struct rtnl_address *found = to;
    struct ifa_cacheinfo info;
    attribute_copy(&info, sizeof(info), reading);
    found->address.valid_s = num_if(info.ifa_valid != UINT32_MAX, order32(info.ifa_valid));
    return true;
}

NETLINK_RTNL_ADDRESSES;

static bool begin_address(void *to, struct reading *reading)
{
    const struct ifaddrmsg *info = reading->header;
    reading->family = info->ifa_family;
    *(struct rtnl_address *)to = (struct rtnl_address){
        .ifindex = num_of(order32(info->ifa_index)),
        .address = { .family = info->ifa_family,
                     .prefix = info->ifa_prefixlen,
                     .scope = info->ifa_scope,
                     .flags = info->ifa_flags },
    };
    return true;
}

/* IPv6 has IFA_LOCAL only on point-to-point links. */
static bool end_address(void *to, struct reading *reading)
{
    (void)reading;
    struct rtnl_address *found = to;
    if (!found->has_local)
        memcpy(found->address.raw, found->address.peer, sizeof(found->address.raw));
    if (!found->has_peer)
        memcpy(found->address.peer, found->address.raw, sizeof(found->address.peer));
    return found->has_peer || found->has_local;
}

const struct answer rtnl_addresses = { .type = RTM_NEWADDR,
                                       .header = sizeof(struct ifaddrmsg),
                                       .table = addresses,
                                       .begin = begin_address,
                                       .end = end_address,
                                       EACH(struct rtnl_addresses, items, count) };

/* -- routes ---------------------------------------------------------------------------------------------- */

/* A message as received: with several next hops, it becomes a route for each. */
struct route_message {
    struct route route;
    const struct nlattr *hops;
};

NETLINK_RTNL_HOP;

/* The next hop in RTA_MULTIPATH, a struct rtnexthop followed by attributes; false: the end, or broken. */
static bool next_hop(struct attr_walk *walk, struct rtnexthop *found, struct attr_walk *attributes)
{
    if (walk->left < sizeof(*found))
        return false;
    memcpy(found, walk->at, sizeof(*found));
    size_t len = order16(found->rtnh_len), step = NLA_ALIGN(len);
    walk->broken = len < sizeof(*found) || len > walk->left;
    if (walk->broken)
        return false;
    *attributes = attr_walk(walk->at + sizeof(*found), len - sizeof(*found));
    step = step < walk->left ? step : walk->left;
    walk->at += step;
    walk->left -= step;
    return true;
}

static bool take_hops(void *to, struct reading *reading)
{
    ((struct route_message *)to)->hops = reading->attr;
    return true;
}

static void put_hops(const struct nlattr *attr, struct bytes *out)
{
    size_t begin = attributes_begin(out, attr->nla_type);
    struct attr_walk walk = attr_walk_in(attr), attributes;
    struct rtnexthop found;
    while (next_hop(&walk, &found, &attributes)) {
        size_t at = out->len;
        bytes_append(out, &found, sizeof(found));
        attributes_put(hop, attributes, out);
        found.rtnh_len = order16((uint16_t)(out->len - at));
        memcpy(out->data + at, &found, sizeof(found));
    }
    attributes_end(out, begin);
}

NETLINK_RTNL_ROUTES;

static bool begin_route(void *to, struct reading *reading)
{
    const struct rtmsg *info = reading->header;
    reading->family = info->rtm_family;
    *(struct route_message *)to = (struct route_message){
        .route = { .family = info->rtm_family,
                   .prefix = info->rtm_dst_len,
                   .table = info->rtm_table,
                   .type = info->rtm_type,
                   .scope = info->rtm_scope,
                   .protocol = info->rtm_protocol,
                   .tos = info->rtm_tos,
                   .dead = order32(info->rtm_flags) & RTNH_F_DEAD },
    };
    size_t size = address_size(info->rtm_family);
    return size && info->rtm_dst_len <= size * 8 && !(order32(info->rtm_flags) & RTM_F_CLONED);
}

static void push_hops(const struct route_message *message, struct reading *reading, struct host *host)
{
    struct attr_walk walk = attr_walk_in(message->hops), attributes;
    struct rtnexthop found;
    size_t first = host->nroutes;
    while (next_hop(&walk, &found, &attributes)) {
        struct route *route = ARENA_PUSH(reading->arena, host->routes, host->nroutes);
        *route = message->route;
        route->ifindex = num_of(order32((uint32_t)found.rtnh_ifindex));
        route->dead = found.rtnh_flags & RTNH_F_DEAD;
        attributes_read(hop, attributes, route, reading);
    }
    for (size_t i = first; i < host->nroutes; i++)
        host->routes[i].several = host->nroutes - first > 1;
    reading->broken |= walk.broken;
}

static bool end_route(void *to, struct reading *reading)
{
    const struct route_message *message = to;
    struct host *host = reading->into;
    if (message->hops)
        push_hops(message, reading, host);
    else
        *ARENA_PUSH(reading->arena, host->routes, host->nroutes) = message->route;
    return false;
}

const struct answer rtnl_routes = { .type = RTM_NEWROUTE,
                                    .header = sizeof(struct rtmsg),
                                    .table = routes,
                                    .begin = begin_route,
                                    .end = end_route,
                                    .size = sizeof(struct route_message) };

/* -- neighbours ------------------------------------------------------------------------------------------ */

NETLINK_RTNL_NEIGHBOURS;

static bool begin_neighbour(void *to, struct reading *reading)
{
    const struct ndmsg *info = reading->header;
    reading->family = info->ndm_family;
    *(struct neighbour *)to = (struct neighbour){ .family = info->ndm_family,
                                                  .ifindex = num_of(order32((uint32_t)info->ndm_ifindex)),
                                                  .state = order16(info->ndm_state) };
    return true;
}

const struct answer rtnl_neighbours = { .type = RTM_NEWNEIGH,
                                        .header = sizeof(struct ndmsg),
                                        .table = neighbours,
                                        .begin = begin_neighbour,
                                        EACH(struct host, neighbours, nneighbours) };

/* -- rules ----------------------------------------------------------------------------------------------- */

/* Whether it refers to a group of netdevs. */
static bool take_group(void *to, struct reading *reading)
{
    struct rule *rule = to;
    rule->odd |= attr_value(reading->attr, sizeof(uint32_t), 0) != UINT32_MAX;
    return true;
}

NETLINK_RTNL_RULES;

static bool begin_rule(void *to, struct reading *reading)
{
    const struct fib_rule_hdr *info = reading->header;
    size_t bits = address_size(info->family) * 8;
    reading->family = info->family;
    *(struct rule *)to = (struct rule){
        .family = info->family,
        .action = info->action,
        .source_prefix = info->src_len,
        .destination_prefix = info->dst_len,
        .table = info->table,
        .narrowed = info->tos,
        .odd = order32(info->flags) & FIB_RULE_INVERT || info->action == FR_ACT_GOTO,
    };
    return bits && info->src_len <= bits && info->dst_len <= bits; /* not those of multicast routing */
}

static bool end_rule(void *to, struct reading *reading)
{
    (void)reading;
    struct rule *rule = to;
    if (num_is(rule->suppress_prefix, UINT32_MAX)) /* not set */
        rule->suppress_prefix = (struct num){ 0 };
    return true;
}

const struct answer rtnl_rules = { .type = RTM_NEWRULE,
                                   .header = sizeof(struct fib_rule_hdr),
                                   .table = rules,
                                   .begin = begin_rule,
                                   .end = end_rule,
                                   EACH(struct host, rules, nrules) };

/* -- qdiscs ---------------------------------------------------------------------------------------------- */

/* A root qdisc that may have traffic classes. */
struct qdisc {
    const char *kind;
    bool has_map, nested;
    struct tc_mqprio_qopt map;
};

static bool take_map(struct qdisc *qdisc, const struct nlattr *attr)
{
    size_t len;
    const void *bytes = attr_bytes(attr, &len);
    if (!bytes || len < sizeof(qdisc->map))
        return false;
    memcpy(&qdisc->map, bytes, sizeof(qdisc->map));
    bool sane = qdisc->map.num_tc > 0 && qdisc->map.num_tc <= TC_QOPT_MAX_QUEUE;
    for (size_t i = 0; i < sizeof(qdisc->map.prio_tc_map); i++)
        sane &= qdisc->map.prio_tc_map[i] < qdisc->map.num_tc;
    return sane;
}

/* The map is recognised by its form: mqprio's options begin with it, taprio's have it as an attribute. */
static bool take_options(void *to, struct reading *reading)
{
    struct qdisc *qdisc = to;
    qdisc->nested = take_map(qdisc, attr_find(attr_walk_in(reading->attr), TCA_TAPRIO_ATTR_PRIOMAP));
    qdisc->has_map = qdisc->nested || take_map(qdisc, reading->attr);
    return qdisc->has_map;
}

/* Keeps the map of mqprio and taprio, nothing of others. */
static void put_options(const struct nlattr *attr, struct bytes *out)
{
    struct qdisc qdisc;
    struct tc_mqprio_qopt kept = { 0 };
    if (!take_options(&qdisc, &(struct reading){ .attr = attr }))
        return;
    kept.num_tc = qdisc.map.num_tc;
    memcpy(kept.prio_tc_map, qdisc.map.prio_tc_map, sizeof(kept.prio_tc_map));
    size_t begin = attributes_begin(out, attr->nla_type);
    size_t inner = qdisc.nested ? attributes_begin(out, order16(TCA_TAPRIO_ATTR_PRIOMAP)) : 0;
    bytes_append(out, &kept, sizeof(kept));
    if (qdisc.nested)
        attributes_end(out, inner);
    attributes_end(out, begin);
}

NETLINK_RTNL_QDISCS;

static bool begin_qdisc(void *to, struct reading *reading)
{
    *(struct qdisc *)to = (struct qdisc){ 0 };
    return ((const struct tcmsg *)reading->header)->tcm_parent == TC_H_ROOT;
}

static bool end_qdisc(void *to, struct reading *reading)
{
    (void)reading;
    const struct qdisc *qdisc = to;
    return qdisc->has_map && text_is(qdisc->kind, qdisc->nested ? "taprio" : "mqprio");
}

const struct answer rtnl_qdisc = { .type = RTM_NEWQDISC,
                                   .header = sizeof(struct tcmsg),
                                   .table = qdiscs,
                                   .begin = begin_qdisc,
                                   .end = end_qdisc };

int rtnl_parse_qdisc(const void *bytes, size_t len, struct arena *arena, void *to)
{
    const struct traffic_classes **classes = to;
    struct answers answers = answers_of(&rtnl_qdisc, bytes, len, arena);
    *classes = NULL;
    while (answers_next(&answers)) {
        struct qdisc qdisc;
        if (!answers_fill(&answers, &qdisc))
            continue;
        struct traffic_classes *found = arena_alloc(arena, 1, sizeof(*found));
        found->by = qdisc.kind;
        memcpy(found->of_priority, qdisc.map.prio_tc_map, sizeof(found->of_priority));
        *classes = found;
    }
    return answers_result(&answers);
}
