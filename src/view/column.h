/* SPDX-License-Identifier: MIT */
/* The columns of a listing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "model/host.h"
#include "view/value.h"

/* Where in a row a value lies: a column that names a member needs no code. The compiler takes offset and type
 * from the member itself, and refuses one that can't be shown. */

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
        MEMBER_REAL, /* double, a measurement: 0 is none */
        MEMBER_RATE, /* struct rate */
    } type;
    enum value_type as; /* of a number */
    unsigned char digits, size, steps;
    /* what lies at all but the last is a pointer to the next; NULL: no value */
    unsigned short offsets[MEMBER_STEPS];
};

enum value_type member_value_type(const struct member *member);
struct value member_value(const struct member *member, const void *row);

/* Initialisers of struct column.member. row is a type, then comes the member's name, or the way to it through
 * pointers: MEMBER(struct port_row, port, device, name) is row->port->device->name. */
#define MEMBER(row, ...) \
    MEMBER_OF(MEMBER_TYPE(MEMBER_AT(row, __VA_ARGS__)), VALUE_UNSIGNED, 0, row, __VA_ARGS__)
/* A number (struct num, or an unsigned integer: C takes an enum for one, too) and the type it is shown as. */
#define MEMBER_AS(value_type, row, ...) \
    MEMBER_OF(MEMBER_NUMBER(MEMBER_AT(row, __VA_ARGS__)), value_type, 0, row, __VA_ARGS__)
#define MEMBER_HEX(digits, row, ...) \
    MEMBER_OF(MEMBER_NUMBER(MEMBER_AT(row, __VA_ARGS__)), VALUE_HEX, digits, row, __VA_ARGS__)
#define MEMBER_YES_NO(row, ...)                                   \
    MEMBER_OF(_Generic(MEMBER_AT(row, __VA_ARGS__), enum tristate \
                       : MEMBER_TRISTATE),                        \
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
#define MEMBER_AT(row, ...) \
    MEMBER_PICK(__VA_ARGS__, MEMBER_AT_3, MEMBER_AT_2, MEMBER_AT_1, 0)(row, __VA_ARGS__)
#define MEMBER_PICK(a, b, c, picked, ...) picked
#define MEMBER_AT_1(row, a) (((row *)0)->a)
#define MEMBER_AT_2(row, a, b) (((row *)0)->a->b)
#define MEMBER_AT_3(row, a, b, c) (((row *)0)->a->b->c)
#define MEMBER_OFFSETS_1(row, a) offsetof(row, a)
#define MEMBER_OFFSETS_2(row, a, b) offsetof(row, a), offsetof(__typeof__(*MEMBER_AT_1(row, a)), b)
#define MEMBER_OFFSETS_3(row, a, b, c) \
    MEMBER_OFFSETS_2(row, a, b), offsetof(__typeof__(*MEMBER_AT_2(row, a, b)), c)

/* The columns of a listing: what is shown of each row, and where it comes from. */

/* Where a getter may put text that it makes: lives until the row has been shown. */
struct cell_context {
    const struct host *host;
    struct arena *arena;
    bool for_people; /* a table is being made, not JSON */
};

enum column_flags {
    COLUMN_HIDDEN = 1, /* in a table only with -o or -v; always in JSON */
    COLUMN_RIGHT = 2,  /* numbers are right-aligned by their type already; this is for text */
    COLUMN_CUT = 4,    /* may be cut on a terminal */
    COLUMN_JSON_ONLY = 8,
    COLUMN_WHOLE = 16, /* never left out to fit a terminal */
};

struct column {
    const char *key;     /* JSON key and -o name; NULL ends a list */
    const char *heading; /* NULL: the key. "rate" for rate_mbps: a person sees the unit in the value. -o takes
                            it too */
    const char *help;
    unsigned flags;
    int rank; /* on a narrow terminal the highest rank goes first; 0 last */
    needs_t needs;
    /* Where the value comes from, one of three: it lies in the row (MEMBER, …), it is computed from the row,
     * or it takes the host or a place for text besides. */
    struct member member;
    struct value (*get)(const void *row);
    struct value (*make)(const struct cell_context *context, const void *row);
    /* Of what get or make give, in JSON; VALUE_ABSENT: text. VALUE_JSON: anything. A member has its own. */
    enum value_type type;
};

/* A share in percent: absent for 0, and for people with its sign. */
struct value value_share(const struct cell_context *context, double percent);
struct value column_value(const struct column *column, const struct cell_context *context, const void *row);

/* What all its values are, but for those that are absent. */
enum value_type column_type(const struct column *column);
/* The column of that key or heading, in any case; NULL: there is none. */
const struct column *columns_find(const struct column *all, const char *name);
/* Says that name is no column, and what was perhaps meant; where: what the message begins with. -EINVAL. */
int columns_say_unknown(const struct column *all, const char *where, const char *name);

struct column_set {
    const struct column *items[64];
    size_t count;
};

/* The columns of a comma-separated list of keys, in its order; list NULL: all that are not hidden (verbose:
 * hidden ones too).
 * "+key" adds to the default ones, "all" is every one. -EINVAL after saying which isn't one, and what was
 * perhaps meant. */
int columns_choose(struct column_set *set, const struct column *all, const char *list, bool verbose);
/* Every column: what JSON shows without -o. */
void columns_all(struct column_set *set, const struct column *all);
needs_t columns_needs(const struct column_set *set);
void columns_print_list(const struct column *all,
                        size_t width); /* --list-columns, on a terminal of width columns */
