/* SPDX-License-Identifier: MIT */
/* Text in columns, aligned and fitted to the terminal. */
#pragma once

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
    bool beside; /* -o chooses another table's columns */
    struct arena *arena;
};

struct table *table_new(size_t ncolumns, size_t nrows);
void table_free(struct table *table);
/* Takes over text; if the cell above has the same, keeps only one copy. */
void table_set(struct table *table, size_t row, size_t column, char *text, enum tone tone);
/* The same with a copy of text, cleaned. */
void table_set_text(struct table *table, size_t row, size_t column, const char *text, enum tone tone);
/* width 0: nothing is cut or left out. Columns left out to fit are named below the table. */
void table_print(const struct table *table, bool header, bool color, size_t width);
/* A matrix, whose first row and first column are names: columns that don't fit in width (0: all do) continue in
 * blocks below, with the row names repeated. No column is left out. */
void table_print_matrix(const struct table *table, bool color, size_t width);

/* How the columns of a table share a terminal's width. */

enum {
    FIT_GAP = 2,    /* columns between two */
    FIT_INDENT = 4, /* of a row's continuation */
};

enum fit_form {
    FIT_LINE,    /* one line per row */
    FIT_FOLDED,  /* two lines per row */
    FIT_RECORDS, /* a block per row, one line per column */
};

struct fit {
    enum fit_form form;
    size_t *widths; /* of each column */
    bool *hidden;   /* left out */
    size_t second;  /* FIT_FOLDED: the column that begins the second line */
};

/* Fits a table into width columns (0: unlimited): first what may be cut is cut, then columns are dropped, the
 * highest rank first, and any room gained is given back. If what must stay is still too wide, it goes on a
 * second line, or each row becomes a block. Free with fit_free(). */
void fit_make(struct fit *fit, const struct table *table, bool header, size_t width);
void fit_free(struct fit *fit);
