/* SPDX-License-Identifier: MIT */
/* What can stand at a place of a command line. offer.c understands the line up to there. */
#pragma once

#include "command/command.h"

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

/* The command line up to the cursor, as far as it is understood. */
struct line {
    struct completion *completion;
    const struct command *command;
    const struct option_def *pending; /* the word at the cursor is this option's value */
    const struct option_def *given[64];
    size_t ngiven;
    const char **operands;
    size_t noperands;
    bool options_ended; /* "--" was there */
    const char *root;
    const char *word; /* at the cursor */
    complete_host *read_host;
    void *data;
    const struct host *host;
    bool host_read;
};

/* Offers prefix + text if that is how the word at the cursor goes on. */
void offer(struct line *line, const char *prefix, const char *text, const char *help);
/* What the option's value can be; prefix: what stands before the value in the word at the cursor: "--for=".
 */
void offer_value(struct line *line, const struct option_def *def, const char *prefix);
/* form: "set DEVICE/PORT v1|v2", "DIR", "[qp|cq] [DEVICE[/PORT]|NETDEV]...": what can come next. */
void offer_form(struct line *line, const char *form);
void offer_commands(struct line *line);
void offer_devices(struct line *line, const char *prefix, bool devices, bool ports);

/* What can stand at the cursor of a command line: made of the same const data that parses and helps. */

/* words: what follows "roce"; the last is the one at the cursor, up to the cursor, "" when it is yet to come.
 */
void complete(struct completion *completion, char *const *words, size_t count, complete_host *host,
              void *data);
