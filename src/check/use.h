/* SPDX-License-Identifier: MIT */
/* Who uses a port. A port that nobody uses is worth a remark, but is never a fault. Pure. */
#pragma once

#include "model/host.h"

enum use {
    USE_NONE,
    USE_ELSEWHERE, /* its netdev, or those of its GIDs, are in another network namespace: a container's */
    USE_HERE,
};

struct port_use {
    enum use use;
    const char *reason; /* "10.0.0.1", "a queue pair of ibv_rc_pingpong", "NCCL_IB_HCA names it"; for an unused
                         * port what is known: "no address, no queue pair; 4 virtual functions" */
    /* something that would tell could not be read: taken for used, but no proof that the host is */
    bool unsure;
};

/* A port counts as used if it has: an address of its netdev or of one above it, or a routable GID; a variable
 * of an RDMA library, or an expectation, that names it (a prefix or an exclusion doesn't); a queue pair of a
 * process or a kernel service; a CM id that listens on a specific address; a kernel service that says it uses
 * the port, connected or not. Ports that work without an address (InfiniBand, EFA) count as used when their
 * link is up. Looks at what was read of NEED_STATE, NEED_GIDS or NEED_GID_SUMMARY, NEED_NETDEV_ALL,
 * NEED_ADDRESSES, NEED_ENVIRONMENT, NEED_USERS and NEED_SERVICES; what wasn't read counts for nothing. Text is
 * in arena. */
struct port_use port_use(const struct host *host, const struct port *port, struct arena *arena);

/* Is a queue pair or CM id on this port? One that doesn't say is on its device's only port. */
struct resource;
bool resource_is_on(const struct resource *item, const struct port *port);
/* Does it show use? Management queue pairs don't, nor does a CM id that listens on any address: every device
 * has that one. */
bool resource_is_use(const struct resource *item);

/* Does a variable of an RDMA library, or the expectation, name the port? */
bool port_is_named(const struct host *host, const struct port *port);
/* Should it be judged? Used ports are; on a host with none, all ports given to it are, since such a host is of
 * no use. */
bool port_is_judged(const struct host *host, const struct port *port, struct arena *arena);
/* Is any port of the host used here? */
bool host_uses_rdma_here(const struct host *host, struct arena *arena);
/* Is the host for pods or guests, to which it gives virtual functions or ports' netdevs? That shows with
 * NEED_PCI, NEED_SYSTEM and NEED_CONTAINER. */
bool host_serves_others(const struct host *host, struct arena *arena);
/* Either of them. */
bool host_uses_rdma(const struct host *host, struct arena *arena);

#define NEED_USE                                                                                              \
    (NEED_STATE | NEED_GIDS | NEED_GUIDS | NEED_NETDEV_ALL | NEED_ADDRESSES | NEED_ENVIRONMENT | NEED_NLDEV | \
     NEED_USERS | NEED_SERVICES | NEED_PCI | NEED_CONTAINER | NEED_SYSTEM)
