/* SPDX-License-Identifier: MIT */
/* Who uses a port. A port that nobody uses is worth a word, never a fault. Pure. */
#pragma once

#include <stdbool.h>

#include "model/host.h"

enum use {
    USE_NONE,
    USE_ELSEWHERE, /* its netdev, or those of its GIDs, are in another network namespace: a container's */
    USE_HERE,
};

struct port_use {
    enum use use;
    const char *reason; /* "10.0.0.1", "a queue pair of ibv_rc_pingpong", "NCCL_IB_HCA names it"; what is
                           known of an unused one: "no address, no queue pair; 4 virtual functions" */
};

/* What speaks for a port's use: an address of its netdev or of one above it, or a routable GID; a variable of
 * an RDMA library that names it (a prefix or an exclusion doesn't), or an expectation; a queue pair of a
 * process or a kernel service; a CM id that listens on an address of its own; a kernel service that says it
 * uses the port, connected or not. Ports that are used without an address (InfiniBand, EFA) are used when
 * their link is up. Goes by what was read: NEED_STATE, NEED_GIDS or NEED_GID_SUMMARY, NEED_NETDEV_ALL,
 * NEED_ADDRESSES, NEED_ENVIRONMENT, NEED_USERS, NEED_SERVICES; what wasn't read speaks for nothing. Text is
 * in arena. */
struct port_use port_use(const struct host *host, const struct port *port, struct arena *arena);

/* Is a queue pair or CM id on this port? One that doesn't say is on a device's only one. */
struct resource;
bool resource_is_on(const struct resource *item, const struct port *port);
/* Does it speak for a user? Not management's queue pairs, nor a CM id that waits on any address: that one
 * stands on each device. */
bool resource_is_use(const struct resource *item);

/* Does a variable of an RDMA library name the port, or the expectation? */
bool port_is_named(const struct host *host, const struct port *port);
/* Is it to be judged? One that is used is, and all that were given are on a host where none is: that host is
 * of no use. */
bool port_is_judged(const struct host *host, const struct port *port, struct arena *arena);
/* Is any port of the host used here? */
bool host_uses_rdma(const struct host *host, struct arena *arena);

#define NEED_USE                                                                                              \
    (NEED_STATE | NEED_GIDS | NEED_NETDEV_ALL | NEED_ADDRESSES | NEED_ENVIRONMENT | NEED_NLDEV | NEED_USERS | \
     NEED_SERVICES)
