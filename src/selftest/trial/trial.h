/* SPDX-License-Identifier: MIT */
/* One test, as both ends agree on it: plain data that also travels between hosts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "selftest/queues/description.h"

enum trial_kind { TRIAL_VERIFY, TRIAL_LATENCY, TRIAL_BANDWIDTH, TRIAL_KINDS };

enum trial_flags {
    TRIAL_INLINE = 1,
    TRIAL_PIECES = 2,    /* three scatter/gather entries on either side */
    TRIAL_UNALIGNED = 4, /* odd addresses */
    TRIAL_EVENTS = 8,    /* completion by event instead of polling */
    TRIAL_BOTH_WAYS = 16,
    TRIAL_FLAGS_MASK = 31,
};

enum {
    TRIAL_SIZE_MOST = 8 << 20,
    TRIAL_COUNT_MOST = 100000000,
    TRIAL_SAMPLES_MOST = 1000000, /* latencies kept of one trial */
    TRIAL_TIMEOUT_LEAST = 10,     /* ms */
    TRIAL_TIMEOUT_MOST = 600000,
};

struct trial {
    uint8_t kind, op, queue, flags;
    uint8_t queues; /* BANDWIDTH: so many RC queue pairs, at least 1 */
    uint32_t size;  /* bytes of a message */
    /* messages; LATENCY: round trips; BANDWIDTH: of each side that sends, all queues together */
    uint32_t count;
    uint32_t seed;    /* of the pattern */
    uint32_t timeout; /* ms */
};

/* Does every field lie in its range, and do they fit together? Pure. */
bool trial_is_sane(const struct trial *trial);
