/* SPDX-License-Identifier: MIT */
/* One test: what was requested, as both ends agree on it; its bytes, and its figures. */
#pragma once

#include "model/num.h"
#include "selftest/queues/operation.h"

/* What the user wants tested, and how. */

#define UNTIL_INTERRUPTED UINT32_MAX

struct memory;

struct test_options {
    bool verify, latency, bandwidth;
    bool both_ways;      /* bandwidth */
    bool thorough;       /* verify the largest messages of every operation */
    uint32_t operations; /* bit mask of enum operation; 0: all */
    uint32_t sizes[16];  /* for the measurements; nsizes 0: the usual ones */
    size_t nsizes;
    uint32_t size_most;  /* for the verification */
    uint32_t large;      /* ms that verifying one message above 64 KiB may take; 0: no limit */
    uint32_t iterations; /* 0: by duration */
    uint32_t duration;   /* ms of each measurement */
    uint32_t timeout;    /* ms per step */
    uint8_t queues;      /* RC queue pairs for bandwidth */
    uint32_t repeat;     /* how often each is measured: 1, intervals, or UNTIL_INTERRUPTED */
    double rate;         /* most that bandwidth sends, 10^9 bits/s; 0: as much as goes */
    uint8_t post_list;   /* requests that bandwidth posts at once, 1 to FLOW_CHAIN */
    struct num inlined;  /* bytes of the largest message that goes within its request; not known: as is usual */
    uint8_t traffic_class, hop_limit;
    uint32_t mtu;          /* 0: the port's */
    bool yield;            /* see struct watch */
    struct memory *memory; /* of what is sent and arrives; NULL: the process's own */
};

/* One test, as both ends agree on it: plain data that also travels between hosts. */

enum trial_kind { TRIAL_VERIFY, TRIAL_LATENCY, TRIAL_BANDWIDTH, TRIAL_KINDS };

enum trial_flags {
    TRIAL_INLINE = 1,
    TRIAL_PIECES = 2,    /* three scatter/gather entries on either side */
    TRIAL_UNALIGNED = 4, /* odd addresses */
    TRIAL_EVENTS = 8,    /* completion by event instead of polling */
    TRIAL_BOTH_WAYS = 16,
    TRIAL_FLAGS_MASK = 31,
};

enum {
    TRIAL_SIZE_MOST = 1 << 30,
    VERIFY_SIZE_MOST = 8 << 20, /* and what a server has room for, unless it is told otherwise */
    TRIAL_COUNT_MOST = 100000000,
    TRIAL_SAMPLES_MOST = 1000000, /* latencies kept per trial */
    TRIAL_TIMEOUT_LEAST = 10,     /* ms */
    TRIAL_TIMEOUT_MOST = 600000,
};

struct trial {
    uint8_t kind, op, queue, flags;
    uint8_t queues; /* BANDWIDTH: how many RC queue pairs, at least 1 */
    uint32_t size;  /* bytes of a message */
    /* messages; LATENCY: round trips; BANDWIDTH: per side that sends, over all queues */
    uint32_t count;
    uint32_t seed;    /* of the pattern */
    uint32_t timeout; /* ms */
};

/* Is every field in its range, and do they fit together? Pure. */
bool trial_is_sane(const struct trial *trial);

/* The bytes that a test sends. Each 8-byte word identifies its test and its place in the message, so that wrong
 * data shows what it is. The same on hosts of either byte order. Pure. */

/* What a receive buffer holds before a test. */
enum { PATTERN_BLANK = 0xdb };
bool pattern_is_blank(const uint8_t *bytes, size_t len);

void pattern_fill(void *data, size_t len, uint32_t seed); /* at any alignment */

/* Is every byte as pattern_fill() makes it, or still blank? */
bool pattern_has_only_gaps(const uint8_t *bytes, size_t len, uint32_t seed);

enum { PATTERN_TEXT_SIZE = 160 };
/* Are all bytes as pattern_fill() makes them? If not, text says how many are wrong, and what stands in place of
 * the first: nothing, bytes of this message that belong elsewhere, bytes of another test, or flipped bits. */
bool pattern_check(const void *data, size_t len, uint32_t seed, char text[static PATTERN_TEXT_SIZE]);

/* The 40 bytes before a datagram: a global routing header, or (RoCE v2 over IPv4) an IPv4 header in the last 20
 * of them. Pure. */

/* Does it say that the datagram went from source to destination? If not, text says what it does say. */
bool grh_check(const uint8_t grh[static 40], const uint8_t source[static 16],
               const uint8_t destination[static 16], char *text, size_t size);

/* Statistics of latencies. Pure. */

struct stats {
    size_t count;                             /* 0: nothing was measured */
    double min, mean, median, p99, p999, max; /* in the unit of the samples */
};

/* Sorts samples. Percentiles are by nearest rank, so always a measured value. Values are multiplied by scale:
 * nanoseconds per tick. */
void stats_of(uint64_t *samples, size_t count, double scale, struct stats *stats);

/* Equal logarithmic steps between the minimum and the 99.9th percentile; larger values go into the last bin. */
enum { HISTOGRAM_BINS = 12, HISTOGRAM_TEXT_SIZE = HISTOGRAM_BINS * 3 + 1 };
void histogram_of(const uint64_t *sorted, size_t count, uint64_t bins[static HISTOGRAM_BINS]);
/* One character per bin: a blank for none, then eight heights; UTF-8. */
void histogram_picture(const uint64_t bins[static HISTOGRAM_BINS], char text[static HISTOGRAM_TEXT_SIZE]);
