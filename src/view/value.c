/* SPDX-License-Identifier: MIT */
#include "view/value.h"

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
