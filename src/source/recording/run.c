/* SPDX-License-Identifier: MIT */
#include "source/recording/run.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIGITS = 9 };

/* The number that a name has last; its first digit, or NULL. None has a zero in front. */
static const char *find_number(const char *name, unsigned long *number, const char **suffix)
{
    const char *end = name + strlen(name);
    while (end > name && !isdigit((unsigned char)end[-1]))
        end--;
    const char *start = end;
    while (start > name && isdigit((unsigned char)start[-1]))
        start--;
    if (start == end || end - start > MOST_DIGITS || (*start == '0' && end - start > 1))
        return NULL;
    *number = strtoul(start, NULL, 10);
    *suffix = end;
    return start;
}

struct run run_find(struct node *const *nodes, size_t count, run_alike *alike)
{
    struct run run = { .count = 1 };
    const char *start = find_number(nodes[0]->name, &run.first, &run.suffix);
    run.last = run.first;
    if (!start)
        return run;
    run.prefix_len = (size_t)(start - nodes[0]->name);
    for (; run.count < count; run.count++) {
        const struct node *next = nodes[run.count];
        unsigned long number;
        const char *suffix;
        start = find_number(next->name, &number, &suffix);
        if (!start || number != run.last + 1 || (size_t)(start - next->name) != run.prefix_len ||
            memcmp(nodes[0]->name, next->name, run.prefix_len) != 0 || strcmp(run.suffix, suffix) != 0 ||
            !alike(nodes[0], next))
            break;
        run.last = number;
    }
    return run;
}

/* A number as find_number() likes it; where it ends, or NULL. */
static const char *parse_number(const char *at, const char *end, unsigned long *number)
{
    const char *start = at;
    *number = 0;
    for (; at < end && isdigit((unsigned char)*at) && at - start < MOST_DIGITS; at++)
        *number = *number * 10 + (unsigned long)(*at - '0');
    return at == start || (*start == '0' && at - start > 1) ? NULL : at;
}

int run_parse(struct run *run, const char *name, size_t len)
{
    const char *end = name + len, *open = memchr(name, '[', len), *at = open;
    *run = (struct run){ .count = 1 };
    if (!open)
        return 0;
    at = parse_number(at + 1, end, &run->first);
    if (!at || at == end || *at != '-')
        return -EINVAL;
    at = parse_number(at + 1, end, &run->last);
    if (!at || at == end || *at != ']' || run->last <= run->first || memchr(at, '[', (size_t)(end - at)))
        return -EINVAL;
    run->prefix_len = (size_t)(open - name);
    run->suffix = at + 1;
    run->count = run->last - run->first + 1;
    return 1;
}
