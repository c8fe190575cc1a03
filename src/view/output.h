/* SPDX-License-Identifier: MIT */
/* What the user asked of the output, whatever it shows. */
#pragma once

/* How rows are written. */
enum look_format { FORMAT_TABLE, FORMAT_CSV, FORMAT_PAIRS, FORMAT_JSON, FORMAT_JSON_LINES };

struct look {
    bool json; /* the answer is one object: -j, or --format json */
    enum look_format format;
    const char *sort, *filter; /* NULL: unsorted, and all rows */
    const char *columns;       /* from -o; NULL: the usual ones */
    bool ranked;               /* the command chose them: some may be left out to fit */
    bool beside;               /* a table next to the command's own: -o doesn't know its columns */
    bool no_header;
    int verbose; /* how often -v was given */
    bool color;
    size_t width; /* of the terminal, in columns; 0: no terminal, and nothing is cut */
};

/* Did the user choose rows, columns, order or format? Then there is one listing, without a page around it. */
static inline bool look_chooses(const struct look *look)
{
    return look->columns || look->sort || look->filter ||
           (look->format != FORMAT_TABLE && look->format != FORMAT_JSON);
}

/* Is the output for programs: every column, exact values? */
static inline bool look_is_exact(const struct look *look)
{
    return look->json || look->format != FORMAT_TABLE;
}
