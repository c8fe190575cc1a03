/* SPDX-License-Identifier: MIT */
#include "view/listing.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/say.h"
#include "view/cell.h"
#include "view/json.h"
#include "view/problems.h"
#include "view/table.h"

/* Getters' texts live in the host's arena, or, where there is no host, in one of our own. */
static struct cell_context cells_begin(const struct listing *listing, bool for_people)
{
    return (struct cell_context){ .host = listing->host,
                                  .arena = listing->host ? listing->host->arena : arena_new(),
                                  .for_people = for_people };
}

static void cells_end(const struct cell_context *cells)
{
    if (!cells->host)
        arena_free(cells->arena);
}

static const void *row_at(const struct listing *listing, size_t row)
{
    return (const char *)listing->rows + row * listing->size;
}

static json_t *row_json(const struct column_set *set, const struct cell_context *cells, const void *row)
{
    json_t *object = json_object();
    for (size_t c = 0; c < set->count; c++) {
        struct value value = column_value(set->items[c], cells, row);
        json_object_set_new(object, set->items[c]->key, cell_json(&value));
        json_decref(value.json);
    }
    return object;
}

static json_t *rows_json(const struct listing *listing, const struct column_set *set)
{
    struct cell_context cells = cells_begin(listing, false);
    json_t *array = json_array();
    for (size_t r = 0; r < listing->count; r++)
        json_array_append_new(array, row_json(set, &cells, row_at(listing, r)));
    cells_end(&cells);
    return array;
}

json_t *listing_json(const struct listing *listing)
{
    struct column_set set;
    columns_all(&set, listing->columns);
    return rows_json(listing, &set);
}

void listing_table(const struct look *look, const struct listing *listing, const struct column_set *set)
{
    struct cell_context cells = cells_begin(listing, true);
    struct table *table = table_new(set->count, listing->count);
    for (size_t c = 0; c < set->count; c++) {
        const struct column *column = set->items[c];
        table->columns[c] = (struct table_column){
            .heading = column->heading ? column->heading : column->key,
            .flags = column->flags,
            .rank = look->columns ? 0 : column->rank,
            .right = column->flags & COLUMN_RIGHT,
        };
        for (size_t r = 0; r < listing->count; r++) {
            struct value value = column_value(column, &cells, row_at(listing, r));
            table->columns[c].right |= cell_is_number(&value);
            enum tone tone = value.type == VALUE_ABSENT ? TONE_DIM : value.tone;
            table_set(table, r, c, cell_text(&value), tone);
            json_decref(value.json);
        }
    }
    cells_end(&cells);
    table_print(table, !look->no_header, look->color, look->width);
    table_free(table);
}

void listing_table_of(const struct look *look, const struct listing *listing, const char *list)
{
    struct column_set set;
    if (columns_choose(&set, listing->columns, list, false) == 0)
        listing_table(look, listing, &set);
}

void listing_print(const struct look *look, const struct listing *listing, const char *plural,
                   const char *empty)
{
    struct column_set set;
    if (look->json && !look->columns)
        columns_all(&set, listing->columns);
    else if (columns_choose(&set, listing->columns, look->columns, look->verbose > 0) < 0)
        return;
    if (look->json) {
        json_print_answer(plural, rows_json(listing, &set), listing->host);
        return;
    }
    if (listing->count)
        listing_table(look, listing, &set);
    else if (empty)
        say_note("%s", empty);
    problems_say(listing->host);
}
