/* SPDX-License-Identifier: MIT */
#include "view/query.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/say.h"
#include "base/text.h"
#include "view/cell.h"

static int make_sort(struct query *query, const struct column *columns, const char *list)
{
    for (const char *at = list; at; at = strchr(at, ','), at = at ? at + 1 : NULL) {
        bool falling = *at == '-';
        at += falling || *at == '+';
        char name[64];
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(at, ","), at);
        const struct column *column = columns_find(columns, name);
        if (!column)
            return columns_say_unknown(columns, "--sort: ", name);
        if (query->nsort == SORT_MOST) {
            say_error("--sort takes at most %d columns", SORT_MOST);
            return -E2BIG;
        }
        query->sort[query->nsort++] = (struct sort_column){ column, falling };
    }
    return 0;
}

int query_make(struct query *query, const struct column *columns, const struct look *look)
{
    query->condition.count = 0;
    query->nsort = 0;
    int r = 0;
    if (look_is_exact(look) && !look->columns)
        columns_all(&query->set, columns);
    else
        r = columns_choose(&query->set, columns, look->columns, look->verbose > 0);
    if (r == 0 && look->sort)
        r = make_sort(query, columns, look->sort);
    if (r == 0 && look->filter)
        r = condition_parse(&query->condition, columns, "--filter", look->filter);
    return r;
}

void query_free(struct query *query)
{
    condition_free(&query->condition);
}

needs_t query_needs(const struct query *query)
{
    needs_t needs = columns_needs(&query->set);
    for (size_t i = 0; i < query->nsort; i++)
        needs |= query->sort[i].column->needs;
    for (size_t i = 0; i < query->condition.count; i++)
        if (query->condition.steps[i].column)
            needs |= query->condition.steps[i].column->needs;
    return needs;
}

/* A row with the values that it is sorted by. */
struct sorted_row {
    const void *row;
    size_t place; /* before sorting */
    struct sort_value {
        struct value value;
        char *text; /* of what is no number */
    } values[SORT_MOST];
};

static int compare_values(const struct sort_value *a, const struct sort_value *b, bool falling)
{
    bool a_absent = a->value.type == VALUE_ABSENT, b_absent = b->value.type == VALUE_ABSENT;
    if (a_absent || b_absent)
        return a_absent - b_absent; /* what isn't known is last, whichever way */
    int order;
    if (cell_is_number(&a->value) && cell_is_number(&b->value)) {
        double x = cell_number(&a->value), y = cell_number(&b->value);
        order = (x > y) - (x < y);
    } else {
        order = text_version_compare(a->text, b->text);
    }
    return falling ? -order : order;
}

static int compare_rows(const void *left, const void *right, void *data)
{
    const struct sorted_row *a = left, *b = right;
    const struct query *query = data;
    for (size_t i = 0; i < query->nsort; i++) {
        int order = compare_values(&a->values[i], &b->values[i], query->sort[i].falling);
        if (order)
            return order;
    }
    return (a->place > b->place) - (a->place < b->place);
}

static void sort_rows(const struct query *query, const struct cell_context *cells, const void **rows,
                      size_t count)
{
    struct sorted_row *sorted = mem_alloc(count, sizeof(*sorted));
    for (size_t r = 0; r < count; r++) {
        sorted[r].row = rows[r];
        sorted[r].place = r;
        for (size_t i = 0; i < query->nsort; i++) {
            struct sort_value *value = &sorted[r].values[i];
            value->value = column_value(query->sort[i].column, cells, rows[r]);
            value->text = cell_text(&value->value);
        }
    }
    qsort_r(sorted, count, sizeof(*sorted), compare_rows, (void *)query);
    for (size_t r = 0; r < count; r++) {
        rows[r] = sorted[r].row;
        for (size_t i = 0; i < query->nsort; i++) {
            free(sorted[r].values[i].text);
            json_decref(sorted[r].values[i].value.json);
        }
    }
    free(sorted);
}

const void **query_rows(const struct query *query, const struct cell_context *cells, const void *rows,
                        size_t count, size_t size, size_t *chosen)
{
    const void **wanted = mem_alloc(count ? count : 1, sizeof(*wanted));
    *chosen = 0;
    for (size_t r = 0; r < count; r++) {
        const void *row = (const char *)rows + r * size;
        if (condition_holds(&query->condition, cells, row))
            wanted[(*chosen)++] = row;
    }
    if (query->nsort && *chosen > 1)
        sort_rows(query, cells, wanted, *chosen);
    return wanted;
}
