/* SPDX-License-Identifier: MIT */
/* The other end of a run. In loopback it lives in this process, else behind a connection to a server. */
#pragma once

#include "selftest/queues/queue.h"
#include "selftest/trial/respond.h"
#include "selftest/trial/trial.h"

struct peer {
    /* Gets ready for a trial. */
    int (*arm)(struct peer *peer, const struct trial *trial, struct failure *failure);
    /* The starter has done its part (or failed): what did the other end see? Returns 0 if all was right
     * there. */
    int (*finish)(struct peer *peer, const struct trial *trial, struct failure *failure);
    /* Makes new queue pairs on both ends after a failure broke the old ones. *set replaces the starter's. */
    int (*reopen)(struct peer *peer, struct set **set, struct failure *failure);
    struct responder *local; /* loopback: our own loops step it; NULL if elsewhere */
    int fd;                  /* control connection; -1: none */
};

/* Both ends in this process, on the same port and GID or on two ports of this host. */

/* Connecting iWARP: with RDMA_CM, through TCP from an address of the netdev to itself. */
struct loopback_cm {
    uint8_t address[16]; /* as a GID */
    uint32_t ifindex;
};

struct loopback {
    struct peer peer;                /* first: from it the peer's functions find the rest */
    const struct loopback_cm *by_cm; /* NULL if without RDMA_CM */
    struct set_spec spec, far_spec;
    struct path path; /* MTU and depth that both ends can do; dgid: where near sends to */
    const struct test_options *options;
    struct set *near, *far;
    struct responder responder;
};

/* Opens and connects both ends. far: NULL for the same port and GID. path->mtu 0: the port's. by_cm: NULL, or
 * valid until the end; then there is only one RC queue pair per end, and far is NULL. The caller calls
 * loopback_close() in the end, also after a failure. */
int loopback_open(struct loopback *loopback, const struct endpoint_spec *end, const struct endpoint_spec *far,
                  const struct loopback_cm *by_cm, const struct test_options *options, struct failure *failure);
void loopback_close(struct loopback *loopback);
