/* SPDX-License-Identifier: MIT */
/* Text in columns: aligned, fitted to the terminal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "view/column.h"

struct table_cell {
    const char *text; /* in the table's arena; NULL: empty */
    enum tone tone;
};

struct table_column {
    const char *heading;
    unsigned flags; /* enum column_flags */
    int rank;
    bool right;
};

struct table {
    struct table_column *columns;
    size_t ncolumns;
    struct table_cell *cells; /* row by row */
    size_t nrows;
    bool beside; /* -o chooses columns of another table */
    struct arena *arena;
};

struct table *table_new(size_t ncolumns, size_t nrows);
void table_free(struct table *table);
/* Takes over text, and keeps it once where the cell above says the same. */
void table_set(struct table *table, size_t row, size_t column, char *text, enum tone tone);
/* width 0: never cut, nothing left out. What had to be left out to fit is named below the table. */
void table_print(const struct table *table, bool header, bool color, size_t width);
/* A matrix, whose first row and first column are names: what doesn't fit into width (0: all does) goes on in
 * a block of its own below, with the names of the rows again. No column is left out. */
void table_print_matrix(const struct table *table, bool color, size_t width);

/* How the columns of a table share a terminal's width. */

enum {
    FIT_GAP = 2,    /* columns between two */
    FIT_INDENT = 4, /* of what a row goes on with */
};

enum fit_form {
    FIT_LINE,    /* a row is a line */
    FIT_FOLDED,  /* a row is two lines */
    FIT_RECORDS, /* a row is a block, a line a column */
};

struct fit {
    enum fit_form form;
    size_t *widths; /* of each column */
    bool *hidden;   /* left out */
    size_t second;  /* FIT_FOLDED: the column that begins the second line */
};

/* Into width columns (0: any number): first what may be cut is cut, then columns go, the highest rank first,
 * and what room is left by then is given back. What must stay and is still too wide goes on a second line, or
 * each row becomes a block. The caller ends it with fit_free. */
void fit_make(struct fit *fit, const struct table *table, bool header, size_t width);
void fit_free(struct fit *fit);
