/* SPDX-License-Identifier: MIT */
#include "command/command.h"

#include <string.h>

const struct option_def global_options[] = {
    { "root", 'r', ARG_RECORDING, .arg = "FILE",
      .help = "read a recording (a file, '-', or a directory) instead of this machine (also $ROCE_ROOT)" },
    { "json", 'j', .help = "print JSON" },
    { "color", .value = ARG_CHOICE, .arg = "WHEN", .choices = "auto|always|never",
      .help = "colour the output (auto: on a terminal, unless $NO_COLOR)" },
    { "ascii", .help = "draw with ASCII characters only (the default where the locale isn't UTF-8)" },
    { "no-pager", .help = "don't page: long output on a terminal goes through $ROCE_PAGER, $PAGER or less" },
    { "quiet", 'q', .help = "no warnings and notes" },
    { "verbose", 'v', .help = "show more" },
    { "help", 'h', .help = "show how the command is used" },
    { "version", 'V', .help = "show the version" },
    { 0 },
};

const struct option_def listing_options[] = {
    { "columns", 'o', ARG_COLUMNS, .arg = "COLUMNS",
      .help = "show these columns, comma-separated, or 'all'; +NAME adds to the usual ones" },
    { "sort", .value = ARG_COLUMNS, .arg = "[-]COLUMN",
      .help = "sort by these columns, comma-separated; -COLUMN sorts descending" },
    { "filter", .value = ARG_TEXT, .arg = "EXPR",
      .help = "only rows that match: 'state!=ACTIVE', 'rate<400 and netdev~^rail'" },
    { "format", .value = ARG_CHOICE, .arg = "FORMAT", .choices = "table|csv|pairs|json|jsonl",
      .help = "how rows are written; pairs: KEY=\"value\" for a shell, jsonl: one JSON object per line" },
    { "no-header", .help = "print no headings" },
    { "list-columns", .help = "list the columns and what they mean" },
    { 0 },
};

const char *command_name_at(size_t i, const void *data)
{
    (void)data;
    return commands[i]->name;
}

const struct command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

const struct command *command_meant(const char *name)
{
    const struct command *command = command_find(name);
    for (size_t i = 0; commands[i] && !command; i++) {
        size_t len = strlen(commands[i]->name);
        if (commands[i]->name[len - 1] == 's' && strlen(name) + 1 == len &&
            strncmp(commands[i]->name, name, len - 1) == 0)
            command = commands[i];
    }
    return command;
}

bool command_lists(const struct command *command)
{
    bool lists = command->columns != NULL;
    for (const struct option_def *def = command->options; def && def->name && !lists; def++)
        lists = def->columns != NULL;
    return lists;
}
