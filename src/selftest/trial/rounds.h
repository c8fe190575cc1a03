/* SPDX-License-Identifier: MIT */
/* What the leading side of an exchange does: rounds by each queue pair in turn, and a train of datagrams. */
#pragma once

#include "selftest/trial/exchange.h"

/* One message with its answer. All in ns. */
struct round_trip {
    uint64_t whole;
    uint64_t kept;   /* by the other end: what it says */
    uint64_t waited; /* here, before the answer was looked at: see struct exchange */
};
/* What is left for the way. */
static inline uint64_t round_net(const struct round_trip *r)
{
    uint64_t hosts = r->kept + r->waited;
    return r->whole > hosts ? r->whole - hosts : 0;
}

/* Plays `rounds` of them by every queue pair that lives, in turn, so that what disturbs one disturbs all.
 * trips: room for count × rounds, those of queue pair i from i × rounds on; played[i]: how many. One that
 * fails is out. 0 or as watch_check(); never longer than the watch. */
int rounds_run(struct exchange *x, uint32_t rounds, const struct watch *watch, struct round_trip *trips,
               uint32_t played[static BUNDLE_MOST]);

/* Sends so many numbered datagrams, EXCHANGE_WINDOW at most on their way; where these take long, no more than
 * ENOUGH after ENOUGH_MS. One that isn't answered in LOST_MS is lost. trips: room for as many, in the order
 * of their answers; *answered: how many came. */
enum { LOST_MS = 200, ENOUGH = 250, ENOUGH_MS = 150 };
int datagrams_run(struct exchange *x, uint32_t count, const struct watch *watch, struct round_trip *trips,
                  uint32_t *sent, uint32_t *answered);
