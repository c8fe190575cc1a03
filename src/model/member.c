/* SPDX-License-Identifier: MIT */
/* Reads members of structures as values, by where they lie. */
#include "model/member.h"

#include <string.h>

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
    switch (member->type) {
    case MEMBER_NONE:
    case MEMBER_OBJECT:
    case MEMBER_TEXT:
    case MEMBER_CHARS:
        break;
    case MEMBER_NUM:
    case MEMBER_NUM32:
    case MEMBER_INTEGER:
        return member->as;
    case MEMBER_SNUM:
        return VALUE_SIGNED;
    case MEMBER_TRISTATE:
        return VALUE_BOOLEAN;
    case MEMBER_REAL:
        return VALUE_REAL;
    case MEMBER_RATE:
        return VALUE_RATE;
    }
    return VALUE_STRING;
}

static const char *pointer_at(const char *at)
{
    const char *pointer; /* copied, for it is a pointer to whatever type */
    memcpy(&pointer, at, sizeof(pointer));
    return pointer;
}

/* NULL: the way there ends before. */
static const char *member_place(const struct member *member, const void *row)
{
    const char *at = row;
    for (size_t i = 0; at && i + 1 < member->steps; i++)
        at = pointer_at(at + member->offsets[i]);
    return at ? at + member->offsets[member->steps - 1] : NULL;
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
