/* SPDX-License-Identifier: MIT */
/* What completion can offer at the cursor, from the same const data that parses a command line and helps. */
#pragma once

struct host;

struct candidate {
    /* the whole word to insert at the cursor; only bytes that no shell treats specially */
    const char *text;
    const char *help; /* one line; NULL if it needs no explanation */
};

struct completion {
    struct arena *arena; /* the caller's; holds the rest */
    struct candidate *candidates;
    size_t count;
    bool files;       /* names of files and directories too: those are left to the shell */
    bool directories; /* directories only */
    bool no_space;    /* more may follow in the same word */
};

/* The machine whose names are offered: asked for at most once, and only when names are needed. root: the value
 * of --root in the words, or NULL. Returns NULL if there is none; whoever supplied the host frees it. */
typedef const struct host *complete_host(void *data, const char *root);

/* words: what follows "roce"; the last is the one at the cursor, cut off there, "" if not yet begun. */
void complete(struct completion *completion, char *const *words, size_t count, complete_host *host, void *data);
