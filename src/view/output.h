/* SPDX-License-Identifier: MIT */
/* What the user asked of the output, whatever is shown. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* How rows are written. */
enum look_format { FORMAT_TABLE, FORMAT_CSV, FORMAT_PAIRS, FORMAT_JSON, FORMAT_JSON_LINES };

struct look {
    bool json; /* one object answers: -j, or --format json */
    enum look_format format;
    const char *sort, *filter; /* NULL: as they come, and all */
    const char *columns;       /* of -o; NULL: the usual ones */
    bool ranked;               /* they are the command's choice: some may be left out to fit */
    bool beside;               /* it is a table beside the command's own, whose columns -o doesn't know */
    bool no_header;
    int verbose; /* how often -v was given */
    bool color;
    size_t width; /* of the terminal, in columns; 0: there is none, and nothing is cut */
};

/* Did the user say what of the rows he wants, and how? Then there is one listing, and no page around it. */
static inline bool look_chooses(const struct look *look)
{
    return look->columns || look->sort || look->filter ||
           (look->format != FORMAT_TABLE && look->format != FORMAT_JSON);
}

/* Is it written for programs: every column, exact values? */
static inline bool look_is_exact(const struct look *look)
{
    return look->json || look->format != FORMAT_TABLE;
}
