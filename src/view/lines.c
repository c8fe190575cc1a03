/* SPDX-License-Identifier: MIT */
#include "view/lines.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "view/json.h"

static void append_scalar(struct bytes *out, const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_STRING:
        bytes_append(out, json_string_value(value), json_string_length(value));
        break;
    case JSON_INTEGER:
        bytes_printf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        break;
    case JSON_REAL:
        bytes_printf(out, "%.17g", json_real_value(value));
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        bytes_printf(out, "%s", json_is_true(value) ? "true" : "false");
        break;
    case JSON_NULL:
        break;
    case JSON_ARRAY:
    case JSON_OBJECT: {
        char *text = json_dumps(value, JSON_COMPACT | json_flags());
        bytes_printf(out, "%s", text);
        free(text);
    }
    }
}

/* The caller frees data, which is never NULL. */
static struct bytes text_of(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key), *item;
    struct bytes out = { 0 };
    size_t i;
    bytes_append(&out, "", 0);
    bool flat = json_is_array(value);
    json_array_foreach(value, i, item) flat = flat && !json_is_array(item) && !json_is_object(item);
    if (!flat) {
        append_scalar(&out, value);
        return out;
    }
    json_array_foreach(value, i, item)
    {
        if (i)
            bytes_append(&out, ";", 1);
        append_scalar(&out, item);
    }
    return out;
}

static void print_field(const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stdout);
        return;
    }
    putchar('"');
    for (; *text; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

void lines_csv_header(const struct column_set *set)
{
    for (size_t c = 0; c < set->count; c++) {
        fputs(c ? "," : "", stdout);
        print_field(set->items[c]->key);
    }
    fputs("\n", stdout);
}

void lines_csv(const struct column_set *set, const json_t *row)
{
    for (size_t c = 0; c < set->count; c++) {
        struct bytes text = text_of(row, set->items[c]->key);
        fputs(c ? "," : "", stdout);
        print_field(text.data);
        bytes_free(&text);
    }
    fputs("\n", stdout);
}

/* What a shell obeys within double quotes. */
static void print_quoted(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (strchr("\"\\$`", *text))
            putchar('\\');
        putchar(*text);
    }
    putchar('"');
}

void lines_pairs(const struct column_set *set, const json_t *row)
{
    for (size_t c = 0; c < set->count; c++) {
        struct bytes text = text_of(row, set->items[c]->key);
        fputs(c ? " " : "", stdout);
        for (const char *at = set->items[c]->key; *at; at++)
            putchar(toupper((unsigned char)*at));
        putchar('=');
        print_quoted(text.data);
        bytes_free(&text);
    }
    putchar('\n');
}

void lines_json(const json_t *row)
{
    json_print_value(row, JSON_COMPACT);
}
