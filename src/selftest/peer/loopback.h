/* SPDX-License-Identifier: MIT */
/* Both ends in this process, on the same port and GID. */
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
    struct set_spec spec;
    struct path path;
    const struct test_options *options;
    struct set *near, *far;
    struct responder responder;
};

/* Opens and connects both ends. path->mtu 0: the port's. by_cm: NULL, or valid until the end; then there are
 * RC queue pairs only, one an end. The caller ends it with loopback_close(), also after a failure. */
int loopback_open(struct loopback *loopback, const struct endpoint_spec *end, const struct loopback_cm *by_cm,
                  const struct test_options *options, struct failure *failure);
void loopback_close(struct loopback *loopback);
