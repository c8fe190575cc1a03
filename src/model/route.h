/* SPDX-License-Identifier: MIT */
/* How packets leave the host: routes, neighbours and rules, as rtnetlink tells them. Filled when NEED_ROUTES
 * is asked for. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/num.h"

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
    struct num ifindex; /* of the first hop, when it has several */
    bool several;       /* hops: which one a connection takes isn't known */
    const char *netdev; /* NULL: none, or in another namespace */
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
};
