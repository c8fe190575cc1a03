/* SPDX-License-Identifier: MIT */
/* The "errors" file of a recording: what a plain file can't say. One line a path: PATH<TAB>ERRNO-NAME;
 * [4-255] in the last component is a range of numbers. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct error_line {
    char *dir;                 /* up to the last slash, "" at the top */
    char *name;                /* last component, or what stands before [ */
    char *tail;                /* what stands behind ] */
    unsigned long first, last; /* of a range */
    int is_range;
    int err;      /* positive errno */
    size_t order; /* in the file: of two lines about a path the first counts */
};

struct error_table {
    struct error_line *lines;
    size_t count;
};

/* Lines that make no sense are skipped; *bad counts them. The caller frees with error_table_free. */
struct error_table error_table_parse(const char *text, size_t len, size_t *bad);
void error_table_free(struct error_table *table);
/* The errno for a path, 0 when the table doesn't know it. */
int error_table_find(const struct error_table *table, const char *path);
/* Does the table know any path whose last component is name? */
bool error_table_has_name(const struct error_table *table, const char *name);
/* "EINVAL" to EINVAL, 0 when there is no such name. */
int errno_from_name(const char *name);
