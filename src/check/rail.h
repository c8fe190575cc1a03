/* SPDX-License-Identifier: MIT */
/* Which way packets take between rails, by the host's rules and routes. */
#pragma once

#include "model/host.h"

/* The netdev's address that a GID is of; NULL: it has none such. */
const struct address *address_of_gid(const struct netdev *netdev, const struct gid *gid);
/* Are both of one family and in one subnet? An address alone (/32, /128) is in none. */
bool addresses_share_subnet(const struct address *a, const struct address *b);
/* An address of the subnet that may be a peer's: neither the subnet's first or last nor one of this host.
 * false: it has none. */
bool subnet_peer(const struct host *host, const struct address *address, uint8_t peer[static 16]);
/* Where the kernel looks for a peer in the address's subnet when a packet of its came in by the netdev: what
 * rp_filter goes by (fib_validate_source() of net/ipv4/fib_frontend.c). */
struct route_lookup way_back(const struct host *host, const struct netdev *netdev,
                             const struct address *address);
