/* SPDX-License-Identifier: MIT */
/* The few terminals whose description is built in. */
#include "view/screen.h"

#include "base/gzip.h"
#include "tables.h"

/* All of them, each a name and an entry, behind them an empty name. */
static const char *unpacked(void)
{
    static char *all;
    if (all)
        return all;
    all = gzip_embedded(terminals_packed, terminals_packed_size, "the terminals' descriptions");
    for (char *at = all; *at; at++)
        if (*at == ' ' || *at == '\n')
            *at = '\0';
    return all;
}

static bool find(const char *name, struct terminfo *found)
{
    for (const char *one = unpacked(), *entry; *one; one = entry + strlen(entry) + 1) {
        entry = one + strlen(one) + 1;
        *found = (struct terminfo){ one, entry };
        if (strcmp(one, name) == 0)
            return true;
    }
    return false;
}

static const char *like(const char *name)
{
    static const struct {
        const char *prefix, *other;
    } table[] = { TERMINALS_LIKE };
    for (size_t i = 0; i < ARRAY_SIZE(table); i++)
        if (text_starts(name, table[i].prefix))
            return table[i].other;
    return NULL;
}

bool terminfo_find(const char *name, struct terminfo *found)
{
    const char *other = like(name);
    return find(name, found) || (other && find(other, found));
}
