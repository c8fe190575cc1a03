/* SPDX-License-Identifier: MIT */
/* The two formats that Prometheus reads: its own text, version 0.0.4, and OpenMetrics 1.0. What becomes a
 * name is the caller's matter; help and the values of labels may be any bytes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

enum metric_type { METRIC_GAUGE, METRIC_COUNTER, METRIC_INFO };
/* "gauge", "counter", "info": an info is a gauge whose labels tell, and whose value is 1. */
const char *metric_type_name(enum metric_type type);

struct exposition {
    struct bytes out; /* what was written so far: the caller frees it */
    bool openmetrics;
    size_t samples;
};

/* The lines in front of a family's samples. name is whole, "_total" of a counter and "_info" of an info
 * included; unit is what its name has in front of that, "bytes" or "seconds"; NULL: nothing. */
void exposition_family(struct exposition *to, const char *name, enum metric_type type, const char *unit,
                       const char *help);
/* labels as exposition_label() makes them; "": none. */
void exposition_sample(struct exposition *to, const char *name, const char *labels, uint64_t value);
void exposition_sample_signed(struct exposition *to, const char *name, const char *labels, int64_t value);
void exposition_sample_seconds(struct exposition *to, const char *name, const char *labels,
                               uint64_t microseconds);
/* value as it shall be written. */
void exposition_sample_text(struct exposition *to, const char *name, const char *labels, const char *value);
/* OpenMetrics has an end. */
void exposition_end(struct exposition *to);

/* labels and one more behind them, in arena. What a terminal could obey and what is no UTF-8 becomes \xNN
 * text; a backslash and a quote are escaped. value NULL is "", which Prometheus takes for no label. */
const char *exposition_label(struct arena *arena, const char *labels, const char *name, const char *value);
