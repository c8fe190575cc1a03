/* SPDX-License-Identifier: MIT */
/* The results of the tests: one row each, as shown. */
#pragma once

#include "model/num.h"
#include "model/verdict.h"
#include "selftest/diagnosis/diagnosis.h"
#include "selftest/trial/trial.h"

enum { RESULT_NAME_SIZE = 40 };

struct result {
    const char *device, *gid; /* belong to the caller */
    const char *to_device;    /* for a test between two ports of this host; else NULL */
    uint32_t port, to_port;
    struct num to_gid_index;
    struct num gid_index;             /* not known: it is about the port */
    struct num numa_node;             /* of memory and thread; not known: any */
    char operation[RESULT_NAME_SIZE]; /* "RC send", "RC send, inline" */
    enum trial_kind kind;
    uint32_t size_min, size; /* bytes; for a failure, of the message that failed */
    enum verdict verdict;
    uint64_t messages, lost;
    struct stats latency; /* µs; count 0: not measured */
    char picture[HISTOGRAM_TEXT_SIZE];
    double rate_gbits;                             /* of the port, 10^9 bits/s; 0: not known */
    double mbytes_per_second, messages_per_second; /* 0: not measured; MB: 10^6 bytes */
    double cpu_us;                                 /* of a CPU of this host, a message; 0: not measured */
    uint32_t post_list;                            /* requests that were posted at once; 0: not measured */
    enum tristate inlined;                         /* did messages go within their requests? */
    /* If measured several times the figures above are means, but for the least and most latency; these are the
     * least and the most of 10^9 bits/s, or of the median latency. */
    uint32_t intervals;
    struct range {
        double least, most;
    } gbits, median;
    /* For a traffic class, both directions: the DSCP with which packets arrived, the priorities on which ports
     * counted them. */
    struct num dscp[2], priority_sent[2], priority_received[2];
    struct failure failure;       /* for FAIL or WARN */
    struct facts facts;           /* by which that is judged */
    char note[FAILURE_TEXT_SIZE]; /* why N/A, or anything else worth saying */
};

struct results {
    struct result *items; /* free with free() */
    size_t count, size;
};

/* Adds to the facts of result i, if it ended in silence, what passed after it, on other queue pairs: messages
 * at least as large (as each has its own source port, one path of several is the first suspect), or none as
 * large (then size decides). Pure. */
void result_learn(const struct results *results, size_t i);

/* Are both about the same operation, with messages of the same size? */
bool result_is_same_test(const struct result *a, const struct result *b);

/* Adds one, all zero; or like the template, about that operation. The pointer is valid until the next one is
 * added. */
struct result *results_add(struct results *results);
struct result *results_add_like(struct results *results, const struct result *template, const char *operation,
                                enum verdict verdict);
