/* SPDX-License-Identifier: MIT */
/* Values as people and programs see them. */
#include "view/value.h"

#include "view/json.h"

/* "100 Gb/s", "2.5 Gb/s", "0.1 Gb/s", "0.054 Gb/s" */
static void print_mbps(struct bytes *out, uint64_t mbps)
{
    bytes_printf(out, "%" PRIu64, mbps / 1000);
    if (mbps >= 1000 && mbps % 1000)
        bytes_printf(out, ".%" PRIu64, mbps % 1000 / 100);
    else if (mbps % 1000)
        bytes_printf(out, mbps % 100 ? ".%03" PRIu64 : ".%" PRIu64, mbps % 100 ? mbps : mbps / 100);
    bytes_printf(out, " Gb/s");
}

static void print_scaled(struct bytes *out, double number, double step, const char *const *units)
{
    size_t i = 0;
    for (; number >= step && units[i + 1]; i++)
        number /= step;
    bytes_printf(out, "%.*f%s", i == 0 || number >= 100 ? 0 : 1, number, units[i]);
}

static void print_rate(struct bytes *out, double rate)
{
    static const char *const units[] = { "/s", "k/s", "M/s", "G/s", "T/s", NULL };
    if (rate > 0 && rate < 10)
        bytes_printf(out, "%.2f/s", rate);
    else
        print_scaled(out, rate, 1000, units);
}

static void print_list(struct bytes *out, const struct value *value)
{
    for (size_t i = 0; i < value->count; i++) {
        bytes_printf(out, "%s", i ? ", " : "");
        if (value->type == VALUE_STRINGS)
            bytes_printf(out, "%s", value->texts[i]);
        else
            bytes_printf(out, "%" PRIu64, value->numbers[i]);
    }
}

char *cell_text(const struct value *value)
{
    static const char *const units[] = { " B", " KiB", " MiB", " GiB", " TiB", " PiB", NULL };
    struct bytes out = { 0 };
    char guid[GUID_TEXT_SIZE];
    switch (value->type) {
    case VALUE_ABSENT:
    case VALUE_NONE:
        break;
    case VALUE_STRING:
    case VALUE_JSON:
        bytes_printf(&out, "%s", value->text ? value->text : "");
        break;
    case VALUE_UNSIGNED:
        bytes_printf(&out, "%" PRIu64, value->number);
        break;
    case VALUE_SIGNED:
        bytes_printf(&out, "%" PRId64, value->integer);
        break;
    case VALUE_BOOLEAN:
        bytes_printf(&out, "%s", value->number ? "yes" : "no");
        break;
    case VALUE_MBPS:
        print_mbps(&out, value->number);
        break;
    case VALUE_BYTES:
        print_scaled(&out, (double)value->number, 1024, units);
        break;
    case VALUE_HEX:
        bytes_printf(&out, "0x%0*" PRIx64, (int)value->digits, value->number);
        break;
    case VALUE_GUID:
        guid_format(value->number, guid);
        bytes_printf(&out, "%s", guid);
        break;
    case VALUE_STRINGS:
    case VALUE_NUMBERS:
        print_list(&out, value);
        break;
    case VALUE_RATE:
        print_rate(&out, value->real);
        break;
    case VALUE_REAL: /* a repeated measurement reproduces three digits at most */
        bytes_printf(&out, "%.*f", value->real < 10 ? 2 : value->real < 100 ? 1 : 0, value->real);
        break;
    }
    if (out.len == 0)
        bytes_printf(&out, "-");
    char *clean = text_clean(out.data, TEXT_ONE_LINE);
    bytes_free(&out);
    return clean;
}

const char *value_in_words(struct arena *arena, struct value value)
{
    return arena_take(arena, cell_text(&value));
}

struct value value_json(json_t *json, const char *text)
{
    return (struct value){ .type = VALUE_JSON, .json = json, .text = text };
}

static json_t *numbers_json(const struct value *value)
{
    json_t *array = json_array();
    for (size_t i = 0; i < value->count; i++)
        json_array_append_new(array, json_unsigned(value->numbers[i]));
    return array;
}

json_t *cell_json(const struct value *value)
{
    char guid[GUID_TEXT_SIZE];
    switch (value->type) {
    case VALUE_ABSENT:
    case VALUE_NONE:
        break;
    case VALUE_STRING:
        return json_text(value->text);
    case VALUE_UNSIGNED:
    case VALUE_MBPS:
    case VALUE_BYTES:
    case VALUE_HEX:
        return json_unsigned(value->number);
    case VALUE_SIGNED:
        return json_integer(value->integer);
    case VALUE_BOOLEAN:
        return json_boolean(value->number);
    case VALUE_GUID:
        guid_format(value->number, guid);
        return json_string(guid);
    case VALUE_STRINGS:
        return json_texts(value->texts, value->count);
    case VALUE_NUMBERS:
        return numbers_json(value);
    case VALUE_JSON:
        return json_incref(value->json);
    case VALUE_RATE:
    case VALUE_REAL:
        return json_real(value->real);
    }
    return json_null();
}

double cell_number(const struct value *value)
{
    return value->type == VALUE_SIGNED                              ? (double)value->integer
           : value->type == VALUE_RATE || value->type == VALUE_REAL ? value->real
                                                                    : (double)value->number;
}

bool value_type_is_number(enum value_type type)
{
    return type == VALUE_UNSIGNED || type == VALUE_SIGNED || type == VALUE_MBPS || type == VALUE_BYTES ||
           type == VALUE_HEX || type == VALUE_RATE || type == VALUE_REAL;
}
