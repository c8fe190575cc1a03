/* SPDX-License-Identifier: MIT */
/* Rows of values: which hosts have which. */
#include "fleet/compare.h"

void rows_add(struct fleet_rows *rows, struct fleet_row row)
{
    if (rows->count == rows->size) {
        rows->size = rows->size ? rows->size * 2 : 256;
        rows->items = mem_resize(rows->items, rows->size, sizeof(*rows->items));
    }
    rows->items[rows->count++] = row;
}

static int compare_rows(const void *one, const void *other)
{
    const struct fleet_row *a = one, *b = other;
    int r = number_order(a->within, b->within);
    r = r ? r : number_order(a->value, b->value);
    r = r ? r : number_order(a->with, b->with);
    return r ? r : number_order(a->host, b->host);
}

void rows_sort(struct fleet_rows *rows)
{
    if (rows->count)
        qsort(rows->items, rows->count, sizeof(*rows->items), compare_rows);
}

size_t rows_alike(const struct fleet_row *rows, size_t count)
{
    size_t end = 1;
    while (end < count && rows[end].within == rows->within && rows[end].value == rows->value)
        end++;
    return end;
}
