/* SPDX-License-Identifier: MIT */
/* What came of the tests: one row each, as it is shown. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/num.h"
#include "model/verdict.h"
#include "selftest/diagnosis/failure.h"
#include "selftest/trial/trial.h"

enum { RESULT_NAME_SIZE = 40 };

struct result {
    const char *device, *gid; /* belong to the caller */
    const char *to_device; /* of a test between two ports of this host; NULL: the same port, or another host */
    uint32_t port, to_port;
    struct num to_gid_index;
    struct num gid_index;             /* not known: it's about the port */
    struct num numa_node;             /* that memory and thread were on; not known: any */
    bool outlier;                     /* a measurement much slower than its siblings */
    char operation[RESULT_NAME_SIZE]; /* "RC send", "RC send, inline" */
    enum trial_kind kind;
    uint32_t size_min, size; /* bytes; of a failure: of the message that failed */
    enum verdict verdict;
    uint64_t messages, lost;
    struct stats latency; /* µs; count 0: not measured */
    char picture[HISTOGRAM_TEXT_SIZE];
    double rate_gbits;                             /* of the port, 10^9 bits/s; 0: not known */
    double mbytes_per_second, messages_per_second; /* 0: not measured; MB: 10^6 bytes */
    /* Of a traffic class, there and back: the DSCP that packets came with, the priorities that ports counted
     * them on. */
    struct num dscp[2], priority_sent[2], priority_received[2];
    struct failure failure;       /* of a FAIL or WARN */
    char note[FAILURE_TEXT_SIZE]; /* why N/A, or what else there is to say */
};

struct results {
    struct result *items; /* freed with free() */
    size_t count, size;
};

/* Did number i end in silence, and did messages at least as large pass after it, by other queue pairs? Each
 * has a source port of its own: one path of several is the first suspect. Pure. */
bool result_others_pass(const struct results *results, size_t i);

/* Are both of one operation, with messages of one size? */
bool result_is_same_test(const struct result *a, const struct result *b);

/* Adds one, all zero. It stays where it is until the next one is added. */
struct result *results_add(struct results *results);
