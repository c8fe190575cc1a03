/* SPDX-License-Identifier: MIT */
/* Lists of CPUs as the kernel writes them: 0-3,8. */
#include "model/num.h"

enum { MOST_CPUS = 8192 }; /* NR_CPUS of the largest configurations */

struct range {
    unsigned long first, last;
};

bool cpus_next(const char **list, unsigned long *first, unsigned long *last)
{
    char *end = NULL;
    if (**list < '0' || **list > '9')
        return false;
    *first = strtoul(*list, &end, 10);
    *last = *end == '-' ? strtoul(end + 1, &end, 10) : *first;
    *list = *end == ',' ? end + 1 : end;
    return true;
}

bool cpus_meet(const char *a, const char *b)
{
    struct range left, right;
    while (cpus_next(&a, &left.first, &left.last))
        for (const char *at = b; cpus_next(&at, &right.first, &right.last);)
            if (right.first <= left.last && left.first <= right.last)
                return true;
    return false;
}

static void mark(bool *cpus, const char *list)
{
    struct range range;
    while (list && cpus_next(&list, &range.first, &range.last))
        for (unsigned long i = range.first; i <= range.last && i < MOST_CPUS; i++)
            cpus[i] = true;
}

const char *cpus_join(const char *const *lists, size_t count, struct arena *arena)
{
    bool cpus[MOST_CPUS] = { false };
    struct bytes text = { 0 };
    bytes_append(&text, "", 0);
    for (size_t i = 0; i < count; i++)
        mark(cpus, lists[i]);
    for (size_t i = 0; i < MOST_CPUS; i++) {
        size_t last = i;
        while (cpus[i] && last + 1 < MOST_CPUS && cpus[last + 1])
            last++;
        if (cpus[i])
            bytes_printf(&text, last > i ? "%s%zu-%zu" : "%s%zu", text.len ? "," : "", i, last);
        i = last;
    }
    const char *joined = arena_strndup(arena, text.data, text.len);
    bytes_free(&text);
    return joined;
}
