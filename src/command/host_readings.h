/* SPDX-License-Identifier: MIT */
/* A machine at two moments: checks of counters go by what has happened between them. */
#pragma once

#include "check/check.h"
#include "command/context.h"

enum { LONGEST_INTERVAL = 3600 }; /* seconds between the two */

struct host_readings_options {
    const char *before; /* an earlier recording of the machine; NULL: */
    const char *state;  /* what the last run kept, in whose place this reading is kept; NULL: */
    uint64_t seconds;   /* the live machine is read twice, so far apart; 0: once */
    needs_t needs;      /* that are read besides what the checks need */
};

struct host_readings {
    struct host *host, *before; /* before NULL: there is only one; the caller frees both */
    uint64_t interval_ms;       /* between both; 0: not known */
};

/* Has checks judge only the ports and devices that the operands name; all where there are none. The context's
 * selection may be made later. */
void checks_take_operands(const struct context *context, struct check_selection *selection);

/* Reads what the selected checks and the operands need. 0; -errno after saying which machine or recording
 * could not be read. */
int host_readings_take(struct context *context, const struct check_selection *selection,
                       const struct host_readings_options *wishes, struct host_readings *moments);
