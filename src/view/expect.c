/* SPDX-License-Identifier: MIT */
/* --expect: conditions on measured rows. */
#include "view/expect.h"

#include "view/json.h"
#include "view/page.h"

int expectations_add(struct expectations *expected, const struct column *columns, const char *text)
{
    if (expected->count == EXPECTATIONS_MOST)
        return say_invalid("--expect may be given %d times", EXPECTATIONS_MOST);
    struct expectation *e = &expected->items[expected->count];
    int r = condition_parse(&e->condition, columns, "--expect", text);
    if (r == 0) {
        e->text = text;
        expected->count++;
    }
    return r;
}

void expectations_free(struct expectations *expected)
{
    for (size_t i = 0; i < expected->count; i++)
        condition_free(&expected->items[i].condition);
    expected->count = 0;
}

/* "latency_median_us 12.5 (RC send, latency)": each value as the user named it, with its sign if it is a share.
 */
static void say_found(struct expectation *e, const struct listing *l, const struct cell_context *cells,
                      const void *row)
{
    const struct column *name = columns_find(l->columns, "operation");
    struct bytes out = { 0 };
    for (size_t i = 0; i < e->condition.count; i++) {
        const struct condition_step *step = &e->condition.steps[i];
        if (!step->column)
            continue;
        struct value value = column_value(step->column, cells, row);
        /* rounded to a table's three digits, a value that misses the condition might seem to meet it */
        char *text = value.type == VALUE_REAL ? mem_printf("%.6g", value.real) : cell_text(&value);
        bytes_printf(&out, "%s%s %s%s", out.len ? ", " : "",
                     step->by_key ? column_key(step->column) : column_heading(step->column), text,
                     text_ends(column_key(step->column), "_percent") ? "%" : "");
        free(text);
        json_decref(value.json);
    }
    name = name ? name : columns_find(l->columns, "source_port");
    struct value value = name ? column_value(name, cells, row) : NO_VALUE;
    char *text = cell_text(&value);
    snprintf(e->found, sizeof(e->found), name ? "%s (%s)" : "%s", out.data ? out.data : "", text);
    free(text);
    bytes_free(&out);
}

static void judge(struct expectation *e, const struct cell_context *cells, const struct listing *l)
{
    bool measured = false;
    e->met = true;
    for (size_t i = 0; i < l->count && e->met; i++) {
        const void *row = (const char *)l->rows + i * l->size;
        if (!condition_applies(&e->condition, cells, row))
            continue;
        measured = true;
        e->met = condition_holds(&e->condition, cells, row);
        if (!e->met)
            say_found(e, l, cells, row);
    }
    if (!measured) {
        e->met = false;
        snprintf(e->found, sizeof(e->found), "nothing: it wasn't measured, or isn't known of this port");
    }
}

bool expectations_judge(struct expectations *expected, const struct listing *listing)
{
    struct cell_context cells = { .host = listing->host, .arena = arena_new() };
    bool all = true;
    for (size_t i = 0; i < expected->count; i++) {
        judge(&expected->items[i], &cells, listing);
        all &= expected->items[i].met;
    }
    arena_free(cells.arena);
    return all;
}

void expectations_print(const struct expectations *expected, size_t width)
{
    for (size_t i = 0; i < expected->count; i++)
        if (!expected->items[i].met)
            line_print(width, 2, "\nexpected %s\n   found %s", expected->items[i].text,
                       expected->items[i].found);
}

void expectations_put(json_t *top, const struct expectations *expected)
{
    json_t *array = json_add_array(top, "expectations");
    for (size_t i = 0; i < expected->count; i++) {
        const struct expectation *e = &expected->items[i];
        json_t *object = json_push_object(array);
        json_put_text(object, "expected", e->text);
        json_put_bool(object, "met", e->met);
        json_put_text(object, "found", e->met ? NULL : e->found);
    }
}
