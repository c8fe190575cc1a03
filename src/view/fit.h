/* SPDX-License-Identifier: MIT */
/* How the columns of a table share a terminal's width. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "view/table.h"

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
