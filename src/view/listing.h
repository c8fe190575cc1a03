/* SPDX-License-Identifier: MIT */
/* Shows rows through columns. The only way a listing command prints. */
#pragma once

#include <jansson.h>

#include "view/column.h"
#include "view/output.h"

/* Rows: an array of one row type, and the columns that can show them. */
struct listing {
    const struct host *host; /* NULL: they are not of a machine */
    const struct column *columns;
    const void *rows;
    size_t count, size; /* of rows, and of one in bytes */
};
#define LISTING(host, columns, rows, count) \
    (&(const struct listing){ (host), (columns), (rows), (count), sizeof(*(rows)) })

/* Prints what look asks for: the columns, rows and order of -o, --filter and --sort, as a table, CSV, pairs,
 * JSON {"version":1,PLURAL:[...],"problems":[...]} or a JSON object a line. In place of a table without rows
 * empty says why there are none (on standard error unless quiet). */
void listing_print(const struct look *look, const struct listing *listing, const char *plural,
                   const char *empty);

/* The rows with every column as a JSON array: a new reference. */
json_t *listing_json(const struct listing *listing);
/* The columns, rows and order that look asks for, as a JSON array: a new reference. */
json_t *listing_wanted_json(const struct look *look, const struct listing *listing);
/* A table of what look asks for, or, in another format than JSON, its lines. */
void listing_table(const struct look *look, const struct listing *listing);
/* The same with the columns that list names (see columns_choose); NULL: the usual ones. */
void listing_table_of(const struct look *look, const struct listing *listing, const char *list);
/* The same beside the command's own listing, of which -o chooses columns. */
void listing_table_beside(const struct look *look, const struct listing *listing, const char *list);

/* Rows for other programs, a line each: what JSON has, as CSV (RFC 4180), KEY="value" pairs, or JSON. */

/* The keys of set, then a row's values: numbers exact, true and false, nothing for what is absent, lists with
 * ';' between. Text is cleaned, and quoted where it has to be. */
void lines_csv_header(const struct column_set *set);
void lines_csv(const struct column_set *set, const json_t *row);
/* KEY="value" for each column, as lsblk -P: a shell can eval the line, whatever the values are. */
void lines_pairs(const struct column_set *set, const json_t *row);
void lines_json(const json_t *row);
