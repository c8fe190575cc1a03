#include "view/listing.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/say.h"
#include "view/cell.h"
#include "view/json.h"
#include "view/table.h"
#include "view/terminal.h"

static json_t *row_json(const struct column_set *set, const struct cell_context *context, const void *row)
{
    json_t *object = json_object();
    for (size_t c = 0; c < set->count; c++) {
        struct value value = set->items[c]->get(context, row);
        json_object_set_new(object, set->items[c]->key, cell_json(&value));
        json_decref(value.json);
    }
    return object;
}

static json_t *rows_json(const struct context *context, const struct column_set *set, const void *rows,
                         size_t count, size_t size)
{
    struct cell_context cells = { .host = context->host,
                                  .arena = context->host ? context->host->arena : arena_new() };
    json_t *array = json_array();
    for (size_t r = 0; r < count; r++)
        json_array_append_new(array, row_json(set, &cells, (const char *)rows + r * size));
    if (!context->host)
        arena_free(cells.arena);
    return array;
}

json_t *listing_json(const struct context *context, const struct column *columns, const void *rows,
                     size_t count, size_t size)
{
    struct column_set set;
    columns_all(&set, columns);
    return rows_json(context, &set, rows, count, size);
}

static const struct column_set *chosen(const struct context *context, struct column_set *set)
{
    const struct args *args = context->args;
    if (args->json && !args->columns)
        columns_all(set, args->command->columns);
    else
        (void)columns_choose(set, args->command->columns, args->columns,
                             args->verbose > 0); /* checked before the host was read */
    return set;
}

void listing_table(const struct context *context, const struct column_set *set, const void *rows,
                   size_t count, size_t size)
{
    struct cell_context cells = { .host = context->host,
                                  .arena = context->host ? context->host->arena : arena_new(),
                                  .for_people = true };
    struct table *table = table_new(set->count, count);
    for (size_t c = 0; c < set->count; c++) {
        const struct column *column = set->items[c];
        table->columns[c] = (struct table_column){
            .heading = column->heading ? column->heading : column->key,
            .flags = column->flags,
            .rank = context->args->columns ? 0 : column->rank,
            .right = column->flags & COLUMN_RIGHT,
        };
        for (size_t r = 0; r < count; r++) {
            struct value value = column->get(&cells, (const char *)rows + r * size);
            table->columns[c].right |= cell_is_number(&value);
            enum tone tone = value.type == VALUE_ABSENT ? TONE_DIM : value.tone;
            table_set(table, r, c, cell_text(&value), tone);
            json_decref(value.json);
        }
    }
    if (!context->host)
        arena_free(cells.arena);
    table_print(table, !context->args->no_header, terminal_color(context->args), terminal_width());
    table_free(table);
}

/* What couldn't be read belongs to the answer: programs find it in the JSON, people below the table. */
static void say_problems(const struct host *host)
{
    for (size_t i = 0; host && i < host->nproblems; i++) {
        const struct problem *problem = &host->problems[i];
        say_warning("cannot read '%s': %s%s%s", problem->what, say_errno(problem->err),
                    problem->note ? ": " : "", problem->note ? problem->note : "");
    }
}

void listing_print(const struct context *context, const void *rows, size_t count, size_t size,
                   const char *empty)
{
    struct column_set set;
    chosen(context, &set);
    if (context->args->json) {
        json_t *top = json_envelope();
        json_object_set_new(top, context->args->command->plural, rows_json(context, &set, rows, count, size));
        json_add_problems(top, context->host);
        json_print(top);
        return;
    }
    if (count)
        listing_table(context, &set, rows, count, size);
    else if (empty)
        say_note("%s", empty);
    fflush(stdout); /* the warnings come below, also where both go to one place */
    say_problems(context->host);
}
