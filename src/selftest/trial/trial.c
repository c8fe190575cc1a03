/* SPDX-License-Identifier: MIT */
/* Whether a trial is sane, the bytes that it sends, the header before a datagram, and latency statistics. */
#include "selftest/trial/trial.h"

#include <endian.h>
#include <math.h>
#include <sys/socket.h>

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

bool pattern_is_blank(const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (bytes[i] != PATTERN_BLANK)
            return false;
    return true;
}

static size_t word_length(size_t len, size_t index)
{
    return len - index * 8 < 8 ? len - index * 8 : 8;
}

bool pattern_has_only_gaps(const uint8_t *bytes, size_t len, uint32_t seed)
{
    for (size_t i = 0; i < len; i++) {
        uint64_t word = word_at(seed, i / 8);
        if (bytes[i] != PATTERN_BLANK && bytes[i] != ((const uint8_t *)&word)[i % 8])
            return false;
    }
    return true;
}

/* What the wrong word at index is, the first one in a message with that many wrong bytes. */
static void explain(const uint8_t *bytes, size_t len, uint32_t seed, size_t index, size_t wrong,
                    char text[static PATTERN_TEXT_SIZE])
{
    size_t n = word_length(len, index), at = 0, from_index;
    uint64_t want = word_at(seed, index), got = want;
    const uint8_t *wanted = (const uint8_t *)&want, *found = bytes + index * 8;
    uint32_t from_seed;
    while (wanted[at] == found[at])
        at++;
    memcpy(&got, found, n);
    word_origin(got, &from_seed, &from_index);
    int used = snprintf(text, PATTERN_TEXT_SIZE,
                        "byte %zu of %zu is wrong (0x%02x instead of 0x%02x), %zu in all: ", index * 8 + at,
                        len, found[at], wanted[at], wrong);
    text += used;
    size_t room = (size_t)(PATTERN_TEXT_SIZE - used);
    int bits = __builtin_popcountll(want ^ got);
    bool placed = n == 8 && from_index < TRIAL_SIZE_MOST / 8;
    if (pattern_is_blank(found + at, n - at))
        snprintf(text, room, "nothing arrived there");
    else if (placed && from_seed == seed)
        snprintf(text, room, "it has the data of offset %zu", from_index * 8);
    else if (placed && from_seed >> 16 == seed >> 16) /* hardly ever by chance */
        snprintf(text, room, "it has the data of another message, offset %zu", from_index * 8);
    else
        snprintf(text, room, "%d bit%s flipped", bits, bits == 1 ? "" : "s");
}

bool pattern_check(const void *data, size_t len, uint32_t seed, char text[static PATTERN_TEXT_SIZE])
{
    const uint8_t *bytes = data;
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i * 8 < len; i++) {
        size_t n = word_length(len, i);
        uint64_t want = word_at(seed, i);
        if (memcmp(bytes + i * 8, &want, n) == 0)
            continue;
        first = wrong ? first : i;
        for (size_t j = 0; j < n; j++)
            wrong += bytes[i * 8 + j] != ((const uint8_t *)&want)[j];
    }
    if (wrong)
        explain(bytes, len, seed, first, wrong, text);
    return wrong == 0;
}

/* The addresses as GIDs. false: neither header is there. */
static bool addresses(const uint8_t grh[static 40], uint8_t source[static 16], uint8_t destination[static 16])
{
    bool v6 = grh[0] >> 4 == 6, v4 = grh[20] >> 4 == 4 && (grh[20] & 15) >= 5;
    gid_of_address(v6 ? AF_INET6 : AF_INET, grh + (v6 ? 8 : 32), source);
    gid_of_address(v6 ? AF_INET6 : AF_INET, grh + (v6 ? 24 : 36), destination);
    return v6 || v4;
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
    qsort(samples, count, sizeof(*samples), number_ascending);
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

void histogram_of(const uint64_t *sorted, size_t count, uint64_t bins[static HISTOGRAM_BINS])
{
    memset(bins, 0, HISTOGRAM_BINS * sizeof(*bins));
    if (count == 0)
        return;
    double low = (double)(sorted[0] ? sorted[0] : 1), high = (double)rank(sorted, count, 999);
    double step = high > low ? pow(high / low, 1.0 / HISTOGRAM_BINS) : 1, edge = low * step;
    size_t bin = 0;
    for (size_t i = 0; i < count; i++) {
        for (; bin + 1 < HISTOGRAM_BINS && (double)sorted[i] > edge; bin++)
            edge *= step;
        bins[bin]++;
    }
}

void histogram_picture(const uint64_t bins[static HISTOGRAM_BINS], char text[static HISTOGRAM_TEXT_SIZE])
{
    uint64_t most = 0;
    for (size_t i = 0; i < HISTOGRAM_BINS; i++)
        most = bins[i] > most ? bins[i] : most;
    *text = '\0';
    for (size_t i = 0; i < HISTOGRAM_BINS; i++)
        text = stpcpy(text, bins[i] ? glyph_bar((unsigned)(bins[i] * (GLYPH_BARS - 1) / most)) : " ");
}
