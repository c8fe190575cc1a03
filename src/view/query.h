/* SPDX-License-Identifier: MIT */
/* Which rows and columns are wanted. */
#pragma once

#include <regex.h>

#include "view/column.h"
#include "view/output.h"

/* Conditions on columns: "state!=ACTIVE and (rate<400 or netdev~^rail)". */

enum { CONDITION_STEPS = 64 };

struct condition_step {
    char joint;                  /* '!', '&' or '|' of the preceding steps; 0: a comparison with a column */
    const struct column *column; /* NULL for a joint */
    /* What the value must be, any one of these; 0, a bare column: anything but absent and "no". */
    enum { CONDITION_BELOW = 1, CONDITION_EQUAL = 2, CONDITION_ABOVE = 4, CONDITION_MATCH = 8 } is;
    bool opposite;  /* it must not be that */
    bool by_key;    /* named by its key, not its heading: in the key's unit */
    char text[128]; /* what it is compared with */
    bool is_number;
    double number; /* the one in text; scale: its suffix's, 0 without one */
    double scale, binary_scale;
    regex_t regex; /* for CONDITION_MATCH */
};

/* In postfix order. */
struct condition {
    struct condition_step steps[CONDITION_STEPS];
    size_t count; /* 0: every row is wanted */
};

/* Parses text, the value of option (named with its dashes, for messages). Returns 0, or -EINVAL after reporting
 * what is wrong and where in the text. Free with condition_free(). */
int condition_parse(struct condition *condition, const struct column *columns, const char *option,
                    const char *text);
void condition_free(struct condition *condition);
/* Does the row have a value in every column that the condition names? */
bool condition_applies(const struct condition *condition, const struct cell_context *cells, const void *row);
/* A column without a value is unequal to everything, and any other comparison with it is false. Text is
 * compared ignoring case, in version order; a comparison holds for a list if it holds for one of its members.
 */
bool condition_holds(const struct condition *condition, const struct cell_context *cells, const void *row);

/* Which rows and columns are shown, and in which order: -o, --filter and --sort. */

enum { SORT_MOST = 8 };

struct query {
    struct column_set set;
    struct condition condition;
    struct sort_column {
        const struct column *column;
        bool falling;
    } sort[SORT_MOST];
    size_t nsort;
};

/* What look asks of columns. Returns 0, or -EINVAL after reporting what is wrong. Free with query_free(). */
int query_make(struct query *query, const struct column *columns, const struct look *look);
void query_free(struct query *query);
/* What must be read to show, filter and sort. */
needs_t query_needs(const struct query *query);
/* The wanted rows, in order (the sort is stable): an array of *chosen pointers into rows. The caller frees it.
 */
const void **query_rows(const struct query *query, const struct cell_context *cells, const void *rows,
                        size_t count, size_t size, size_t *chosen);
