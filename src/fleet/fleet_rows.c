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
    if (a->within != b->within)
        return a->within < b->within ? -1 : 1;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    if (a->with != b->with)
        return a->with < b->with ? -1 : 1;
    return a->host < b->host ? -1 : a->host > b->host;
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
