/* SPDX-License-Identifier: MIT */
/* The few terminals whose description is built in. */
#include "view/screen.h"

#include "tables.h"

static const struct terminfo *find(const char *name)
{
    for (const struct terminfo *one = terminfo_all; one->name; one++)
        if (strcmp(one->name, name) == 0)
            return one;
    return NULL;
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

const struct terminfo *terminfo_find(const char *name)
{
    const struct terminfo *own = find(name);
    const char *other = own ? NULL : like(name);
    return other ? find(other) : own;
}
