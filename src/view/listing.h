/* SPDX-License-Identifier: MIT */
/* Shows rows through columns. The only way a listing command prints. */
#pragma once

#include "view/column.h"
#include "view/output.h"

/* An array of rows of one type, and the columns that can show them. */
struct listing {
    const struct host *host; /* NULL: they are not a machine's */
    const struct column *columns;
    const void *rows;
    size_t count, size; /* number of rows, and size of one in bytes */
};
#define LISTING(host, columns, rows, count) \
    (&(const struct listing){ (host), (columns), (rows), (count), sizeof(*(rows)) })

/* Prints what look asks for: the columns, rows and order of -o, --filter and --sort, as a table, CSV, pairs,
 * JSON {"version":1,PLURAL:[...],"problems":[...]} or one JSON object per line. Instead of a table without
 * rows, prints empty, which says why there are none (on standard error unless quiet). */
void listing_print(const struct look *look, const struct listing *listing, const char *plural,
                   const char *empty);

/* The rows with every column as a JSON array: a new reference. */
json_t *listing_json(const struct listing *listing);
/* One row with every column as a JSON object: a new reference. host may be NULL. */
json_t *columns_json(const struct host *host, const struct column *columns, const void *row);
/* The columns, rows and order that look asks for, as a JSON array: a new reference. */
json_t *listing_wanted_json(const struct look *look, const struct listing *listing);
/* A table of what look asks for, or its lines in any format but JSON. */
void listing_table(const struct look *look, const struct listing *listing);
/* The same with the columns in list (see columns_choose); NULL: the usual ones. */
void listing_table_of(const struct look *look, const struct listing *listing, const char *list);
/* The same next to the command's own listing, whose columns -o chooses. */
void listing_table_beside(const struct look *look, const struct listing *listing, const char *list);
