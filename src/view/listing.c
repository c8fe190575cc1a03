/* SPDX-License-Identifier: MIT */
/* Shows rows through columns: table, CSV, template or JSON. */
#include "view/listing.h"

#include "view/json.h"
#include "view/query.h"
#include "view/table.h"

/* What is to be shown of a listing. */
struct wanted {
    struct query query;
    struct cell_context cells; /* getters' texts live in the host's arena; without a host, in one of our own */
    const void **rows;
    size_t count;
};

/* Returns 0, or -EINVAL after saying why. Choosing and sorting use the exact values, as in JSON. */
static int wanted_begin(struct wanted *wanted, const struct look *look, const struct listing *listing)
{
    int r = query_make(&wanted->query, listing->columns, look);
    if (r < 0)
        return r;
    wanted->cells = (struct cell_context){ .host = listing->host,
                                           .arena = listing->host ? listing->host->arena : arena_new() };
    wanted->rows = query_rows(&wanted->query, &wanted->cells, listing->rows, listing->count, listing->size,
                              &wanted->count);
    return 0;
}

static void wanted_end(struct wanted *wanted)
{
    free(wanted->rows);
    if (!wanted->cells.host)
        arena_free(wanted->cells.arena);
    query_free(&wanted->query);
}

static json_t *row_json(const struct wanted *wanted, const void *row)
{
    const struct column_set *set = &wanted->query.set;
    json_t *object = json_object();
    for (size_t c = 0; c < set->count; c++) {
        struct value value = column_value(set->items[c], &wanted->cells, row);
        json_object_set_new(object, column_key(set->items[c]), cell_json(&value));
        json_decref(value.json);
    }
    return object;
}

static json_t *wanted_json(const struct wanted *wanted)
{
    json_t *array = json_array();
    for (size_t r = 0; r < wanted->count; r++)
        json_array_append_new(array, row_json(wanted, wanted->rows[r]));
    return array;
}

json_t *listing_wanted_json(const struct look *look, const struct listing *listing)
{
    struct wanted wanted;
    if (wanted_begin(&wanted, look, listing) < 0)
        return json_array();
    json_t *array = wanted_json(&wanted);
    wanted_end(&wanted);
    return array;
}

json_t *listing_json(const struct listing *listing)
{
    return listing_wanted_json(&(const struct look){ .json = true }, listing);
}

json_t *columns_json(const struct host *host, const struct column *columns, const void *row)
{
    json_t *array = listing_json(&(const struct listing){ host, columns, row, 1, 0 });
    json_t *object = json_incref(json_array_get(array, 0));
    json_decref(array);
    return object;
}

static bool is_known_somewhere(const struct wanted *wanted, const struct column *column)
{
    bool known = false;
    for (size_t r = 0; r < wanted->count && !known; r++) {
        struct value value = column_value(column, &wanted->cells, wanted->rows[r]);
        known = value_is_known(&value);
        json_decref(value.json);
    }
    return known;
}

/* Without columns of which nothing is known, where that is usual. */
static void leave_out_unknown(const struct look *look, struct wanted *wanted)
{
    struct column_set *set = &wanted->query.set;
    size_t kept = 0;
    for (size_t c = 0; c < set->count; c++)
        if (look->columns || look->verbose || !(set->items[c]->flags & COLUMN_IF_KNOWN) ||
            is_known_somewhere(wanted, set->items[c]))
            set->items[kept++] = set->items[c];
    set->count = kept;
}

static void print_table(const struct look *look, struct wanted *wanted)
{
    leave_out_unknown(look, wanted);
    const struct column_set *set = &wanted->query.set;
    struct table *table = table_new(set->count, wanted->count);
    wanted->cells.for_people = true;
    for (size_t c = 0; c < set->count; c++) {
        const struct column *column = set->items[c];
        table->columns[c] = (struct table_column){
            .heading = column_heading(column),
            .flags = column->flags,
            .rank = look->columns && !look->ranked ? 0 : column->rank,
            .right = column->flags & COLUMN_RIGHT,
        };
        for (size_t r = 0; r < wanted->count; r++) {
            struct value value = column_value(column, &wanted->cells, wanted->rows[r]);
            table->columns[c].right |= value_type_is_number(value.type);
            enum tone tone = value_is_known(&value) ? value.tone : TONE_DIM;
            table_set(table, r, c, cell_text(&value), tone);
            json_decref(value.json);
        }
    }
    table->beside = look->beside;
    table_print(table, !look->no_header, look->color, look->width);
    table_free(table);
}

/* -- rows for other programs, one per line: JSON's values, as CSV (RFC 4180), KEY="value" pairs, or JSON -- */

/* Exact numbers, true and false, nothing for absent values. */
static void append_scalar(struct bytes *out, const json_t *value)
{
    if (json_is_string(value)) {
        bytes_append(out, json_string_value(value), json_string_length(value));
    } else if (json_is_real(value)) {
        bytes_printf(out, "%.17g", json_real_value(value));
    } else if (!json_is_null(value)) {
        char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | json_flags());
        bytes_printf(out, "%s", text);
        free(text);
    }
}

/* A list's items are separated by ';'. The caller frees data, which is never NULL. */
static struct bytes text_of(const json_t *value)
{
    const json_t *item;
    struct bytes out = { 0 };
    size_t i;
    bytes_append(&out, "", 0);
    bool flat = json_is_array(value);
    json_array_foreach(value, i, item) flat = flat && !json_is_array(item) && !json_is_object(item);
    if (!flat)
        append_scalar(&out, value);
    for (i = 0; flat && (item = json_array_get(value, i)); i++) {
        bytes_printf(&out, "%s", i ? ";" : "");
        append_scalar(&out, item);
    }
    return out;
}

/* In double quotes, with `before` in front of each of these characters. */
static void print_quoted(const char *text, const char *these, char before)
{
    putchar('"');
    for (; *text; text++) {
        if (strchr(these, *text))
            putchar(before);
        putchar(*text);
    }
    putchar('"');
}

static void print_csv(const char *text, bool first)
{
    if (!first)
        putchar(',');
    if (strpbrk(text, ",\"\r\n"))
        print_quoted(text, "\"", '"');
    else
        fputs(text, stdout);
}

/* A shell can eval it whatever the value, as with lsblk -P. */
static void print_pair(const char *key, const char *text, bool first)
{
    if (!first)
        putchar(' ');
    for (; *key; key++)
        putchar(toupper((unsigned char)*key));
    putchar('=');
    print_quoted(text, "\"\\$`", '\\');
}

static void print_lines(const struct look *look, const struct wanted *wanted)
{
    const struct column_set *set = &wanted->query.set;
    bool csv = look->format == FORMAT_CSV;
    for (size_t c = 0; csv && !look->no_header && c < set->count; c++)
        print_csv(column_key(set->items[c]), c == 0);
    if (csv && !look->no_header)
        putchar('\n');
    for (size_t r = 0; r < wanted->count; r++) {
        json_t *row = row_json(wanted, wanted->rows[r]);
        for (size_t c = 0; look->format != FORMAT_JSON_LINES && c < set->count; c++) {
            const char *key = column_key(set->items[c]);
            struct bytes text = text_of(json_object_get(row, key));
            if (csv)
                print_csv(text.data, c == 0);
            else
                print_pair(key, text.data, c == 0);
            bytes_free(&text);
        }
        if (look->format == FORMAT_JSON_LINES)
            json_print_value(row, JSON_COMPACT);
        else
            putchar('\n');
        json_decref(row);
    }
}

static void print_rows(const struct look *look, struct wanted *wanted)
{
    if (look->format == FORMAT_TABLE)
        print_table(look, wanted);
    else
        print_lines(look, wanted);
}

void listing_table(const struct look *look, const struct listing *listing)
{
    struct wanted wanted;
    if (wanted_begin(&wanted, look, listing) < 0)
        return;
    print_rows(look, &wanted);
    wanted_end(&wanted);
}

void listing_table_of(const struct look *look, const struct listing *listing, const char *list)
{
    struct look own = *look;
    own.columns = list;
    own.ranked = true;
    own.verbose = 0;
    listing_table(&own, listing);
}

void listing_table_beside(const struct look *look, const struct listing *listing, const char *list)
{
    struct look own = *look;
    own.beside = true;
    listing_table_of(&own, listing, list);
}

void listing_print(const struct look *look, const struct listing *listing, const char *plural,
                   const char *empty)
{
    struct wanted wanted;
    if (wanted_begin(&wanted, look, listing) < 0)
        return;
    if (look->json) {
        json_print_answer(plural, wanted_json(&wanted), listing->host);
    } else {
        if (wanted.count || look->format == FORMAT_CSV)
            print_rows(look, &wanted);
        else if (listing->count)
            say_note("nothing fits --filter '%s', of %zu %s", look->filter, listing->count, plural);
        else if (empty)
            say_note("%s", empty);
        problems_say(listing->host);
    }
    wanted_end(&wanted);
}
