/* SPDX-License-Identifier: MIT */
/* Steps of connections as `roce trace` shows them: a line for a person, an object for a program. */
#pragma once

#include "check/towards.h"
#include "trace/trace.h"
#include "view/json.h"

/* A step, and what goes with it. */
struct trace_shown {
    const struct trace_step *step;
    uint64_t utc_ms;              /* when it was */
    const char *place;            /* container, job or unit of the process; NULL: none known */
    const struct way_fact *facts; /* of a failure: what is so of the way */
    size_t nfacts;
    const char **log; /* of what ends or fails: the lines that the kernel's log has beside it */
    size_t nlog;
    const char *release; /* with STEP_OF_START: the kernel's, and which events it has, 1 << POINT_… */
    uint64_t points;
    /* Of several hosts' recordings: */
    const char *host;                /* NULL: of one */
    uint64_t connection;             /* the same for both ends */
    const struct trace_shown *arose; /* the failure at the other end that led to this one; NULL: none */
    struct snum ahead_us;            /* with STEP_OF_START: its host's clock, of the first one's */
};

/* What another end's failure led to is none by itself. */
bool trace_is_failure(const struct trace_shown *shown);
/* "rping[4711]  10.0.0.1:39564 → 10.0.0.2:7999  REJECTED 8  invalid service ID (10 ms)". The caller frees it.
 */
char *trace_step_text(const struct trace_step *step);
/* Appends the line, and under a failure its meaning, causes and facts. */
void trace_step_print(const struct trace_shown *shown, bool color, size_t width);
json_t *trace_step_json(const struct trace_shown *shown);

/* What is so of the way to an address, behind a label, as block_printf() prints it; and as a list, which the
 * caller owns. */
void way_facts_print(const char *label, int indent, const struct way_fact *facts, size_t count, size_t width);
json_t *way_facts_json(const struct way_fact *facts, size_t count);
