/* SPDX-License-Identifier: MIT */
/* Addresses of a host's name, by libcares: /etc/hosts, then DNS as /etc/resolv.conf has it (search domains,
 * the servers in turn). glibc's name services need shared objects of the very glibc that was linked, so what
 * else nsswitch.conf(5) names isn't asked. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "selftest/peer/pair.h"

enum { RESOLVE_MOST = 8, RESOLVE_SERVERS_SIZE = 120 };

struct resolved {
    struct sockaddr_storage addresses[RESOLVE_MOST];
    socklen_t lengths[RESOLVE_MOST];
    size_t count;
    const char *source;                 /* "/etc/hosts" or "DNS" */
    const char *trouble;                /* of -EIO: libcares' words */
    char servers[RESOLVE_SERVERS_SIZE]; /* the DNS servers that were to be asked: "10.0.0.53, 2001:db8::53" */
};

/* Both families, in the order of RFC 6724, without duplicates; port goes into each. ms: for all of it. 0, or
 * with servers filled: -ENOENT (neither knows the name), -ENODATA (it has no address), -ETIMEDOUT,
 * -ECONNREFUSED (no server can be reached), -EINTR, -EINVAL (DNS has no such names), -ENOMEM, -EIO. */
int resolve_name(const char *name, uint16_t port, uint32_t ms, struct resolved *resolved);
/* Moves those to the front that a GID here can talk to: of a family that one of them has. device: of this one
 * only; NULL: of any. index: of this GID only; -1: of any. Pure. How many those are. */
size_t resolve_prefer(struct resolved *resolved, const struct near_gid *gids, size_t ngids,
                      const char *device, int index);
