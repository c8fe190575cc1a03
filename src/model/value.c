/* SPDX-License-Identifier: MIT */
/* Typed values: how they are made, read from a structure, and compared. */
#include "model/value.h"

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

static const char *item_text(const struct value *value, size_t i, struct arena *arena)
{
    char guid[GUID_TEXT_SIZE];
    switch (value->type) {
    case VALUE_STRINGS:
        return text_clean_copy(arena, value->texts[i], SIZE_MAX);
    case VALUE_STRING:
        return text_clean_copy(arena, value->text, SIZE_MAX);
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

static uint64_t integer_at(const void *at, size_t size)
{
    union {
        unsigned char c;
        unsigned short s;
        unsigned i;
        unsigned long long l;
    } number;
    memcpy(&number, at, size);
    return size == sizeof(number.c)   ? number.c
           : size == sizeof(number.s) ? number.s
           : size == sizeof(number.i) ? number.i
                                      : number.l;
}

static struct value number_as(const struct member *member, struct num num)
{
    struct value value = value_num_as(member->as, num);
    value.digits = member->digits;
    return value;
}

enum value_type member_value_type(const struct member *member)
{
    static const enum value_type types[] = { [MEMBER_SNUM] = VALUE_SIGNED,
                                             [MEMBER_TRISTATE] = VALUE_BOOLEAN,
                                             [MEMBER_REAL] = VALUE_REAL,
                                             [MEMBER_RATE] = VALUE_RATE,
                                             [MEMBER_OBJECT] = VALUE_STRING };
    if (member->type == MEMBER_NUM || member->type == MEMBER_NUM32 || member->type == MEMBER_INTEGER)
        return member->as;
    return types[member->type] ? types[member->type] : VALUE_STRING;
}

static const char *pointer_at(const char *at)
{
    const char *pointer; /* copied, as it may point to any type */
    memcpy(&pointer, at, sizeof(pointer));
    return pointer;
}

/* NULL if a pointer on the path is NULL. */
static const char *member_place(const struct member *member, const void *row)
{
    const char *at = row;
    for (size_t i = 0; at && i + 1 < member->steps; i++)
        at = pointer_at(at + member->offsets[i]);
    return at && member->steps ? at + member->offsets[member->steps - 1] : NULL;
}

const void *member_object(const struct member *member, const void *row)
{
    const char *at = member_place(member, row);
    return at ? pointer_at(at) : NULL;
}

struct value member_value(const struct member *member, const void *row)
{
    const char *at = member_place(member, row);
    if (!at)
        return NO_VALUE;
    switch (member->type) {
    case MEMBER_NONE:
    case MEMBER_OBJECT:
        break;
    case MEMBER_TEXT:
        return value_text(*(const char *const *)at);
    case MEMBER_CHARS:
        return value_text(at);
    case MEMBER_NUM:
        return number_as(member, *(const struct num *)at);
    case MEMBER_NUM32:
        return number_as(member, num_wide(*(const struct num32 *)at));
    case MEMBER_SNUM:
        return value_snum(*(const struct snum *)at);
    case MEMBER_INTEGER:
        return number_as(member, num_of(integer_at(at, member->size)));
    case MEMBER_TRISTATE:
        return value_tristate(*(const enum tristate *)at);
    case MEMBER_REAL:
        return value_real(*(const double *)at);
    case MEMBER_RATE:
        return value_rate(*(const struct rate *)at);
    }
    return NO_VALUE;
}
