/* SPDX-License-Identifier: MIT */
/* Both ends in this process, on the same port and GID. */
#pragma once

#include "selftest/peer/peer.h"
#include "selftest/trial/options.h"

struct loopback {
    struct peer peer; /* first: the peer's functions find the rest by it */
    struct set_spec spec;
    struct path path;
    const struct test_options *options;
    struct set *near, *far;
    struct responder responder;
};

/* Opens and connects both ends. path->mtu 0: the port's. The caller ends it with loopback_close(), also after
 * a failure. */
int loopback_open(struct loopback *loopback, const struct endpoint_spec *end,
                  const struct test_options *options, struct failure *failure);
void loopback_close(struct loopback *loopback);
