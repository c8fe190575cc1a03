/* SPDX-License-Identifier: MIT */
#include "model/priority_counts.h"

#include <stdio.h>
#include <string.h>

/* Where a name has its digit: NULL, it is of another kind. */
static uint64_t *place_of(struct priority_counts *counts, const char *name)
{
    static const struct {
        const char *before, *behind;
    } forms[] = { { "_prio", "_packets" }, { "_prio_", "_packets" }, { "_packets_pri", "" } };
    bool received = strncmp(name, "rx", 2) == 0;
    if (!received && strncmp(name, "tx", 2) != 0)
        return NULL;
    for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
        size_t len = strlen(forms[i].before);
        if (strncmp(name + 2, forms[i].before, len) != 0)
            continue;
        unsigned digit = (unsigned)name[2 + len] - '0';
        if (digit < PRIORITIES && strcmp(name + 2 + len + 1, forms[i].behind) == 0)
            return received ? &counts->received[digit] : &counts->sent[digit];
    }
    return NULL;
}

void priority_counts_add(struct priority_counts *counts, const struct qos_statistic *statistics, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t *place = place_of(counts, statistics[i].name);
        if (!place)
            continue;
        *place += statistics[i].value;
        counts->known = true;
    }
}

struct priority_counts priority_counts_since(const struct priority_counts *now,
                                             const struct priority_counts *before)
{
    struct priority_counts grown = { .known = now->known && before->known };
    for (unsigned i = 0; grown.known && i < PRIORITIES; i++) {
        if (now->received[i] > before->received[i])
            grown.received[i] = now->received[i] - before->received[i];
        if (now->sent[i] > before->sent[i])
            grown.sent[i] = now->sent[i] - before->sent[i];
    }
    return grown;
}

struct priority_found priority_find(const uint64_t grown[static PRIORITIES], uint64_t packets)
{
    struct priority_found found = { .kind = PRIORITY_UNSEEN };
    unsigned n = 0, last = 0;
    bool alike = true;
    for (unsigned i = 0; packets && i < PRIORITIES; i++) {
        if (grown[i] < packets)
            continue;
        alike &= n == 0 || grown[i] == grown[last];
        found.mask |= 1u << i;
        last = i;
        n++;
    }
    if (n)
        found.kind = n == 1 ? PRIORITY_ONE : alike ? PRIORITY_SHARED : PRIORITY_MANY;
    return found;
}

void priority_text(struct priority_found found, char text[static PRIORITY_TEXT_SIZE])
{
    size_t at = 0;
    *text = '\0';
    if (found.kind != PRIORITY_ONE && found.kind != PRIORITY_SHARED)
        return;
    for (unsigned i = 0; i < PRIORITIES && at < PRIORITY_TEXT_SIZE; i++) {
        unsigned end = i;
        if (!(found.mask >> i & 1))
            continue;
        while (found.mask >> (end + 1) & 1)
            end++;
        const char *join = found.mask >> (end + 1) ? ", " : " or ";
        at += (size_t)snprintf(text + at, PRIORITY_TEXT_SIZE - at, end > i ? "%s%u-%u" : "%s%u",
                               at ? join : "", i, end);
        i = end;
    }
}
