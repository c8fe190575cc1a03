/* A listing: rows of typed values, shown as a table or as JSON. A value's type decides how a person and a
 * program see it. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/host.h"
#include "view/terminal.h"

enum value_type {
    VALUE_ABSENT, /* "-", null */
    VALUE_STRING,
    VALUE_UNSIGNED,
    VALUE_SIGNED,
    VALUE_BOOLEAN, /* yes or no, true or false */
    VALUE_MBPS,    /* "100 Gb/s", 100000 */
    VALUE_BYTES,   /* "1.2 GiB", exact */
    VALUE_HEX,     /* "0x001d0000", the number */
    VALUE_GUID,    /* "0c42:a103:00aa:1f09", the same text */
    VALUE_STRINGS, /* "a, b", an array */
    VALUE_JSON,    /* nested, for programs; a person sees text */
    VALUE_PERCENT, /* "12.5%", 12.5 */
    VALUE_RATE,    /* "1.2k/s", 1234.5 */
    VALUE_REAL,    /* "1.5", 1.5 */
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
    };
    size_t count; /* of texts */
    json_t *json; /* of VALUE_JSON: owned by the value */
};

/* Short ways to make values; absent for NULL or !known. */
struct value value_text(const char *text);
struct value value_num(struct num num);
struct value value_unsigned(uint64_t number);
struct value value_snum(struct snum num);
struct value value_hex(struct num num, unsigned digits);
struct value value_guid(struct num num);
struct value value_mbps(struct num num);
struct value value_bytes(struct num num);
struct value value_tristate(enum tristate tristate);
struct value value_texts(const char *const *texts, size_t count); /* none: an empty array and "-" */
struct value value_with_tone(struct value value, enum tone tone);

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
    struct value (*get)(const struct cell_context *context, const void *row);
};

struct column_set {
    const struct column *items[64];
    size_t count;
};

/* The columns of a comma-separated list of keys, in its order; list NULL: all that are not hidden (verbose:
 * hidden ones too).
 * "+key" adds to the default ones. -EINVAL after saying which isn't one, and what was perhaps meant. */
int columns_choose(struct column_set *set, const struct column *all, const char *list, bool verbose);
/* Every column: what JSON shows without -o. */
void columns_all(struct column_set *set, const struct column *all);
needs_t columns_needs(const struct column_set *set);
void columns_print_list(const struct column *all); /* --list-columns */
