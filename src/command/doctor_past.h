/* SPDX-License-Identifier: MIT */
/* What doctor finds between the readings that a flight recorder kept. */
#pragma once

#include "command/history.h"
#include "command/host_readings.h"

/* A time in which each reading found the same things. */
struct past_stretch {
    uint64_t begin_ms, end_ms;
    struct host *before, *host;
    struct report report;
};

struct past {
    uint64_t since_ms, until_ms; /* of the first and the last reading */
    size_t readings;
    struct past_stretch *stretches; /* where something was found; if nothing was, all of it as one */
    size_t count;
    enum verdict verdict; /* what stops the gate of them: the worst */
};

/* Judges the stretch by the interval checks that are selected. context->host and ->selection are those of the
 * last stretch afterwards, whose end past_free() is. Returns 0, or -errno after saying what is missing. */
int past_judge(struct context *context, const struct history_place *place, const struct stretch_meant *stretch,
               const struct check_selection *selection, const struct gate *gate, struct arena *arena,
               struct past *past);
void past_free(struct past *past);
