/* SPDX-License-Identifier: MIT */
/* A row of one table by its name. Apart from counters.c, as tables look their own rows up. */
#include "model/counters.h"

static int compare_name(const void *name, const void *def)
{
    return strcmp(name, ((const struct counter_def *)def)->name);
}

const struct counter_def *counter_table_find(const struct counter_table *table, const char *name)
{
    const struct counter_def *def = bsearch(name, table->defs, table->count, sizeof *table->defs, compare_name);

    return def || !table->other ? def : table->other(table, name);
}
