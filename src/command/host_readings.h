/* SPDX-License-Identifier: MIT */
/* A machine at two moments: checks of counters judge what happened between them. */
#pragma once

#include "check/check.h"
#include "command/context.h"

enum { LONGEST_INTERVAL = 3600 }; /* seconds between the two */

struct host_readings_options {
    const char *before; /* an earlier recording of the machine; or NULL */
    const char *state;  /* where the last run kept its reading; this one replaces it; or NULL */
    uint64_t seconds;   /* time between two readings of the live machine; 0: read once */
    bool kept;          /* instead of waiting, what a flight recorder read here a minute ago will do */
    bool whole;         /* the earlier reading is judged, too, so that it needs all that checks need */
    needs_t needs;      /* read in addition to what the checks need */
};

struct host_readings {
    struct host *host, *before; /* before is NULL if there is only one; the caller frees both */
    uint64_t interval_ms;       /* between the two; 0: not known */
};

/* Makes checks judge only the ports and devices that the operands name, or all without operands. The context's
 * selection may be made later. */
void checks_take_operands(const struct context *context, struct check_selection *selection);

/* Reads what the selected checks and the operands need. Returns 0, or -errno after saying which machine or
 * recording could not be read. */
int host_readings_take(struct context *context, const struct check_selection *selection,
                       const struct host_readings_options *wishes, struct host_readings *moments);
