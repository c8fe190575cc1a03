/* SPDX-License-Identifier: MIT */
/* Which GID of this host talks to which GID of the other one; or of iWARP ports, which address. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "model/gid.h"
#include "selftest/peer/protocol.h"

/* A GID of this host, or an address of an iWARP port. */
struct near_gid {
    struct wire_gid gid;
    uint32_t ifindex;             /* of its netdev, for link-local ones; 0: not known */
    bool active;                  /* its port is */
    bool soft;                    /* soft-RoCE */
    uint8_t ports;                /* enum port_rule */
    double rate_gbits;            /* of its port, 10^9 bits/s; 0: not known */
    char node[WIRE_NAME_SIZE];    /* "/dev/infiniband/uverbs0"; "": not known */
    char netdevs[WIRE_NAME_SIZE]; /* whose driver counts for its port: see struct wire_priorities */
};

/* This end of what is tested through it. */
struct endpoint_spec near_endpoint(const struct near_gid *near, size_t size);

/* What routing says about one GID of the other host. */
struct far_route {
    int err;            /* 0, or positive errno: no way there */
    uint8_t source[16]; /* the address that the kernel sends from, as a GID */
};

struct pair_question {
    const struct near_gid *near;
    size_t nnear;
    const struct wire_gid *far;
    size_t nfar;
    const struct far_route *routes; /* nfar of them */
    uint8_t host[16];               /* the address that was asked for, as a GID */
    uint8_t own[16];                /* and our side of that connection */
    int forced;                     /* --gid: index of ours; -1: free */
    const char *device;             /* ours; NULL: any */
};

enum { PAIR_TEXT_SIZE = 280 };

struct pair {
    size_t near, far;
    char why[PAIR_TEXT_SIZE]; /* also of a refusal */
};

/* 0; or, with why filled: -EPROTONOSUPPORT one side has only RoCE v1, the other only v2, or one only iWARP;
 * -ENETUNREACH no route; -ENODEV nothing here has the address that routing chooses; -EAFNOSUPPORT no common
 * address family.
 */
int pair_choose(const struct pair_question *question, struct pair *pair);
/* Says it anew, when more is known of the other GID. */
void pair_say(const struct pair_question *question, struct pair *pair);

/* Addresses of a host's name, by libcares: /etc/hosts, then DNS as /etc/resolv.conf has it (search domains,
 * the servers in turn). glibc's name services need shared objects of the very glibc that was linked, so what
 * else nsswitch.conf(5) names isn't asked. */

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
size_t resolve_prefer(struct resolved *resolved, const struct near_gid *gids, size_t ngids, const char *device,
                      int index);
