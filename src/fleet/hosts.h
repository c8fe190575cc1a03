/* SPDX-License-Identifier: MIT */
/* Many hosts as text: their names folded, and what each of them printed. */
#pragma once

/* Folded names of many hosts, as ClusterShell writes them (nodeset -f): h[0-4,6-7]. Accepted by clush -w and,
 * for names with one number, srun -w. Pure. */

/* Returns a new text, which the caller frees; order and duplicates don't matter. Names with several varying
 * numbers are folded into the ranges of nodeset as long as these form blocks: a[1-2]b[1-4]; otherwise the hosts
 * are the same, but the ranges may differ. */
char *nodeset_fold(const char *const *names, size_t count);

/* Splits a stream of JSON objects, arriving in pieces, into single objects: one per line, indented, or each
 * prefixed by the host's name and a colon, as clush and srun -l write it. A damaged object affects only itself.
 * Pure. */

enum { SPLIT_NAME = 256 };

struct split {
    /* One object; line: where it begins; name: what preceded it, or "". */
    void (*object)(void *data, const char *text, size_t len, unsigned line, const char *name);
    /* Something that isn't an object. */
    void (*fault)(void *data, unsigned line, const char *what);
    void *data;
    size_t most; /* per object */

    struct bytes text; /* of the unfinished object; split_end() frees it */
    unsigned line, first, depth;
    bool string, escaped, skipping;
    char name[SPLIT_NAME];
    size_t name_len;
};

void split_feed(struct split *split, const char *text, size_t len);
void split_end(struct split *split);
