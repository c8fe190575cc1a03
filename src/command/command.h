/* SPDX-License-Identifier: MIT */
/* What a subcommand is: const data from which the command line is parsed and help and completion are made. */
#pragma once

#include "base/gzip.h"
#include "model/host.h"
#include "view/output.h"

struct column;
struct context; /* command/context.h */

/* What a value may be, and what completion offers for it. */
enum option_value {
    ARG_NONE,
    ARG_TEXT,
    ARG_CHOICE,    /* one of choices */
    ARG_NUMBER,    /* a whole number from least to most */
    ARG_REAL,      /* any number from least to most */
    ARG_SECONDS,   /* a time in seconds that args_milliseconds() gives */
    ARG_COLUMNS,   /* comma-separated keys of the command's columns */
    ARG_RECORDING, /* a file or a directory */
    ARG_CHECK,     /* ids or topics of checks, comma-separated */
    ARG_FAMILY,    /* families of metrics, comma-separated */
    ARG_FACT,      /* keys that hosts are compared by, comma-separated */
    ARG_DEVICE,
    ARG_NETDEV,
};

struct option_def {
    const char *name; /* long; NULL in the last row */
    char letter;      /* 0: none */
    enum option_value value;
    bool value_optional; /* --watch[=SECONDS] */
    const char *arg;     /* what help calls the value: "FILE" */
    const char *choices; /* "auto|always|never"; of other kinds, a word that is taken besides; NULL: none */
    double least, most;
    uint16_t help;                /* for packed_line() */
    needs_t needs;                /* read as well when the option is given */
    bool needs_alone;             /* instead of what the command needs */
    const struct column *columns; /* listed when the option is given, instead of the command's */
    const char *shows;            /* the same as -o with this */
    bool unpaged;                 /* with it the command prints as it goes, or only one line: no pager */
};

enum command_group {
    GROUP_SHOW,
    GROUP_JUDGE,
    GROUP_TEST,
    GROUP_CHANGE,
    GROUP_OTHER,
    GROUP_SELDOM, /* from here on only 'help --all' shows them */
    GROUP_COMPAT, /* drop-ins: no option is parsed, run gets argv unchanged */
    GROUP_HIDDEN,
    COMMAND_GROUPS
};

/* What follows the options. */
enum operands {
    OPERANDS_OWN,     /* the command looks at args->operands by itself */
    OPERANDS_DEVICES, /* [DEVICE[/PORT]|NETDEV]...: main selects them in the host */
    OPERANDS_NONE,
};

struct args;
struct command {
    const char *name;
    enum command_group group;
    const char *operands_text; /* "[DEVICE[/PORT]]..." as usage shows it; NULL if none */
    enum operands operands;
    const char *summary;              /* one line for the list */
    const struct option_def *options; /* NULL if none */
    /* ends with a NULL key; if not NULL, the listing options are offered */
    const struct column *columns;
    const char *plural; /* JSON key of the list; with columns only */
    needs_t needs;      /* read before run; with columns, whatever the chosen ones need is added */
    bool no_host;       /* run gets a NULL context->host and reads what it wants by itself */
    bool no_source;     /* the same, and nothing of a machine is read at all, so --root does not matter */
    bool pages;         /* output may be long, so on a terminal it goes through a pager */
    /* Forms of the operands that completion offers, like "set DEVICE/PORT v1|v2"; ends with NULL. Capitals are
     * kinds (DEVICE, DEVICE/PORT, DEVICE[/PORT], NETDEV, CHECK, COUNTER, TERM, STATUS, COMMAND, DIR, FILE;
     * anything else is any text). If NULL, operands_text is the only form. */
    const char *const *words;
    int (*run)(struct context *context);
    /* The exit status when the command line is wrong or the machine can't be opened, for formats with statuses
     * of their own; NULL for STATUS_ERROR. */
    int (*error_status)(const struct args *args);
};

/* What a command does, in its file in cmd: COMMAND(gids) { ... } */
#define COMMAND(name)                        \
    int run_##name(struct context *context); \
    int run_##name(struct context *context)

/* Exit statuses. */
enum { STATUS_OK = 0, STATUS_FOUND = 1, STATUS_ERROR = 2 };

/* Every command, ending with NULL; made of commands.txt, as are all options. */
extern const struct command *const commands[];
/* The rest of what help says: paragraphs and examples, command by command; ends with a row without a command.
 */
extern const struct command_text {
    const char *command;
    const char *example; /* a command line, which `says` explains; NULL: a paragraph */
    uint16_t says;       /* for packed_line() */
} command_texts[];
const struct command *command_find(const char *name); /* NULL if there is none */
/* The same, but also finds the only one of roce's own whose name begins so ("dev"). */
const struct command *command_meant(const char *name);
/* What other tools' users, or intuition, say: from instead.txt; ends with a row without words. */
extern const struct instead {
    const char *words; /* one or two: "ethtool -S"; or an option: "-d" */
    /* the command that runs in their place: "counters --netdev"; of an option, the option: "--gid", or "NAME";
     * NULL: none does */
    const char *roce;
    uint16_t says; /* for packed_line(): what it shows, or where to go */
} insteads[];
/* The row whose words these begin with; NULL if there is none. */
const struct instead *instead_find(char *const *words, size_t count);
/* The command that runs in its place; NULL if none does. */
const struct command *instead_command(const struct instead *instead);

/* How people ask (intuition.c). */

/* A word that says nothing before a name: iproute2's "show", "dev"; asked: where something is asked in other
 * words than roce's own also "on", "status". */
bool word_is_filler(const char *word, bool asked);
/* A word of a question that doesn't say what it is about: "why", "is". */
bool word_is_small(const char *word);
/* Names of things have digits, dots or colons; a command's that was mistyped has none. */
bool word_is_name(const char *word);
/* Are these words, up to the first option, a line that a program printed? */
bool words_are_message(char *const *words, size_t count);
/* A question, "why is mlx5_1 slow", or two words of instead.txt, the only thing if the first one is a command:
 * the words up to the first option. Returns the row of instead.txt or the command that answers it, with the
 * names of things in names (room for count); or neither, if it isn't understood. */
struct sentence {
    const struct instead *instead;
    const struct command *command;
    const char *unknown; /* a word that wasn't understood; NULL: none */
    size_t nnames, nwords;
};
struct sentence sentence_read(char *const *words, size_t count, bool is_command, char **names);
/* Does it print a listing, at least with one of its options? */
bool command_lists(const struct command *command);
/* The options in force: the command's own first, so that it may redefine a letter. NULL: the global ones. */
struct option_list {
    const struct option_def *items[96];
    size_t count;
};
struct option_list command_options(const struct command *command);
/* The first one with that name, or NULL. */
const struct option_def *option_by_letter(const struct option_list *list, int letter);
const struct option_def *option_by_name(const struct option_list *list, const char *name); /* or "NAME=VALUE" */

/* An option in a word of a command line. */
struct option_use {
    const struct option_def *def; /* NULL: unknown */
    const char *value;            /* the rest of the word; NULL: none, but the next word may be it */
};
/* The option at *at (initially 1) in a word that begins with '-'; moves *at past it. */
struct option_use option_use(const struct option_list *list, const char *word, size_t *at);
/* The name of the command that was probably meant; NULL if none is like it. */
const char *command_nearest(const char *name);
/* The global options and the listing options, sorted as help shows them. */
extern const struct option_def global_options[];
extern const struct option_def listing_options[];

/* The parsed command line. */

struct args {
    const struct command *command;
    const char *root; /* NULL: live */
    struct look look;
    bool quiet;
    struct {
        const struct option_def *def;
        const char *value;
    } given[64];
    size_t ngiven;
    char **operands;
    size_t noperands;
    int argc; /* for drop-ins: the command's own argv */
    char **argv;
    const struct instead *instead; /* the command runs in its place; NULL: it was called by its own name */
    char instead_roce[64];         /* its words, which given points into */
    const char *guess;             /* the word that is no command, so that 'about' is asked; NULL: none */
};

/* Parses argv. Returns 0, or -EINVAL after saying what is wrong and what was probably meant. args->operands
 * points into argv. */
int args_parse(struct args *args, int argc, char **argv);

/* The columns of the listing that was asked for, or NULL if the command prints none. */
const struct column *args_columns(const struct args *args);
bool args_given(const struct args *args, const char *option);
/* The last value given, or NULL. */
const char *args_value(const struct args *args, const char *option);
/* The value of an option of that type; fallback if it isn't given. */
uint64_t args_number(const struct args *args, const char *option, uint64_t fallback);
double args_real(const struct args *args, const char *option, double fallback);
uint32_t args_milliseconds(const struct args *args, const char *option, uint32_t fallback);
/* A length of time: "90", "90s", "15m", "2h", "7d". Returns 0 or -EINVAL. */
int duration_meant(const char *text, uint64_t *ms);

/* Appends to list, empty before, the options with which the command lists something: "--gpus, --ports". Returns
 * its data. */
const char *command_listers(const struct command *command, struct bytes *list);

/* The text of --help. */

/* command: NULL for roce itself, all: with what is seldom needed. */
void usage_show(const struct look *look, const struct command *command, bool all);
