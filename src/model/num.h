/* SPDX-License-Identifier: MIT */
/* A number that may be absent. Absent is never 0. */
#pragma once

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

/* A number of at most 32 bits in half the space, for objects that a host has tens of thousands of. */
struct num32 {
    uint32_t value;
    bool known;
};

/* <0, 0, >0: for a comparison of more than a number. */
static inline int number_order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* For qsort(3), in ascending order: doubles, none of them NaN; numbers. */
static inline int real_ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static inline int number_ascending(const void *a, const void *b)
{
    return number_order(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* How fast something happens. */
struct rate {
    double value; /* per second */
    bool known;   /* false: no counter shows it, or it was read only once */
    bool least;   /* a counter saturated or started over: it was at least this much */
};

/* value if known, else unknown. */
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

/* The number that a text is, as text_to_u64() reads it; NULL is none. */
static inline struct num num_read(const char *text, int base)
{
    uint64_t value;
    return text && text_to_u64(text, base, &value) == 0 ? num_of(value) : (struct num){ 0 };
}

static inline bool num_is(struct num num, uint64_t value)
{
    return num.known && num.value == value;
}

/* The word for a number in an array of words; NULL if there is none or the number isn't known. */
#define NUM_WORD(words, num) ((num).known ? WORD_AT((words), (num).value) : NULL)

/* Yes, no, or not known. */
enum tristate { TRI_UNKNOWN, TRI_NO, TRI_YES };

static inline enum tristate tri_of(bool yes)
{
    return yes ? TRI_YES : TRI_NO;
}

/* Lists of CPUs as the kernel writes them: "0-15,32-47". Pure. */

struct arena;

/* Reads the range at *list and moves past it; false when there are no more. */
bool cpus_next(const char **list, unsigned long *first, unsigned long *last);
/* Do two lists share a CPU? */
bool cpus_meet(const char *a, const char *b);
/* All CPUs of the lists as one, in arena; skips NULLs and anything that isn't a list. */
const char *cpus_join(const char *const *lists, size_t count, struct arena *arena);
/* Ascending numbers, in arena: "0-3, 8". */
const char *runs_text(struct arena *arena, const uint64_t *numbers, size_t count, const char *separator);
