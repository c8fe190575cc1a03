/* SPDX-License-Identifier: MIT */
/* Shows rows through columns. The only way a listing command prints. */
#pragma once

#include "view/column.h"
#include "view/look.h"

/* Rows: an array of one row type, and the columns that can show them. */
struct listing {
    const struct host *host; /* NULL: they are not of a machine */
    const struct column *columns;
    const void *rows;
    size_t count, size; /* of rows, and of one in bytes */
};
#define LISTING(host, columns, rows, count) \
    (&(const struct listing){ (host), (columns), (rows), (count), sizeof(*(rows)) })

/* Prints what look asks for: JSON {"version":1,PLURAL:[...],"problems":[...]} or a table. In place of a table
 * without rows empty says why there are none (on standard error unless quiet). */
void listing_print(const struct look *look, const struct listing *listing, const char *plural,
                   const char *empty);

/* The rows with every column as a JSON array: a new reference. */
json_t *listing_json(const struct listing *listing);
/* A table of the columns in set. */
void listing_table(const struct look *look, const struct listing *listing, const struct column_set *set);
/* A table of the columns that list names (see columns_choose); NULL: the usual ones. */
void listing_table_of(const struct look *look, const struct listing *listing, const char *list);
