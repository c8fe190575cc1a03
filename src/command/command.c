/* SPDX-License-Identifier: MIT */
/* Finds a command by name, reads its machine, and runs it. */
#include "command/command.h"

#include "tables.h"
#include "view/page.h"

/* The commands, then what people call them. */
static const char *word_at(size_t i, const void *data)
{
    const size_t *count = data;
    return i < *count ? commands[i]->name : insteads[i - *count].words;
}

const char *command_nearest(const char *name)
{
    size_t count = 0, words = 0;
    while (commands[count])
        count++;
    while (strlen(name) > 4 && insteads[words].words) /* shorter ones are like too many */
        words++;
    return text_nearest(name, count + words, word_at, &count);
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
    const struct command *command = command_find(name), *begins = NULL;
    size_t count = 0;
    for (size_t i = 0; commands[i] && *name; i++)
        if (commands[i]->group < GROUP_COMPAT && text_starts(commands[i]->name, name)) {
            begins = commands[i];
            count++;
        }
    return command || count != 1 ? command : begins;
}

const struct instead *instead_find(char *const *words, size_t count)
{
    for (const struct instead *row = insteads; row->words && count; row++) {
        size_t first = strcspn(row->words, " ");
        bool two = row->words[first];
        if (strlen(words[0]) == first && text_starts(row->words, words[0]) &&
            (!two || (count > 1 && strcmp(row->words + first + 1, words[1]) == 0)))
            return row;
    }
    return NULL;
}

const struct command *instead_command(const struct instead *instead)
{
    size_t len = instead->roce ? strcspn(instead->roce, " ") : 0;
    for (size_t i = 0; commands[i]; i++)
        if (len && strlen(commands[i]->name) == len && text_starts(instead->roce, commands[i]->name))
            return commands[i];
    return NULL;
}

bool command_lists(const struct command *command)
{
    bool lists = command->columns != NULL;
    for (const struct option_def *def = command->options; def && def->name && !lists; def++)
        lists = def->columns != NULL;
    return lists;
}

/* Help is made from the data that also drives parsing. */

enum { OPTION_WIDTH = 26, EXAMPLE_WIDTH = 34, COMMAND_WIDTH = 14 };

static const char *const group_titles[COMMAND_GROUPS] = { GROUP_HEADINGS };

/* A page being written; its parts live until it has been printed. */
struct usage {
    size_t width;
    struct arena *arena;
    struct page_item *items;
    size_t count;
};

static void add(struct usage *usage, const char *label, const char *text)
{
    *ARENA_PUSH(usage->arena, usage->items, usage->count) = (struct page_item){ label, text };
}

static void show_list(struct usage *usage, const char *title, size_t label_width)
{
    if (usage->count)
        page_list(title, usage->items, usage->count, label_width, usage->width);
    usage->items = NULL;
    usage->count = 0;
}

/* all: also those without a letter, which are seldom needed where every command has them. */
static void show_options(struct usage *usage, const char *title, const struct option_def *options, bool all)
{
    for (; options && options->name; options++) {
        if (!all && !options->letter)
            continue;
        const char *value = options->value == ARG_NONE ? ""
                            : options->value_optional  ? arena_printf(usage->arena, "[=%s]", options->arg)
                                                       : arena_printf(usage->arena, " %s", options->arg);
        const char *letter = options->letter ? arena_printf(usage->arena, "-%c,", options->letter) : "   ";
        const char *help = packed_line(options->help);
        if (options->value == ARG_CHOICE)
            help = arena_printf(usage->arena, "%s (%s)", help, options->choices);
        add(usage, arena_printf(usage->arena, "%s --%s%s", letter, options->name, value), help);
    }
    show_list(usage, title, OPTION_WIDTH);
}

const char *command_listers(const struct command *command, struct bytes *list)
{
    bytes_append(list, "", 0);
    for (const struct option_def *def = command->options; def && def->name; def++)
        if (def->columns)
            bytes_printf(list, "%s--%s", list->len ? ", " : "", def->name);
    return list->data;
}

/* With which options it lists, unless it always does. */
static const char *listing_title(struct usage *usage, const struct command *command)
{
    struct bytes list = { 0 };
    const char *listers = command->columns ? "" : command_listers(command, &list);
    const char *title = *listers ? arena_printf(usage->arena, "Columns, with %s", listers) : "Columns";
    bytes_free(&list);
    return title;
}

static void show_command(struct usage *usage, const struct command *command)
{
    bool has_options = command->options || command_lists(command);
    const char *operands = command->operands_text;
    page_text(arena_printf(usage->arena, "usage: roce %s%s%s%s", command->name,
                           has_options ? " [OPTION]..." : "", operands ? " " : "", operands ? operands : ""),
              usage->width);
    page_text(arena_printf(usage->arena, "\n%c%s.", toupper((unsigned char)command->summary[0]),
                           command->summary + 1),
              usage->width);
    for (const struct command_text *text = command_texts; text->command; text++)
        if (!text->example && strcmp(text->command, command->name) == 0)
            page_text(arena_printf(usage->arena, "\n%s", packed_line(text->says)), usage->width);
    show_options(usage, "Options", command->options, true);
    if (command_lists(command))
        show_options(usage, listing_title(usage, command), listing_options, true);
    if (command->group != GROUP_COMPAT)
        show_options(usage, "Everywhere", global_options, true);
    for (const struct command_text *text = command_texts; text->command; text++)
        if (text->example && strcmp(text->command, command->name) == 0)
            add(usage, text->example, packed_line(text->says));
    show_list(usage, "Examples", EXAMPLE_WIDTH);
}

static void show_commands(struct usage *usage, bool all)
{
    page_text("usage: roce [OPTION]... [COMMAND] [OPTION]... [DEVICE[/PORT]|NETDEV]...", usage->width);
    page_text("\nShows the RDMA devices of this machine, what is wrong with them, and whether data flows. "
              "Without a command: status.",
              usage->width);
    for (enum command_group group = 0; group < (all ? GROUP_HIDDEN : GROUP_SELDOM); group++) {
        for (size_t i = 0; commands[i]; i++)
            if (commands[i]->group == group)
                add(usage, commands[i]->name, commands[i]->summary);
        show_list(usage, group_titles[group], COMMAND_WIDTH);
    }
    show_options(usage, "Everywhere", global_options, all);
    page_text(arena_printf(usage->arena,
                           "\nMore: 'roce NAME' (a device), 'roce help COMMAND'%s.\n"
                           "Exit status: 0 healthy, 1 something was found, 2 could not run.",
                           all ? "" : ", 'roce help --all'"),
              usage->width);
}

void usage_show(const struct look *look, const struct command *command, bool all)
{
    struct usage usage = { .width = page_width(look->width), .arena = arena_new() };
    if (command)
        show_command(&usage, command);
    else
        show_commands(&usage, all);
    arena_free(usage.arena);
}
