/* SPDX-License-Identifier: MIT */
/* What of some rows is shown, and in which order: -o, --filter and --sort. */
#pragma once

#include "view/column.h"
#include "view/condition.h"
#include "view/look.h"

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
