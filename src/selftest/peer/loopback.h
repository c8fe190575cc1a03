/* SPDX-License-Identifier: MIT */
/* Both ends in this process, on the same port and GID, or on two ports of this host. */
#pragma once

#include "selftest/peer/peer.h"
#include "selftest/queues/cm.h"
#include "selftest/trial/options.h"

/* How iWARP is connected: by RDMA_CM, through TCP from an address of the netdev to itself. */
struct loopback_cm {
    uint8_t address[16]; /* as a GID */
    uint32_t ifindex;
};

struct loopback {
    struct peer peer;                /* first: the peer's functions find the rest by it */
    const struct loopback_cm *by_cm; /* NULL: without RDMA_CM */
    struct cm *near_cm, *far_cm;
    struct set_spec spec, far_spec;
    struct path path; /* MTU and depth are what both ends can do; dgid: where near sends to */
    const struct test_options *options;
    struct set *near, *far;
    struct responder responder;
};

/* Opens and connects both ends. far: NULL: the same port and GID. path->mtu 0: the port's. by_cm: NULL, or
 * valid until the end; then there are RC queue pairs only, one an end, and far is NULL. The caller ends it
 * with loopback_close(), also after a failure. */
int loopback_open(struct loopback *loopback, const struct endpoint_spec *end, const struct endpoint_spec *far,
                  const struct loopback_cm *by_cm, const struct test_options *options,
                  struct failure *failure);
void loopback_close(struct loopback *loopback);
