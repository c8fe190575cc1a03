/* SPDX-License-Identifier: MIT */
/* Many hosts in text: their names in few words, and what each of them printed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

/* Names of many hosts in few words, as ClusterShell writes them (nodeset -f): h[0-4,6-7]. clush -w and, of
 * names with one number, srun -w take them. Pure. */

/* A new text, which the caller frees; the order of names doesn't matter, one that is there twice counts once.
 * Of names with several numbers that vary, ranges are made as nodeset makes them as long as these form
 * blocks: a[1-2]b[1-4]; else it says the same hosts, perhaps in other pieces. */
char *nodeset_fold(const char *const *names, size_t count);

/* A stream of JSON objects in pieces as they come, cut into one after the other: one a line, indented, or each
 * behind the name of the host and a colon, as clush and srun -l write it. A damaged one costs itself alone.
 * Pure. */

enum { SPLIT_NAME = 256 };

struct split {
    /* One object; line: where it begins, name: what stood before it, "" for nothing. */
    void (*object)(void *data, const char *text, size_t len, unsigned line, const char *name);
    /* What is none. */
    void (*fault)(void *data, unsigned line, const char *what);
    void *data;
    size_t most; /* bytes of one object */

    struct bytes text; /* of the object that is open; split_end() frees it */
    unsigned line, first, depth;
    bool string, escaped, skipping;
    char name[SPLIT_NAME];
    size_t name_len;
};

void split_feed(struct split *split, const char *text, size_t len);
void split_end(struct split *split);
