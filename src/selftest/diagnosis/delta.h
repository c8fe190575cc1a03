/* SPDX-License-Identifier: MIT */
/* What happened to counters between two readings of a host. Pure. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "selftest/diagnosis/facts.h"

struct host;

enum { GROWN_COUNTERS_MOST = 128, GROWN_NAME_SIZE = 64 };

struct grown_counter {
    char name[GROWN_NAME_SIZE];
    uint64_t delta;
};

struct grown_counters {
    uint32_t ncounters;
    struct grown_counter counters[GROWN_COUNTERS_MOST];
};

/* The counters of a port, and of its device, that have grown: errors first, then warnings, then the rest; as
 * many as fit. */
void counters_grown(const struct host *before, const struct host *after, const char *device, uint32_t port,
                    struct grown_counters *grown);
/* Adds what they say about losses to facts. peer: they are the other host's. */
void counters_tell(const struct grown_counters *grown, bool peer, struct facts *facts);
