/* SPDX-License-Identifier: MIT */
/* The way packets take between rails, according to the host's rules and routes. */
#pragma once

#include "check/check.h"

/* Do both have the same family and subnet? A lone address (/32, /128) is in no subnet. */
bool addresses_share_subnet(const struct address *a, const struct address *b);
/* Finds an address of the subnet that a peer could have: neither its first or last address nor one of this
 * host. Returns false if there is none. */
bool subnet_peer(const struct host *host, const struct address *address, uint8_t peer[static 16]);
/* The lookup of a peer in the address's subnet that the kernel does when a packet from it arrives at the
 * netdev: the basis of rp_filter (fib_validate_source() of net/ipv4/fib_frontend.c). */
struct route_lookup way_back(const struct host *host, const struct netdev *netdev,
                             const struct address *address);

/* A port's way into one subnet: of each family the first address that has a routable RoCE v2 GID. */
struct rail {
    const struct port *port;
    const struct gid *gid;
    const struct netdev *netdev;
    const struct address *address;
    int64_t at;         /* the port's place among those like it, spare ones included */
    bool leads_outside; /* the default route is over it */
};

struct rails {
    const struct host *host;
    struct rail *rails;
    size_t count;
};

/* Those of the host, and those that aren't idle: found once for all subjects. Private to find_rails(). */
struct found_rails {
    bool found;
    struct rails all, judged;
};

/* Those of the ACTIVE RoCE ports that are judged, and of the subject's own port; in arena. */
struct rails find_rails(const struct subject *subject, struct arena *arena);
/* A port's place among those like it. */
int64_t rail_place(const struct host *host, const struct port *port);
/* Are they ports of boards of one kind, or both of software? */
bool ports_are_alike(const struct host *host, const struct port *a, const struct port *b);
/* Do both hear the same broadcasts on different ports? A macvlan or ipvlan and its parent netdev have one port,
 * and with the same VLAN tag, what arrives for one reaches the other's queue pairs. An address in another VRF
 * isn't this one's. */
bool netdevs_can_be_mixed_up(const struct host *host, const struct netdev *a, const struct netdev *b);
/* Is the port's IPv4 address where the plan of the ports like it has it, with another prefix length? */
bool rail_has_other_prefix(const struct host *host, const struct port *port, struct found_rails *found,
                           struct arena *arena);
/* The IPv4 address that the port would have by the plan of the ports like it, "10.1.3.5/24": theirs are on
 * subnets that follow each other, with one number on each. NULL if they follow no such plan, or if its number
 * could be another host's. In arena. */
const char *rail_planned_address(const struct subject *subject, struct arena *arena);
