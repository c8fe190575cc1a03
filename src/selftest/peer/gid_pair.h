/* SPDX-License-Identifier: MIT */
/* Which GID of this host talks to which GID of the other; for iWARP ports, which address. Pure. */
#pragma once

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

/* This end of a test with it. */
struct endpoint_spec near_endpoint(const struct near_gid *near, size_t size);

/* What routing says about one GID of the other host. */
struct far_route {
    int err;            /* 0, or a positive errno if there is no route */
    uint8_t source[16]; /* the source address that the kernel chooses, as a GID */
};

struct pair_question {
    const struct near_gid *near;
    size_t nnear;
    const struct wire_gid *far;
    size_t nfar;
    const struct far_route *routes; /* nfar of them */
    uint8_t host[16];               /* the address that the client connected to, as a GID */
    uint8_t own[16];                /* and our address on that connection */
    int forced;                     /* --gid: index of ours; -1: free */
    const char *device;             /* ours; NULL: any */
};

enum { PAIR_TEXT_SIZE = 280 };

struct pair {
    size_t near, far;
    char why[PAIR_TEXT_SIZE]; /* also for a refusal */
};

/* Returns 0, or with why filled: -EPROTONOSUPPORT if one side has only RoCE v1 and the other only v2, or only
 * one is iWARP; -ENETUNREACH if there is no route; -ENODEV if nothing here has the address that routing
 * chooses; -EAFNOSUPPORT if there is no common address family. */
int pair_choose(const struct pair_question *question, struct pair *pair);
/* Rewrites why, once more is known about the other GID. */
void pair_say(const struct pair_question *question, struct pair *pair);

/* Addresses of a host name, by libcares: /etc/hosts, then DNS according to /etc/resolv.conf (search domains,
 * the servers in turn). Other sources in nsswitch.conf(5) aren't asked: glibc's name services need shared
 * objects of the very glibc that was linked. */

enum { RESOLVE_MOST = 8, RESOLVE_SERVERS_SIZE = 120 };

struct resolved {
    struct sockaddr_storage addresses[RESOLVE_MOST];
    socklen_t lengths[RESOLVE_MOST];
    size_t count;
    const char *source;                 /* "/etc/hosts" or "DNS" */
    const char *trouble;                /* for -EIO: libcares' words */
    char servers[RESOLVE_SERVERS_SIZE]; /* the DNS servers to be asked: "10.0.0.53, 2001:db8::53" */
};

/* Both families, in the order of RFC 6724, without duplicates, each with that port. ms limits the total time.
 * Returns 0, or with servers filled: -ENOENT (unknown to both), -ENODATA (the name has no address), -ETIMEDOUT,
 * -ECONNREFUSED (no server can be reached), -EINTR, -EINVAL (not a valid DNS name), -ENOMEM, -EIO. */
int resolve_name(const char *name, uint16_t port, uint32_t ms, struct resolved *resolved);
/* Moves to the front those that a GID here can talk to, as it has the same family. Only GIDs of that device and
 * index count; NULL and -1: any. Returns how many there are. Pure. */
size_t resolve_prefer(struct resolved *resolved, const struct near_gid *gids, size_t ngids, const char *device,
                      int index);
