/* SPDX-License-Identifier: MIT */
/* What can stand at the cursor of a command line: made of the same const data that parses and helps. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct host;

struct candidate {
    /* the whole word that would stand at the cursor; only bytes that no shell treats specially */
    const char *text;
    const char *help; /* one line; NULL: it speaks for itself */
};

struct completion {
    struct arena *arena; /* given by the caller, holds the rest */
    struct candidate *candidates;
    size_t count;
    bool files;       /* names of files and directories too: the shell knows those best */
    bool directories; /* of directories only */
    bool no_space;    /* more may follow in the same word */
};

/* The machine whose names are offered: asked for at most once, and only when names are needed. root: the
 * value of --root in the words, or NULL. NULL when there is none; the host is freed by whom gave it. */
typedef const struct host *complete_host(void *data, const char *root);

/* words: what follows "roce"; the last is the one at the cursor, up to there, "" when it is yet to come. */
void complete(struct completion *completion, char *const *words, size_t count, complete_host *host, void *data);
