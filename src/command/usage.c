/* What --help prints, made of the same data that parses. */
#include <stdio.h>
#include <string.h>

#include "command/command.h"

static const char *const group_titles[COMMAND_GROUPS] = {
    [GROUP_SHOW] = "Look",
    [GROUP_JUDGE] = "Judge",
    [GROUP_TEST] = "Test",
    [GROUP_CHANGE] = "Change",
    [GROUP_OTHER] = "Besides",
    [GROUP_COMPAT] = "Drop-in replacements, also when roce is called by their name",
};

static void print_options(const char *title, const struct option_def *options)
{
    if (!options || !options->name)
        return;
    printf("\n%s:\n", title);
    for (; options->name; options++) {
        char left[64], value[32] = "";
        if (options->value != ARG_NONE)
            snprintf(value, sizeof(value), options->value_optional ? "[=%s]" : " %s", options->arg);
        if (options->letter)
            snprintf(left, sizeof(left), "-%c, --%s%s", options->letter, options->name, value);
        else
            snprintf(left, sizeof(left), "    --%s%s", options->name, value);
        printf("  %-26s  %s%s%s%s\n", left, options->help, options->choices ? " (" : "",
               options->choices ? options->choices : "", options->choices ? ")" : "");
    }
}

static void print_examples(const char *examples)
{
    if (!examples)
        return;
    printf("\nExamples:\n");
    for (const char *line = examples; *line;) {
        size_t len = strcspn(line, "\n"), command = strcspn(line, "\t\n");
        if (command < len)
            printf("  %-34.*s  %.*s\n", (int)command, line, (int)(len - command - 1), line + command + 1);
        else
            printf("  %.*s\n", (int)len, line);
        line += len + (line[len] == '\n');
    }
}

static void print_command(const struct command *command)
{
    bool has_options = command->options || command->columns;
    printf("usage: roce %s%s%s%s\n\n%s.\n", command->name, has_options ? " [OPTION]..." : "",
           command->operands_text ? " " : "", command->operands_text ? command->operands_text : "",
           command->summary);
    if (command->description)
        printf("\n%s\n", command->description);
    print_options("Options", command->options);
    if (command->columns)
        print_options("Columns", listing_options);
    if (!command->raw_args)
        print_options("Everywhere", global_options);
    print_examples(command->examples);
}

void usage_print(const struct command *command)
{
    if (command) {
        print_command(command);
        return;
    }
    printf("usage: roce [OPTION]... [COMMAND] [OPTION]... [DEVICE[/PORT]|NETDEV]...\n\n"
           "Shows the RDMA devices of this machine, what is wrong with them, and whether data flows.\n"
           "Without a command: status.\n");
    for (enum command_group group = 0; group < GROUP_HIDDEN; group++) {
        bool titled = false;
        for (size_t i = 0; commands[i]; i++) {
            if (commands[i]->group != group)
                continue;
            if (!titled)
                printf("\n%s:\n", group_titles[group]);
            titled = true;
            printf("  %-14s  %s\n", commands[i]->name, commands[i]->summary);
        }
    }
    print_options("Everywhere", global_options);
    printf("\n'roce help COMMAND' tells more. Exit status: 0 done and healthy, 1 something was found, 2 "
           "could not run.\n");
}
