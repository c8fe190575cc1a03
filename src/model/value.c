/* SPDX-License-Identifier: MIT */
/* Typed values: how they are made, and what is the same of two. */
#include "model/value.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/device.h"

struct value value_text(const char *text)
{
    return text ? (struct value){ .type = VALUE_STRING, .text = text } : NO_VALUE;
}

struct value value_unsigned(uint64_t number)
{
    return (struct value){ .type = VALUE_UNSIGNED, .number = number };
}

struct value value_num_as(enum value_type type, struct num num)
{
    return num.known ? (struct value){ .type = type, .number = num.value } : NO_VALUE;
}

struct value value_num(struct num num)
{
    return value_num_as(VALUE_UNSIGNED, num);
}

struct value value_hex(struct num num, unsigned digits)
{
    struct value value = value_num_as(VALUE_HEX, num);
    value.digits = digits;
    return value;
}

struct value value_snum(struct snum num)
{
    return num.known ? (struct value){ .type = VALUE_SIGNED, .integer = num.value } : NO_VALUE;
}

struct value value_real(double measured)
{
    return measured > 0 ? (struct value){ .type = VALUE_REAL, .real = measured } : NO_VALUE;
}

struct value value_rate(struct rate rate)
{
    return rate.known ? (struct value){ .type = VALUE_RATE, .real = rate.value } : NO_VALUE;
}

struct value value_tristate(enum tristate tristate)
{
    return tristate == TRI_UNKNOWN ? NO_VALUE
                                   : (struct value){ .type = VALUE_BOOLEAN, .number = tristate == TRI_YES };
}

struct value value_texts(const char *const *texts, size_t count)
{
    return (struct value){ .type = VALUE_STRINGS, .texts = texts, .count = count };
}

struct value value_with_tone(struct value value, enum tone tone)
{
    value.tone = tone;
    return value;
}

struct value value_numbers(const uint64_t *numbers, size_t count)
{
    return (struct value){ .type = VALUE_NUMBERS, .numbers = numbers, .count = count };
}

bool value_is_known(const struct value *value)
{
    return value->type != VALUE_ABSENT && value->type != VALUE_NONE;
}

bool value_type_is_list(enum value_type type)
{
    return type == VALUE_STRINGS || type == VALUE_NUMBERS;
}

static const char *clean_text(const char *text, struct arena *arena)
{
    char *clean = text_clean(text, TEXT_ONE_LINE);
    const char *copy = arena_strdup(arena, clean);
    free(clean);
    return copy;
}

static const char *item_text(const struct value *value, size_t i, struct arena *arena)
{
    char guid[GUID_TEXT_SIZE];
    switch (value->type) {
    case VALUE_STRINGS:
        return clean_text(value->texts[i], arena);
    case VALUE_STRING:
        return clean_text(value->text, arena);
    case VALUE_NUMBERS:
        return arena_printf(arena, "%" PRIu64, value->numbers[i]);
    case VALUE_SIGNED:
        return arena_printf(arena, "%" PRId64, value->integer);
    case VALUE_BOOLEAN:
        return value->number ? "yes" : "no";
    case VALUE_GUID:
        guid_format(value->number, guid);
        return arena_strdup(arena, guid);
    default:
        return arena_printf(arena, "%" PRIu64, value->number);
    }
}

const char **value_items(const struct value *value, struct arena *arena, size_t *count)
{
    *count = !value_is_known(value) ? 0 : value_type_is_list(value->type) ? value->count : 1;
    const char **items = arena_alloc(arena, *count + 1, sizeof(*items));
    for (size_t i = 0; i < *count; i++)
        items[i] = item_text(value, i, arena);
    return items;
}
