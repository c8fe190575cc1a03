/* SPDX-License-Identifier: MIT */
/* What a row of latencies says. Pure. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct stats {
    size_t count;                             /* 0: nothing was measured */
    double min, mean, median, p99, p999, max; /* in the unit of the samples */
};

/* Sorts samples. Percentiles are by nearest rank: always a value that was measured. scale is multiplied in:
 * nanoseconds a tick. */
void stats_of(uint64_t *samples, size_t count, double scale, struct stats *stats);

/* Equal steps of the logarithm between the least and the 99.9th percentile; what is above falls in the last.
 */
enum { HISTOGRAM_BINS = 12, HISTOGRAM_TEXT_SIZE = HISTOGRAM_BINS * 3 + 1 };
struct histogram {
    uint64_t counts[HISTOGRAM_BINS];
    double low, high; /* the edges, scaled */
};
void histogram_of(const uint64_t *sorted, size_t count, double scale, struct histogram *histogram);
/* One character a bin: a blank for none, then eight heights; UTF-8. */
void histogram_picture(const struct histogram *histogram, char text[static HISTOGRAM_TEXT_SIZE]);
