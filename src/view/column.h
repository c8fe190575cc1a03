/* SPDX-License-Identifier: MIT */
/* The columns of a listing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "model/attribute.h"
#include "view/value.h"

/* The columns of a listing: what is shown of each row, and where it comes from. */

enum column_flags {
    COLUMN_HIDDEN = 1, /* in a table only with -o or -v; always in JSON */
    COLUMN_RIGHT = 2,  /* numbers are right-aligned by their type already; this is for text */
    COLUMN_CUT = 4,    /* may be cut on a terminal */
    COLUMN_JSON_ONLY = 8,
    COLUMN_WHOLE = 16, /* never left out to fit a terminal */
};

struct column {
    /* Where the column is a fact that stands in the table of attributes, that row of it: ATTR(ID, …). All but
     * flags and rank is that of the attribute then, unless it is given here. */
    const char *key;     /* JSON key and -o name */
    const char *heading; /* NULL: the key. "rate" for rate_mbps: a person sees the unit in the value. -o takes
                            it too */
    const char *help;
    enum attribute_id attribute;
    unsigned flags;
    int rank; /* on a narrow terminal the highest rank goes first; 0 last */
    needs_t needs;
    /* Where the value comes from, as in struct attribute. */
    struct member member;
    struct value (*get)(const void *row);
    struct value (*make)(const struct cell_context *context, const void *row);
    /* Of what get or make give, in JSON; VALUE_ABSENT: text. VALUE_JSON: anything. A member has its own. */
    enum value_type type;
};

bool column_is_end(const struct column *column); /* of a list: a row of zeros */
const char *column_key(const struct column *column);
const char *column_heading(const struct column *column);
const char *column_help(const struct column *column);
needs_t column_needs(const struct column *column);
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
