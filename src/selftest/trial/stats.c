/* SPDX-License-Identifier: MIT */
#include "selftest/trial/stats.h"

#include <stdlib.h>
#include <string.h>

#include "base/glyph.h"

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Per mille, nearest rank. */
static uint64_t rank(const uint64_t *sorted, size_t count, unsigned permille)
{
    size_t at = (count * permille + 999) / 1000;
    return sorted[at ? at - 1 : 0];
}

void stats_of(uint64_t *samples, size_t count, double scale, struct stats *stats)
{
    memset(stats, 0, sizeof(*stats));
    if (count == 0)
        return;
    qsort(samples, count, sizeof(*samples), by_value);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)samples[i];
    *stats = (struct stats){
        .count = count,
        .min = (double)samples[0] * scale,
        .mean = sum / (double)count * scale,
        .median = (double)rank(samples, count, 500) * scale,
        .p99 = (double)rank(samples, count, 990) * scale,
        .p999 = (double)rank(samples, count, 999) * scale,
        .max = (double)samples[count - 1] * scale,
    };
}

void histogram_of(const uint64_t *sorted, size_t count, double scale, struct histogram *histogram)
{
    memset(histogram, 0, sizeof(*histogram));
    if (count == 0)
        return;
    double low = (double)(sorted[0] ? sorted[0] : 1), high = (double)rank(sorted, count, 999);
    if (high < low)
        high = low;
    /* the step whose HISTOGRAM_BINSth power spans the range, by bisection: no libm needed */
    double least = 1, most = high / low + 1;
    for (int i = 0; i < 60; i++) {
        double step = (least + most) / 2, span = 1;
        for (int j = 0; j < HISTOGRAM_BINS; j++)
            span *= step;
        if (span * low < high)
            least = step;
        else
            most = step;
    }
    double edge = low * most;
    size_t bin = 0;
    for (size_t i = 0; i < count; i++) {
        while (bin + 1 < HISTOGRAM_BINS && (double)sorted[i] > edge) {
            edge *= most;
            bin++;
        }
        histogram->counts[bin]++;
    }
    histogram->low = low * scale;
    histogram->high = high * scale;
}

void histogram_picture(const struct histogram *histogram, char text[static HISTOGRAM_TEXT_SIZE])
{
    uint64_t most = 0;
    for (size_t i = 0; i < HISTOGRAM_BINS; i++)
        most = histogram->counts[i] > most ? histogram->counts[i] : most;
    char *at = text;
    for (size_t i = 0; i < HISTOGRAM_BINS; i++) {
        uint64_t count = histogram->counts[i];
        const char *bar = count == 0 ? " " : glyph_bar((unsigned)(count * (GLYPH_BARS - 1) / most));
        size_t len = strlen(bar);
        memcpy(at, bar, len);
        at += len;
    }
    *at = '\0';
}
