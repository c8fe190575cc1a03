/* SPDX-License-Identifier: MIT */
/* What a subcommand is: const data that parses the command line, and that help and completion are made of. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/host.h"
#include "view/output.h"

struct column;
struct context; /* command/context.h */

/* What completion offers for a value. */
enum option_value {
    ARG_NONE,
    ARG_TEXT,
    ARG_CHOICE,    /* one of choices */
    ARG_COLUMNS,   /* comma-separated keys of the command's columns */
    ARG_RECORDING, /* a file or a directory */
    ARG_CHECK,     /* ids or topics of checks, comma-separated */
    ARG_FAMILY,    /* families of metrics, comma-separated */
    ARG_FACT,      /* keys that hosts are compared by, comma-separated */
    ARG_DEVICE,
    ARG_NETDEV,
};

struct option_def {
    const char *name; /* long name */
    char letter;      /* 0: none */
    enum option_value value;
    bool value_optional; /* --watch[=SECONDS] */
    const char *arg;     /* how help calls the value: "FILE" */
    const char *choices; /* "auto|always|never" */
    const char *help;
    needs_t needs;                /* read besides, when the option is given */
    bool needs_alone;             /* in place of what the command needs */
    const struct column *columns; /* that are listed when it is given, in place of the command's */
    bool unpaged;                 /* with it the command prints as it goes, or a line: no pager */
};

enum command_group {
    GROUP_SHOW,
    GROUP_JUDGE,
    GROUP_TEST,
    GROUP_CHANGE,
    GROUP_OTHER,
    GROUP_COMPAT,
    GROUP_HIDDEN,
    COMMAND_GROUPS
};

/* What stands behind the options. */
enum operands {
    OPERANDS_NONE,
    OPERANDS_DEVICES, /* [DEVICE[/PORT]|NETDEV]...: main selects them in the host */
    OPERANDS_OWN,     /* the command looks at args->operands itself */
};

struct args;
struct command {
    const char *name;
    enum command_group group;
    const char *operands_text; /* "[DEVICE[/PORT]]..." as usage shows it; NULL: none */
    enum operands operands;
    const char *summary; /* one line for the list */
    /* for roce help NAME; paragraphs separated by blank lines; NULL: summary says it all */
    const char *description;
    const char *examples;             /* lines for roce help NAME: "command<TAB>what it does"; may be NULL */
    const struct option_def *options; /* ends with a NULL name; NULL: none */
    /* ends with a NULL key; not NULL: the listing options are offered */
    const struct column *columns;
    const char *plural; /* JSON key of the list, with columns */
    needs_t needs;      /* read before run; with columns, what the chosen ones need is added */
    bool no_host;       /* run gets context->host NULL and reads by itself what it wants */
    bool no_source;     /* no_host, and nothing of a machine is read at all: --root does not matter */
    bool pages;         /* what it prints may be long: on a terminal through a pager */
    bool raw_args;      /* drop-ins: no option is parsed, run gets argv as it is */
    /* What completion offers for operands: forms like "set DEVICE/PORT v1|v2", ends with NULL. Capitals are
     * kinds (DEVICE, DEVICE/PORT, DEVICE[/PORT], NETDEV, CHECK, COUNTER, TERM, STATUS, COMMAND, DIR, FILE;
     * others: any text). NULL: operands_text is the only form. */
    const char *const *words;
    int (*run)(struct context *context);
    /* The status when the command line is wrong or the machine can't be opened, for formats that have
     * statuses of their own; NULL: STATUS_ERROR. */
    int (*error_status)(const struct args *args);
};

/* Exit statuses. */
enum { STATUS_OK = 0, STATUS_FOUND = 1, STATUS_ERROR = 2 };

/* Every command, ends with NULL; made by the Makefile from the files of cmd/. */
extern const struct command *const commands[];
const struct command *command_find(const char *name); /* NULL: there is none */
/* The same, or the command whose name lacks its s: "gid". */
const struct command *command_meant(const char *name);
/* Does it print a listing, at least with one of its options? */
bool command_lists(const struct command *command);
/* The options in force: the command's own first, so that it may give a letter another meaning. NULL: those of
 * every command. */
struct option_list {
    const struct option_def *items[96];
    size_t count;
};
struct option_list command_options(const struct command *command);
/* The first that is called so, NULL: none. name may go on with "=VALUE". */
const struct option_def *option_by_letter(const struct option_list *list, int letter);
const struct option_def *option_by_name(const struct option_list *list, const char *name);
/* A name for text_nearest(): NULL data. */
const char *command_name_at(size_t i, const void *data);
/* The globals, the listing options, sorted as help shows them; end with a NULL name. */
extern const struct option_def global_options[];
extern const struct option_def listing_options[];

/* How a command line is understood. */

struct args {
    const struct command *command;
    const char *root; /* NULL: live */
    struct look look;
    bool quiet, help, version, list_columns;
    struct {
        const struct option_def *def;
        const char *value;
    } given[64];
    size_t ngiven;
    char words[512]; /* choices as they are written, whose values had another case */
    size_t words_len;
    char **operands;
    size_t noperands;
    int argc; /* of raw_args: the command's own argv */
    char **argv;
};

/* Understands argv. 0, or -EINVAL after saying what is wrong and what was perhaps meant. args->operands
 * points into argv. */
int args_parse(struct args *args, int argc, char **argv);

/* The columns of the listing that was asked for; NULL: the command prints none. */
const struct column *args_columns(const struct args *args);
bool args_given(const struct args *args, const char *option);
/* The last value given, or NULL. */
const char *args_value(const struct args *args, const char *option);
/* A value as a number in [least, most]; fallback when it isn't given. -EINVAL after saying what is wrong. */
int args_number(const struct args *args, const char *option, uint64_t least, uint64_t most, uint64_t fallback,
                uint64_t *value);
/* "0.5" and "10" seconds to milliseconds. -EINVAL after saying what is wrong. */
int args_milliseconds(const struct args *args, const char *option, uint32_t fallback, uint32_t *ms);

/* What --help shows. */

void usage_show(const struct look *look, const struct command *command); /* NULL: of roce itself */
