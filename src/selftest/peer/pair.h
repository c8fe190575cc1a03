/* SPDX-License-Identifier: MIT */
/* Which GID of this host talks to which GID of the other one; or of iWARP ports, which address. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/gid.h"
#include "selftest/peer/wire.h"

/* A GID of this host, or an address of an iWARP port. */
struct near_gid {
    struct wire_gid gid;
    uint32_t ifindex; /* of its netdev, for link-local ones; 0: not known */
    bool active;      /* its port is */
    bool soft;        /* soft-RoCE */
    uint8_t ports;    /* enum port_rule */
};

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
