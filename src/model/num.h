/* SPDX-License-Identifier: MIT */
/* A number that may be absent. Absent is never 0. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

struct num {
    uint64_t value;
    bool known;
};

struct snum {
    int64_t value;
    bool known;
};

static inline struct num num_of(uint64_t value)
{
    return (struct num){ .value = value, .known = true };
}

/* One of at most 32 bits, in half of the space: for what a host has ten thousands of. */
struct num32 {
    uint32_t value;
    bool known;
};

/* How fast something is counted. */
struct rate {
    double value; /* per second */
    bool known;   /* false: no counter tells it, or it was read once only */
    bool least;   /* a counter stopped at its highest value, or began anew: it was this much, or more */
};

/* value, known only if so. */
static inline struct num num_if(bool known, uint64_t value)
{
    return (struct num){ .value = known ? value : 0, .known = known };
}

static inline struct num num_wide(struct num32 num)
{
    return num_if(num.known, num.value);
}

static inline struct num32 num32_of(uint32_t value)
{
    return (struct num32){ .value = value, .known = true };
}

static inline struct snum snum_of(int64_t value)
{
    return (struct snum){ .value = value, .known = true };
}

static inline bool num_is(struct num num, uint64_t value)
{
    return num.known && num.value == value;
}

/* The word that stands for a number in an array of words, NULL when none does or the number isn't known. */
#define NUM_WORD(words, num) ((num).known ? WORD_AT((words), (num).value) : NULL)

/* Yes, no, or not known. */
enum tristate { TRI_UNKNOWN, TRI_NO, TRI_YES };

static inline enum tristate tri_of(bool yes)
{
    return yes ? TRI_YES : TRI_NO;
}

/* Lists of CPUs as the kernel writes them: "0-15,32-47". Pure. */

struct arena;

/* The range at *list, which moves behind it; false: there is none (any more). */
bool cpus_next(const char **list, unsigned long *first, unsigned long *last);
/* Do two lists share a CPU? */
bool cpus_meet(const char *a, const char *b);
/* All CPUs of the lists as one, in arena; NULLs are passed over, and so is what is no list. */
const char *cpus_join(const char *const *lists, size_t count, struct arena *arena);
