/* SPDX-License-Identifier: MIT */
/* How packets leave the host: routes, neighbours and rules, from rtnetlink. Filled when NEED_ROUTES is asked
 * for. Pure. */
#pragma once

#include "model/num.h"

/* A route with several next hops becomes several routes in a row. */
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
    uint8_t tos;        /* RTA_TOS: only for packets with this TOS; 0: for all */
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
    struct num suppress_prefix; /* a match with no more bits than this doesn't count */
    bool l3mdev;                /* for netdevs in a VRF: its table */
    bool narrowed;              /* by TOS, protocol or port: never matches a lookup by addresses alone */
    bool odd;                   /* inverted, a jump, or something else that roce doesn't follow */
};

struct host;
struct netdev;

/* Are their first bits the same? */
bool prefix_holds(const uint8_t *prefix, unsigned bits, const uint8_t *address);

/* A lookup by addresses alone, as RDMA_CM and ib_core do it (addr4_resolve() of core/addr.c). */
struct route_flow {
    uint8_t family;
    const uint8_t *source, *destination;
    const struct netdev *in;  /* where it arrived; NULL: it originates here */
    const struct netdev *out; /* where it must leave; NULL: any */
};

enum lookup_kind {
    LOOKUP_NONE, /* no rule leads to a route: IPv4 then assumes a neighbour if a netdev is given */
    LOOKUP_FOUND,
    LOOKUP_REFUSED, /* unreachable, prohibited, dropped */
    LOOKUP_UNKNOWN, /* routes or rules aren't known, or a rule that roce can't follow decides */
};

struct route_lookup {
    enum lookup_kind kind;
    const struct route *route; /* with LOOKUP_FOUND */
    const struct rule *rule;   /* the one that led there, refused, or can't be followed; may be NULL */
};

/* Follows the rules in the kernel's order, by priority, and in each table the longest prefix, then the lowest
 * metric: fib_lookup() and fib_table_lookup() of net/ipv4. IPv6 prefers the netdev only among equal prefixes
 * (rt6_select() of net/ipv6/route.c), so check where the route leads. */
struct route_lookup host_look_up(const struct host *host, const struct route_flow *flow);

/* Which port packets to an address leave by, according to the routes. Needs NEED_ADDRESSES and NEED_ROUTES. */
struct port;

/* The port of the netdev that has this address ("10.0.0.1", "fd00::1"). NULL if it isn't the host's, if several
 * ports or none have the netdev, or if address is NULL or not numeric. */
const struct port *egress_of_own(const struct host *host, const char *address);
/* The port of the netdev that the route to this address names: the longest prefix in table local, then in main.
 * NULL as above, or if the routes aren't known, a rule leads elsewhere, or the route has several next hops. */
const struct port *egress_towards(const struct host *host, const char *address);
/* The port that an IPoIB netdev is on; NULL if none is known. */
const struct port *egress_of_ipoib(const struct host *host, const struct netdev *netdev);
/* Does the host's default route leave by the port, or by a netdev above its own? That is the main table's with
 * the lowest metric, of IPv4 if it has one: rails that have a default route each, in a table of their own or
 * with a higher metric, don't count. Unknown if the routes are. */
enum tristate port_has_default_route(const struct host *host, const struct port *port);
