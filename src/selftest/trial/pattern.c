/* SPDX-License-Identifier: MIT */
#include "selftest/trial/pattern.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

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
