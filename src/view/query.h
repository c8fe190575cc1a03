/* SPDX-License-Identifier: MIT */
/* What of rows is wanted. */
#pragma once

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "view/column.h"
#include "view/output.h"

/* Which rows are wanted: "state!=ACTIVE and (rate<400 or netdev~^rail)", asked of the columns. */

enum { CONDITION_STEPS = 64 };

enum condition_kind {
    CONDITION_KNOWN, /* a column alone: it has a value, and not "no" */
    CONDITION_EQUAL,
    CONDITION_UNEQUAL,
    CONDITION_BELOW,
    CONDITION_AT_MOST,
    CONDITION_ABOVE,
    CONDITION_AT_LEAST,
    CONDITION_MATCH,
    CONDITION_NO_MATCH,
    CONDITION_NOT,
    CONDITION_AND,
    CONDITION_OR,
};

struct condition_step {
    enum condition_kind kind;
    const struct column *column; /* NULL for not, and, or */
    bool by_key;                 /* it was named by its key, not by its heading: in the key's unit */
    char text[128];              /* what it is held against */
    bool is_number;
    double number; /* of text; scale: what a suffix of it says, 0 without one */
    double scale, binary_scale;
    regex_t regex;
};

/* In postfix order. */
struct condition {
    struct condition_step steps[CONDITION_STEPS];
    size_t count; /* 0: every row is wanted */
};

/* Understands text, the value of an option (with its dashes, for messages). 0, or -EINVAL after saying what
 * is wrong and where in it. Ended by condition_free(). */
int condition_parse(struct condition *condition, const struct column *columns, const char *option,
                    const char *text);
void condition_free(struct condition *condition);
/* Has the row a value in every column that the condition names? */
bool condition_applies(const struct condition *condition, const struct cell_context *cells, const void *row);
/* A column without a value is unequal to everything, and else holds no comparison. Text is compared without
 * regard to case, in version order; a list holds what one of its members holds. */
bool condition_holds(const struct condition *condition, const struct cell_context *cells, const void *row);

/* What of some rows is shown, and in which order: -o, --filter and --sort. */

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

/* What look asks of columns. 0, or -EINVAL after saying what is wrong. Ended by query_free(). */
int query_make(struct query *query, const struct column *columns, const struct look *look);
void query_free(struct query *query);
/* What has to be read to show, to choose and to sort. */
needs_t query_needs(const struct query *query);
/* The rows that are wanted, in their order (those that sort leaves equal stay as they were): an array that
 * the caller frees, of *chosen pointers into rows. */
const void **query_rows(const struct query *query, const struct cell_context *cells, const void *rows,
                        size_t count, size_t size, size_t *chosen);
