/* SPDX-License-Identifier: MIT */
/* What a trial is, the bytes that it sends, the header before a datagram, and the figures of latencies. */
#include "selftest/trial/trial.h"

#include <endian.h>

#include "base/glyph.h"
#include "model/gid.h"

bool trial_is_sane(const struct trial *t)
{
    if (t->kind >= TRIAL_KINDS || t->op >= OPERATIONS || t->queue >= QUEUE_KINDS ||
        t->flags & ~TRIAL_FLAGS_MASK)
        return false;
    if (!queue_kind_can(t->queue, t->op) || t->timeout < TRIAL_TIMEOUT_LEAST || t->timeout > TRIAL_TIMEOUT_MOST)
        return false;
    if (t->size < 1 || t->size > TRIAL_SIZE_MOST || (operation_is_atomic(t->op) && t->size != 8))
        return false;
    if (t->count < 1 || t->count > TRIAL_COUNT_MOST || t->queues < 1 || t->queues > RC_QUEUES_MOST)
        return false;
    if (t->kind == TRIAL_LATENCY)
        return t->count <= TRIAL_SAMPLES_MOST && t->op != OP_WRITE_IMM && t->queues == 1;
    if (t->kind == TRIAL_BANDWIDTH)
        return t->queue == QUEUE_RC && (t->op == OP_SEND || t->op == OP_WRITE || t->op == OP_READ);
    return t->count == 1 && t->queues == 1;
}

/* Odd, so that multiplying by them can be undone modulo 2^64. */
#define FACTOR 0x9e3779b97f4a7c15u
#define FACTOR_INVERSE 0xf1de83e19937733du

static uint64_t word_at(uint32_t seed, size_t index)
{
    uint64_t word = ((uint64_t)seed << 32 | (uint32_t)index) * FACTOR;
    return htole64(word ^ word >> 32);
}

/* The seed and index that a word was made from. */
static void word_origin(uint64_t word, uint32_t *seed, size_t *index)
{
    word = le64toh(word);
    word = (word ^ word >> 32) * FACTOR_INVERSE;
    *seed = (uint32_t)(word >> 32);
    *index = (uint32_t)word;
}

void pattern_fill(void *data, size_t len, uint32_t seed)
{
    uint8_t *bytes = data;
    size_t words = len / 8;
    for (size_t i = 0; i < words; i++) {
        uint64_t word = word_at(seed, i);
        memcpy(bytes + i * 8, &word, 8);
    }
    uint64_t last = word_at(seed, words);
    if (len % 8)
        memcpy(bytes + words * 8, &last, len % 8);
}

static size_t word_length(size_t len, size_t index)
{
    return len - index * 8 < 8 ? len - index * 8 : 8;
}

bool pattern_is_blank(const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (bytes[i] != PATTERN_BLANK)
            return false;
    return true;
}

/* What the wrong word at index is. */
static void classify(const uint8_t *bytes, size_t len, uint32_t seed, size_t index,
                     struct pattern_difference *d)
{
    size_t n = word_length(len, index);
    uint64_t want = word_at(seed, index), got = 0;
    memcpy(&got, bytes + index * 8, n);
    for (size_t i = 0; i < n; i++) {
        const uint8_t *w = (const uint8_t *)&want + i, *g = (const uint8_t *)&got + i;
        if (*w != *g && d->bits == 0) {
            d->offset = index * 8 + i;
            d->want = *w;
            d->got = *g;
        }
        d->bits += (unsigned)__builtin_popcount((unsigned)(*w ^ *g));
    }
    uint32_t from_seed;
    size_t from_index;
    word_origin(got, &from_seed, &from_index);
    d->origin = from_index * 8;
    /* Tests of one run have neighbouring seeds, so a chance hit is next to impossible. */
    bool whole = n == 8, placed = from_index < (size_t)1 << 24;
    if (pattern_is_blank(bytes + d->offset, index * 8 + n - d->offset))
        d->fault = PATTERN_UNTOUCHED;
    else if (whole && from_seed == seed && placed)
        d->fault = PATTERN_DISPLACED;
    else if (whole && placed && from_seed >> 16 == seed >> 16)
        d->fault = PATTERN_STALE;
    else
        d->fault = PATTERN_CHANGED;
}

bool pattern_compare(const void *data, size_t len, uint32_t seed, struct pattern_difference *difference)
{
    const uint8_t *bytes = data;
    struct pattern_difference d = { .len = len };
    for (size_t i = 0; i * 8 < len; i++) {
        size_t n = word_length(len, i);
        uint64_t want = word_at(seed, i);
        if (memcmp(bytes + i * 8, &want, n) == 0)
            continue;
        if (d.fault == PATTERN_SAME)
            classify(bytes, len, seed, i, &d);
        for (size_t j = 0; j < n; j++)
            d.count += bytes[i * 8 + j] != ((const uint8_t *)&want)[j];
    }
    if (d.fault == PATTERN_SAME)
        return true;
    *difference = d;
    return false;
}

void pattern_explain(const struct pattern_difference *d, char text[static PATTERN_TEXT_SIZE])
{
    int n = snprintf(text, PATTERN_TEXT_SIZE,
                     "byte %zu of %zu is wrong (0x%02x instead of 0x%02x), %zu in all: ", d->offset, d->len,
                     d->got, d->want, d->count);
    size_t used = n < 0 ? 0 : (size_t)n;
    if (used >= PATTERN_TEXT_SIZE)
        return;
    char *rest = text + used;
    size_t room = PATTERN_TEXT_SIZE - used;
    switch (d->fault) {
    case PATTERN_UNTOUCHED:
        snprintf(rest, room, "nothing arrived there");
        break;
    case PATTERN_DISPLACED:
        snprintf(rest, room, "it has the data of offset %zu", d->origin);
        break;
    case PATTERN_STALE:
        snprintf(rest, room, "it has the data of another message, offset %zu", d->origin);
        break;
    case PATTERN_CHANGED:
        snprintf(rest, room, "%u bit%s flipped", d->bits, d->bits == 1 ? "" : "s");
        break;
    case PATTERN_SAME:
        text[0] = '\0';
        break;
    }
}

static bool is_ipv4(const uint8_t *header)
{
    return header[0] >> 4 == 4 && (header[0] & 15) >= 5;
}

/* The addresses as GIDs. false: neither header is there. */
static bool addresses(const uint8_t grh[static 40], uint8_t source[static 16], uint8_t destination[static 16])
{
    static const uint8_t mapped[12] = { [10] = 0xff, 0xff };
    if (grh[0] >> 4 == 6) {
        memcpy(source, grh + 8, 16);
        memcpy(destination, grh + 24, 16);
        return true;
    }
    if (!is_ipv4(grh + 20))
        return false;
    memcpy(source, mapped, 12);
    memcpy(destination, mapped, 12);
    memcpy(source + 12, grh + 32, 4);
    memcpy(destination + 12, grh + 36, 4);
    return true;
}

bool grh_check(const uint8_t grh[static 40], const uint8_t source[static 16],
               const uint8_t destination[static 16], char *text, size_t size)
{
    uint8_t from[16], to[16];
    if (!addresses(grh, from, to)) {
        snprintf(text, size, "there is neither an IPv4 nor an IPv6 header before the datagram");
        return false;
    }
    if (memcmp(from, source, 16) == 0 && memcmp(to, destination, 16) == 0)
        return true;
    char a[GID_ADDRESS_SIZE], b[GID_ADDRESS_SIZE];
    gid_address(from, a);
    gid_address(to, b);
    snprintf(text, size, "the header says %s to %s", a, b);
    return false;
}

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
