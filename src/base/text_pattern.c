/* SPDX-License-Identifier: MIT */
/* Patterns for names: shell patterns, and ranges of numbers. */
#include <fnmatch.h>

bool text_is_pattern(const char *text)
{
    return strpbrk(text, "*?[") != NULL;
}

static uint64_t number_at(const char **at)
{
    uint64_t number = 0;
    for (; isdigit((unsigned char)**at); ++*at)
        number = number < UINT64_MAX / 10 ? number * 10 + (uint64_t)(**at - '0') : UINT64_MAX;
    return number;
}

/* For "[0-7,12]": where it ends, and whether number is in it; NULL if it isn't a range of numbers. */
static const char *range_end(const char *set, uint64_t number, bool *has)
{
    const char *at = set + 1;
    *has = false;
    do {
        if (!isdigit((unsigned char)*at))
            return NULL;
        uint64_t first = number_at(&at), last = first;
        if (*at == '-') {
            at++;
            if (!isdigit((unsigned char)*at))
                return NULL;
            last = number_at(&at);
        }
        *has = *has || (number >= first && number <= last);
    } while (*at++ == ',');
    return at[-1] == ']' ? at : NULL;
}

/* Retrying only the last '*' is enough, so the time is at most the product of the lengths. */
static bool matches_numbers(const char *pattern, const char *name)
{
    const char *star = NULL, *again = NULL;
    while (*name || *pattern) {
        if (*pattern == '*') {
            star = ++pattern;
            again = name;
            continue;
        }
        const char *behind = NULL, *digits = name;
        bool has = false;
        if (*pattern == '[' && isdigit((unsigned char)*name)) {
            uint64_t number = number_at(&digits);
            behind = range_end(pattern, number, &has);
        }
        if (behind && has) {
            pattern = behind;
            name = digits;
        } else if (*name && (*pattern == '?' || *pattern == *name) && *pattern != '[') {
            pattern++;
            name++;
        } else if (star && *again) {
            name = ++again;
            pattern = star;
        } else {
            return false;
        }
    }
    return true;
}

/* Does it have a range that a shell would read as single characters: [10-15], [1,3]? */
static bool has_numbers(const char *pattern)
{
    bool has, found = false;
    for (const char *at = pattern; !found && (at = strchr(at, '[')); at++) {
        const char *end = range_end(at, 0, &has);
        found = end && end - at > (long)strlen("[0-9]");
    }
    return found;
}

bool text_matches(const char *pattern, const char *name)
{
    return strcmp(pattern, name) == 0 || matches_numbers(pattern, name) ||
           (!has_numbers(pattern) && fnmatch(pattern, name, 0) == 0);
}
