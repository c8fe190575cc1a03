/* SPDX-License-Identifier: MIT */
/* How packets leave the host: routes, neighbours and rules, as rtnetlink tells them. Filled when NEED_ROUTES
 * is asked for. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/num.h"

/* One with several next hops is as many routes, one after the other. */
struct route {
    uint8_t family; /* AF_INET or AF_INET6 */
    uint8_t prefix; /* bits of destination; 0: the default route */
    uint8_t destination[16];
    uint8_t gateway[16], source[16]; /* source: the preferred one (RTA_PREFSRC) */
    bool has_gateway, has_source;
    uint32_t table; /* RT_TABLE_*: main 254, local 255 */
    uint8_t type;   /* RTN_*: unicast 1, local 2, unreachable 7 … */
    uint8_t scope, protocol;
    struct num metric; /* lower wins */
    struct num mtu;
    struct num ifindex;
    bool several;       /* one of several next hops: which one a connection takes isn't known */
    const char *netdev; /* NULL: none, or in another namespace */
    uint8_t tos;        /* RTA_TOS: of packets with this one only; 0: of all */
    bool dead;          /* RTNH_F_DEAD: its netdev is down */
};

struct neighbour {
    uint8_t family;
    uint8_t address[16];
    struct num ifindex;
    const char *netdev;
    const char *mac; /* "52:54:00:00:00:0a"; NULL: not resolved */
    uint16_t state;  /* NUD_*: reachable 2, stale 4, failed 0x20, permanent 0x80 … */
};

struct rule {
    uint8_t family;
    uint8_t action; /* FR_ACT_*: to a table 1, blackhole 6, unreachable 7, prohibit 8 */
    uint8_t source_prefix, destination_prefix;
    uint8_t source[16], destination[16];
    uint32_t table;
    struct num priority, mark;
    const char *in_netdev, *out_netdev;
    struct num suppress_prefix; /* what is found with no more bits than that doesn't count */
    bool l3mdev;                /* for netdevs in a VRF: its table */
    bool narrowed;              /* by TOS, protocol or port: nothing to a lookup that has addresses alone */
    bool odd;                   /* inverted, a jump, or with something else that roce doesn't follow */
};

struct host;
struct netdev;

/* Are the first bits of both the same? */
bool prefix_holds(const uint8_t *prefix, unsigned bits, const uint8_t *address);

/* What the kernel is asked for by addresses alone: so RDMA_CM and ib_core ask (addr4_resolve() of core/addr.c).
 */
struct route_flow {
    uint8_t family;
    const uint8_t *source, *destination;
    const struct netdev *in;  /* that it came in by; NULL: it begins here */
    const struct netdev *out; /* that it shall leave by; NULL: any */
};

enum lookup_kind {
    LOOKUP_NONE, /* no rule leads to a route: IPv4 takes what shall leave by a netdev for one of its neighbours
                  */
    LOOKUP_FOUND,
    LOOKUP_REFUSED, /* unreachable, prohibited, dropped */
    LOOKUP_UNKNOWN, /* routes or rules aren't known, or a rule decides that roce can't follow */
};

struct route_lookup {
    enum lookup_kind kind;
    const struct route *route; /* with LOOKUP_FOUND */
    const struct rule *rule;   /* that led there, refused or can't be followed; may be NULL */
};

/* Follows the rules as the kernel lists them, by priority, and in each table the longest prefix, then the
 * lowest metric: fib_lookup() and fib_table_lookup() of net/ipv4. IPv6 prefers the netdev among equal
 * prefixes only (rt6_select() of net/ipv6/route.c), so look where the route leads. */
struct route_lookup host_look_up(const struct host *host, const struct route_flow *flow);
