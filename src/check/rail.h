/* SPDX-License-Identifier: MIT */
/* The way packets take between rails, according to the host's rules and routes. */
#pragma once

#include "model/host.h"

/* The netdev's address that a GID was made from; NULL if it has none. */
const struct address *address_of_gid(const struct netdev *netdev, const struct gid *gid);
/* Do both have the same family and subnet? A lone address (/32, /128) is in no subnet. */
bool addresses_share_subnet(const struct address *a, const struct address *b);
/* Finds an address of the subnet that a peer could have: neither its first or last address nor one of this
 * host. Returns false if there is none. */
bool subnet_peer(const struct host *host, const struct address *address, uint8_t peer[static 16]);
/* The lookup of a peer in the address's subnet that the kernel does when a packet from it arrives at the
 * netdev: the basis of rp_filter (fib_validate_source() of net/ipv4/fib_frontend.c). */
struct route_lookup way_back(const struct host *host, const struct netdev *netdev,
                             const struct address *address);
