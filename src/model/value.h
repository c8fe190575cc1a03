/* SPDX-License-Identifier: MIT */
/* A typed value: its type decides how people and programs see it. */
#pragma once

#include "model/num.h"

struct arena;
struct json_t; /* jansson's */

enum tone { TONE_PLAIN, TONE_GOOD, TONE_WARN, TONE_BAD, TONE_DIM, TONE_BOLD };

enum value_type {
    VALUE_ABSENT, /* not known: "-", null */
    VALUE_NONE,   /* looked for, and there is none: "-", null */
    VALUE_STRING,
    VALUE_UNSIGNED,
    VALUE_SIGNED,
    VALUE_BOOLEAN, /* yes or no, true or false */
    VALUE_MBPS,    /* "100 Gb/s", 100000 */
    VALUE_BYTES,   /* "1.2 GiB", exact */
    VALUE_HEX,     /* "0x001d0000", the number */
    VALUE_GUID,    /* "0c42:a103:00aa:1f09", the same text */
    VALUE_STRINGS, /* "a, b", an array */
    VALUE_NUMBERS, /* "0, 3", an array */
    VALUE_JSON,    /* nested, for programs; people see text */
    VALUE_RATE,    /* "1.2k/s", 1234.5 */
    VALUE_REAL,    /* "1.50", "15.0" or "150", exact */
};

struct value {
    enum value_type type;
    enum tone tone;
    unsigned digits; /* of VALUE_HEX */
    union {
        const char *text;
        uint64_t number;
        int64_t integer;
        double real;
        const char *const *texts;
        const uint64_t *numbers;
    };
    size_t count;        /* of texts or numbers */
    struct json_t *json; /* of VALUE_JSON: owned by the value */
};

#define NO_VALUE ((struct value){ .type = VALUE_ABSENT })
#define NO_SUCH_VALUE ((struct value){ .type = VALUE_NONE })

/* Shorthands to make values; absent for NULL or !known. */
struct value value_text(const char *text);
struct value value_num(struct num num);
struct value value_num_as(enum value_type type, struct num num); /* for the unsigned number types */
struct value value_unsigned(uint64_t number);
struct value value_snum(struct snum num);
struct value value_hex(struct num num, unsigned digits);
struct value value_real(double measured); /* absent for 0 */
struct value value_rate(struct rate rate);
struct value value_tristate(enum tristate tristate);
struct value value_texts(const char *const *texts, size_t count); /* none: an empty array and "-" */
struct value value_numbers(const uint64_t *numbers, size_t count);
struct value value_with_tone(struct value value, enum tone tone);
/* Neither absent nor none? */
bool value_is_known(const struct value *value);
bool value_type_is_list(enum value_type type);
/* The items of a known value (one, except for lists) as clean text in arena: numbers in decimal, booleans as
 * yes and no. Two values are equal if these are. */
const char **value_items(const struct value *value, struct arena *arena, size_t *count);

/* Where in an object a value is stored: an attribute that names a member needs no code. The compiler derives
 * offset and type from the member itself, and rejects one that can't be shown. */

enum { MEMBER_STEPS = 3 };

struct member {
    enum {
        MEMBER_NONE,
        MEMBER_TEXT,    /* const char * */
        MEMBER_CHARS,   /* char [] */
        MEMBER_NUM,     /* struct num */
        MEMBER_NUM32,   /* struct num32 */
        MEMBER_SNUM,    /* struct snum */
        MEMBER_INTEGER, /* unsigned, of size bytes */
        MEMBER_TRISTATE,
        MEMBER_REAL,   /* double, a measurement: 0 is none */
        MEMBER_RATE,   /* struct rate */
        MEMBER_OBJECT, /* a pointer to a structure, not a value */
    } type;
    enum value_type as; /* for a number */
    unsigned char digits, size, steps;
    /* all but the last lead to a pointer to the next object; NULL: no value */
    unsigned short offsets[MEMBER_STEPS];
};

enum value_type member_value_type(const struct member *member);
struct value member_value(const struct member *member, const void *row);
const void *member_object(const struct member *member, const void *row); /* for MEMBER_OBJECT; NULL: none */

/* Initialisers of struct attribute.member. row is a type, followed by the member's name, or the path to it
 * through pointers: MEMBER(struct port_row, port, device, name) is row->port->device->name. */
#define MEMBER(row, ...) \
    MEMBER_OF(MEMBER_TYPE(MEMBER_AT(row, __VA_ARGS__)), VALUE_UNSIGNED, 0, row, __VA_ARGS__)
/* A number (struct num or an unsigned integer, which in C includes enums) and the type it is shown as. */
#define MEMBER_AS(value_type, row, ...) \
    MEMBER_OF(MEMBER_NUMBER(MEMBER_AT(row, __VA_ARGS__)), value_type, 0, row, __VA_ARGS__)
#define MEMBER_HEX(digits, row, ...) \
    MEMBER_OF(MEMBER_NUMBER(MEMBER_AT(row, __VA_ARGS__)), VALUE_HEX, digits, row, __VA_ARGS__)
#define MEMBER_YES_NO(row, ...)                                   \
    MEMBER_OF(_Generic(MEMBER_AT(row, __VA_ARGS__), enum tristate \
                       : MEMBER_TRISTATE, bool                    \
                       : MEMBER_INTEGER),                         \
              VALUE_BOOLEAN, 0, row, __VA_ARGS__)

#define MEMBER_TYPE(lvalue) \
    _Generic(&(lvalue),                         \
        const char **: MEMBER_TEXT,             \
        const char *const *: MEMBER_TEXT,       \
        char(*)[sizeof(lvalue)]: MEMBER_CHARS,       \
        const char(*)[sizeof(lvalue)]: MEMBER_CHARS, \
        struct num *: MEMBER_NUM,               \
        const struct num *: MEMBER_NUM,         \
        struct num32 *: MEMBER_NUM32,           \
        const struct num32 *: MEMBER_NUM32,     \
        struct snum *: MEMBER_SNUM,             \
        const struct snum *: MEMBER_SNUM, struct rate *: MEMBER_RATE,  \
        const struct rate *: MEMBER_RATE, double *: MEMBER_REAL, const double *: MEMBER_REAL)
#define MEMBER_NUMBER(lvalue)                     \
    _Generic((lvalue), struct num                 \
             : MEMBER_NUM, struct num32           \
             : MEMBER_NUM32, unsigned char        \
             : MEMBER_INTEGER, unsigned short     \
             : MEMBER_INTEGER, unsigned           \
             : MEMBER_INTEGER, unsigned long      \
             : MEMBER_INTEGER, unsigned long long \
             : MEMBER_INTEGER)
#define MEMBER_OF(member_type, value_type, hex_digits, row, ...)                                            \
    .member = { .type = member_type,                                                                        \
                .as = value_type,                                                                           \
                .digits = hex_digits,                                                                       \
                .size = (unsigned char)sizeof(MEMBER_AT(row, __VA_ARGS__)),                                 \
                .steps = MEMBER_PICK(__VA_ARGS__, 3, 2, 1, 0),                                              \
                .offsets = { MEMBER_PICK(__VA_ARGS__, MEMBER_OFFSETS_3, MEMBER_OFFSETS_2, MEMBER_OFFSETS_1, \
                                         0)(row, __VA_ARGS__) } }
#define MEMBER_AT(row, ...) MEMBER_PICK(__VA_ARGS__, MEMBER_AT_3, MEMBER_AT_2, MEMBER_AT_1, 0)(row, __VA_ARGS__)
#define MEMBER_PICK(a, b, c, picked, ...) picked
#define MEMBER_AT_1(row, a) (((row *)0)->a)
#define MEMBER_AT_2(row, a, b) (((row *)0)->a->b)
#define MEMBER_AT_3(row, a, b, c) (((row *)0)->a->b->c)
#define MEMBER_OFFSETS_1(row, a) offsetof(row, a)
#define MEMBER_OFFSETS_2(row, a, b) offsetof(row, a), offsetof(__typeof__(*MEMBER_AT_1(row, a)), b)
#define MEMBER_OFFSETS_3(row, a, b, c) \
    MEMBER_OFFSETS_2(row, a, b), offsetof(__typeof__(*MEMBER_AT_2(row, a, b)), c)
