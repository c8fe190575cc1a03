/* SPDX-License-Identifier: MIT */
/* The columns of a listing. */
#pragma once

#include "model/attribute.h"
#include "tables.h" /* made of columns.txt: a macro for each listing, its name in capitals */
#include "view/value.h"

/* What is shown of each row, and where it comes from. */

enum column_flags {
    COLUMN_HIDDEN = 1, /* in a table only with -o or -v; always in JSON */
    COLUMN_RIGHT = 2,  /* for text: numbers are right-aligned anyway, by their type */
    COLUMN_CUT = 4,    /* may be cut on a terminal */
    COLUMN_JSON_ONLY = 8,
    COLUMN_WHOLE = 16,    /* never left out to fit a terminal */
    COLUMN_IF_KNOWN = 32, /* in a table that nobody chose columns for only if a row has a value */
};

struct column {
    /* If the column is a fact in the table of attributes, its row there: ATTR(ID, …). Everything but flags and
     * rank is then the attribute's, unless given here. */
    const char *key;     /* JSON key and -o name */
    const char *heading; /* NULL: the key. "rate" for rate_mbps, as people see the unit in the value. -o takes
                            it too */
    uint16_t help;       /* for packed_line() */
    enum attribute_id attribute;
    unsigned flags;
    int rank; /* on a narrow terminal the highest rank is dropped first, 0 last */
    needs_t needs;
    /* Where the value comes from, as in struct attribute. */
    struct member member;
    struct value (*get)(const void *row);
    struct value (*make)(const struct cell_context *context, const void *row);
    /* The JSON type of what get or make return; VALUE_ABSENT: text, VALUE_JSON: anything. A member has its own.
     */
    enum value_type type;
};

bool column_is_end(const struct column *column); /* the end of a list: a row of zeros */
const char *column_key(const struct column *column);
const char *column_heading(const struct column *column);
const char *column_help(const struct column *column);
needs_t column_needs(const struct column *column);
/* A share in percent: absent for 0, and shown to people with a percent sign. */
struct value value_share(const struct cell_context *context, double percent);
struct value column_value(const struct column *column, const struct cell_context *context, const void *row);

/* The type of all its values, except absent ones. */
enum value_type column_type(const struct column *column);
/* The column with that key or heading, ignoring case; NULL if there is none. */
const struct column *columns_find(const struct column *all, const char *name);
/* Reports that name isn't a column, and what was perhaps meant; where begins the message. Returns -EINVAL. */
int columns_say_unknown(const struct column *all, const char *where, const char *name);

struct column_set {
    const struct column *items[64];
    size_t count;
};

/* The columns in a comma-separated list of keys, in its order; list NULL: all that are not hidden (verbose:
 * hidden ones too). "+key" adds to these, "-key" leaves one out, "all" means every one. Returns -EINVAL after
 * reporting which isn't a column, and what was perhaps meant. */
int columns_choose(struct column_set *set, const struct column *all, const char *list, bool verbose);
/* Adds every column, as JSON shows without -o. */
void columns_all(struct column_set *set, const struct column *all);
void columns_print_list(const struct column *all,
                        size_t width); /* --list-columns, on a terminal of width columns */
