/* What a subcommand is, how its command line is understood, and the data that help and completion are made
 * of. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/host.h"

struct source;
struct column;

/* What completion offers for a value. */
enum option_value {
    ARG_NONE,
    ARG_TEXT,
    ARG_CHOICE,  /* one of choices */
    ARG_COLUMNS, /* comma-separated keys of the command's columns */
    ARG_DIRECTORY,
    ARG_CHECK, /* ids or topics of checks, comma-separated */
    ARG_DEVICE,
    ARG_NETDEV,
};

struct option_def {
    const char *name; /* long name */
    char letter;      /* 0: none */
    enum option_value value;
    bool value_optional; /* --watch[=SECONDS] */
    const char *arg;     /* how help calls the value: "DIR" */
    const char *choices; /* "auto|always|never" */
    const char *help;
    needs_t needs; /* read besides, when the option is given */
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
struct context;

struct command {
    const char *name;
    enum command_group group;
    const char *operands_text; /* "[DEVICE[/PORT]]..." as usage shows it; NULL: none */
    enum operands operands;
    const char *summary; /* one line for the list */
    const char
        *description; /* for roce help NAME; paragraphs separated by blank lines; NULL: summary says it all */
    const char *examples;             /* lines for roce help NAME: "command<TAB>what it does"; may be NULL */
    const struct option_def *options; /* ends with a NULL name; NULL: none */
    const struct column
        *columns;       /* ends with a NULL key; not NULL: -o, --no-header and --list-columns are offered */
    const char *plural; /* JSON key of the list, with columns */
    needs_t needs;      /* read before run; with columns, what the chosen ones need is added */
    bool no_host;       /* run gets context->host NULL and reads by itself what it wants */
    bool no_source;     /* no_host, and nothing of a machine is read at all: --root does not matter */
    bool raw_args;      /* drop-ins: no option is parsed, run gets argv as it is */
    /* What completion offers for operands: forms like "set DEVICE/PORT v1|v2", ends with NULL. Capitals are
     * kinds (DEVICE, DEVICE/PORT, DEVICE[/PORT], NETDEV, CHECK, COUNTER, TERM, COMMAND, DIR; others: any
     * text). NULL: operands_text is the only form. */
    const char *const *words;
    int (*run)(struct context *context);
};

enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct args {
    const struct command *command;
    const char *root; /* NULL: live */
    bool json, quiet, help, version;
    int verbose;
    enum color_mode color;
    const char *columns; /* of -o */
    bool no_header, list_columns;
    struct {
        const struct option_def *def;
        const char *value;
    } given[64];
    size_t ngiven;
    char **operands;
    size_t noperands;
    int argc; /* of raw_args: the command's own argv */
    char **argv;
};

bool args_given(const struct args *args, const char *option);
/* The last value given, or NULL. */
const char *args_value(const struct args *args, const char *option);
/* A value as a number in [least, most]; fallback when it isn't given. -EINVAL after saying what is wrong. */
int args_number(const struct args *args, const char *option, uint64_t least, uint64_t most, uint64_t fallback,
                uint64_t *value);

struct selection {
    const struct port **ports; /* NULL: all */
    size_t nports;
};

struct context {
    const struct args *args;
    struct source *source; /* NULL for commands that need no machine */
    struct host *host;
    struct selection selection;
};

/* Is the port (of the device) among those that the command line named? With none named all are. */
bool context_selects_port(const struct context *context, const struct port *port);
bool context_selects_device(const struct context *context, const struct device *device);

/* Exit statuses. */
enum { STATUS_OK = 0, STATUS_FOUND = 1, STATUS_ERROR = 2 };

/* Every command, ends with NULL; made by the Makefile from the files of cmd/. */
extern const struct command *const commands[];
const struct command *command_find(const char *name);
/* The globals, the listing options, sorted as help shows them; end with a NULL name. */
extern const struct option_def global_options[];
extern const struct option_def listing_options[];

/* Understands argv. 0, or -EINVAL after saying what is wrong and what was perhaps meant. args->operands
 * points into argv. */
int args_parse(struct args *args, int argc, char **argv);
void usage_print(const struct command *command); /* NULL: of roce itself */

/* Finds what operands name: DEVICE, DEVICE/PORT, or a netdev. -ENODEV after saying which isn't there and what
 * was perhaps meant. */
int selection_make(struct selection *selection, const struct host *host, char **operands, size_t count);
