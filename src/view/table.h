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

enum { FIT_GAP = 2 }; /* blanks between two columns */
