/* A number that may be absent. Absent is never 0. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

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

static inline struct snum snum_of(int64_t value)
{
    return (struct snum){ .value = value, .known = true };
}

static inline bool num_is(struct num num, uint64_t value)
{
    return num.known && num.value == value;
}

/* Yes, no, or not known. */
enum tristate { TRI_UNKNOWN, TRI_NO, TRI_YES };

static inline enum tristate tri_of(bool yes)
{
    return yes ? TRI_YES : TRI_NO;
}
