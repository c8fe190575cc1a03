/* SPDX-License-Identifier: MIT */
/* Parses the options and operands of a command line by a command's tables. */
#include "command/command.h"

#include <getopt.h>

#include "base/glyph.h"
#include "view/terminal.h"

bool args_given(const struct args *args, const char *option)
{
    for (size_t i = 0; i < args->ngiven; i++)
        if (strcmp(args->given[i].def->name, option) == 0)
            return true;
    return false;
}

const char *args_value(const struct args *args, const char *option)
{
    const char *value = NULL;
    for (size_t i = 0; i < args->ngiven; i++)
        if (strcmp(args->given[i].def->name, option) == 0)
            value = args->given[i].value;
    return value;
}

const struct column *args_columns(const struct args *args)
{
    const struct column *columns = args->command->columns;
    for (size_t i = 0; i < args->ngiven; i++)
        if (args->given[i].def->columns)
            columns = args->given[i].def->columns;
    return columns;
}

int args_number(const struct args *args, const char *option, uint64_t least, uint64_t most, uint64_t fallback,
                uint64_t *value)
{
    const char *text = args_value(args, option);
    uint64_t number = fallback;
    if (text && (text_to_u64(text, 0, &number) < 0 || number < least || number > most))
        return say_invalid("--%s takes a number from %" PRIu64 " to %" PRIu64 ", not '%s'", option, least, most,
                           text);
    *value = number;
    return 0;
}

enum { SECONDS_MOST = 600 };

int args_milliseconds(const struct args *args, const char *option, uint32_t fallback, uint32_t *ms)
{
    const char *text = args_value(args, option);
    if (!text) {
        *ms = fallback;
        return 0;
    }
    char *end = NULL;
    bool is_decimal = isdigit((unsigned char)*text) && text[strspn(text, "0123456789.")] == '\0';
    double seconds = is_decimal ? strtod(text, &end) : 0;
    uint32_t total = is_decimal && *end == '\0' && seconds < SECONDS_MOST + 1
                         ? (uint32_t)(seconds * 1000 + 1e-6)
                         : 0;
    if (total == 0)
        return say_invalid("'%s' is not a time in seconds for --%s: give a number from 0.001 to %d", text,
                           option, SECONDS_MOST);
    *ms = total;
    return 0;
}

enum { LONG_BASE = 1000 }; /* getopt_long's value for the first long option; letters are below */

static void add_options(struct option_list *list, const struct option_def *options)
{
    for (; options && options->name && list->count < ARRAY_SIZE(list->items); options++)
        list->items[list->count++] = options;
}

struct option_list command_options(const struct command *command)
{
    struct option_list list = { 0 };
    if (command)
        add_options(&list, command->options);
    if (command && command_lists(command))
        add_options(&list, listing_options);
    if (!command || command->group != GROUP_COMPAT)
        add_options(&list, global_options);
    return list;
}

const struct option_def *option_by_letter(const struct option_list *list, int letter)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i]->letter && list->items[i]->letter == letter)
            return list->items[i];
    return NULL;
}

const struct option_def *option_by_name(const struct option_list *list, const char *name)
{
    size_t len = strcspn(name, "=");
    for (size_t i = 0; i < list->count; i++)
        if (strlen(list->items[i]->name) == len && strncmp(list->items[i]->name, name, len) == 0)
            return list->items[i];
    return NULL;
}

static const char *option_name(size_t i, const void *data)
{
    return ((const struct option_list *)data)->items[i]->name;
}

/* The choice as spelled in choices, in lower case; NULL if there is no room. */
static const char *written(struct args *args, const char *value)
{
    size_t len = strlen(value) + 1;
    if (args->words_len + len > sizeof(args->words))
        return NULL;
    char *word = args->words + args->words_len;
    for (size_t i = 0; i < len; i++)
        word[i] = (char)tolower((unsigned char)value[i]);
    args->words_len += len;
    return word;
}

static int take(struct args *args, const struct option_def *def, const char *value)
{
    if (def->value == ARG_CHOICE && value && !text_in_list_fold(def->choices, '|', value))
        return say_invalid("--%s takes one of %s, not '%s'", def->name, def->choices, value);
    const char *word = def->value == ARG_CHOICE && value ? written(args, value) : value;
    if (args->ngiven == ARRAY_SIZE(args->given) || (value && !word)) {
        say_error("too many options");
        return -E2BIG;
    }
    args->given[args->ngiven].def = def;
    args->given[args->ngiven++].value = word;
    return 0;
}

/* Another command with that option, in case the user mixed them up; NULL if none. */
static const char *owner_of(const char *option)
{
    for (const struct command *const *command = commands; *command; command++)
        for (const struct option_def *def = (*command)->options; def && def->name; def++)
            if (strcmp(def->name, option) == 0)
                return (*command)->name;
    return NULL;
}

/* before, the command's name and after; "" if there is no command yet. */
static const char *of_command(const struct args *args, const char *before, const char *after,
                              char text[static 64])
{
    const struct command *command = args->command;
    text[0] = '\0';
    if (command)
        snprintf(text, 64, "%s%s%s", before, command->name, after);
    return text;
}

/* Refuses an unknown option: says which one may have been meant, or which command has it. */
static int refuse_long(const struct args *args, const char *name, const char *near)
{
    char prefix[64], of[64];
    const char *owner = owner_of(name);
    of_command(args, "'", "': ", prefix);
    if (owner)
        return say_invalid("%sunknown option '--%s', which belongs to 'roce %s'", prefix, name, owner);
    if (near)
        return say_invalid("%sunknown option '--%s'; did you mean '--%s'?", prefix, name, near);
    return say_invalid("%sunknown option '--%s'; see 'roce%s --help'", prefix, name,
                       of_command(args, " ", "", of));
}

static int refuse(const struct args *args, const struct option_list *list, int code, char **argv)
{
    const char *word = argv[optind - 1], *text = argv[optind]; /* getopt's position in a word of several */
    char name[64], prefix[64], of[64];
    if (code == ':')
        return say_invalid("'%s' needs a value; see 'roce%s --help'", word, of_command(args, " ", "", of));
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
    if (optopt >= LONG_BASE)
        return say_invalid("'%s' takes no value", name);
    if (text_starts(name, "--") && name[2])
        return refuse_long(args, name + 2, text_nearest(name + 2, list->count, option_name, list));
    if (text && *text == '-' && strchr(text, ' '))
        return say_invalid("unknown option '-%c'; put '--' before text that begins with '-'", optopt);
    return say_invalid("%sunknown option '-%c'; see 'roce%s --help'", of_command(args, "'", "': ", prefix),
                       optopt, of_command(args, " ", "", of));
}

/* "--for" is short for --format, unless another command has an option of exactly that name: then that one was
 * meant. Returns true. */
static bool is_others(const struct option_def *def, const char *word, char name[static 64])
{
    snprintf(name, 64, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    return strcmp(name, def->name) != 0 && owner_of(name);
}

static bool is_decimal(const char *text)
{
    return *text && strspn(text, "0123456789.") == strlen(text);
}

/* Runs getopt_long over argv with the options in list; stops at the first operand if first_only. */
static int parse_options(struct args *args, const struct option_list *list, int argc, char **argv,
                         bool first_only)
{
    struct option longs[ARRAY_SIZE(list->items) + 1] = { 0 };
    char shorts[ARRAY_SIZE(list->items) * 3 + 3];
    size_t used = (size_t)snprintf(shorts, sizeof(shorts), "%s:", first_only ? "+" : "");
    for (size_t i = 0; i < list->count; i++) {
        const struct option_def *def = list->items[i];
        int has_arg = def->value == ARG_NONE ? no_argument
                      : def->value_optional  ? optional_argument
                                             : required_argument;
        longs[i] = (struct option){ def->name, has_arg, NULL, LONG_BASE + (int)i };
        if (def->letter && option_by_letter(list, def->letter) == def)
            used += (size_t)snprintf(shorts + used, sizeof(shorts) - used, "%c%s", def->letter,
                                     has_arg == no_argument         ? ""
                                     : has_arg == optional_argument ? "::"
                                                                    : ":");
    }
    opterr = 0;
    optind = 0; /* glibc: restart */
    int code;
    while ((code = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        const struct option_def *def = code >= LONG_BASE            ? list->items[code - LONG_BASE]
                                       : code == ':' || code == '?' ? NULL
                                                                    : option_by_letter(list, code);
        const char *word = argv[optarg && optarg == argv[optind - 1] ? optind - 2 : optind - 1];
        char name[64];
        if (def && code >= LONG_BASE && is_others(def, word, name))
            return refuse_long(args, name, NULL);
        if (def && def->value_optional && !optarg && optind < argc && is_decimal(argv[optind]))
            optarg = argv[optind++]; /* "-w 5", though getopt insists on -w5: no device is named 5 */
        else if (def && def->value_optional && code < LONG_BASE && optarg && *optarg == '=')
            optarg++; /* "-w=5", like the long option in help */
        int r = def ? take(args, def, optarg) : refuse(args, list, code, argv);
        if (r < 0)
            return r;
    }
    return optind;
}

static int find_command(struct args *args, const char *name)
{
    args->command = command_meant(name);
    if (args->command)
        return 0;
    size_t count = 0;
    while (commands[count])
        count++;
    const char *near = text_nearest(name, count, command_name_at, NULL);
    if (near)
        return say_invalid("unknown command '%s'; did you mean '%s'?", name, near);
    return say_invalid("unknown command '%s'; 'roce help' lists them", name);
}

static enum look_format format_of(const struct args *args)
{
    static const char *const names[] = {
        [FORMAT_TABLE] = "table", [FORMAT_CSV] = "csv",          [FORMAT_PAIRS] = "pairs",
        [FORMAT_JSON] = "json",   [FORMAT_JSON_LINES] = "jsonl",
    };
    const char *name = args_value(args, "format");
    for (size_t i = 0; name && i < ARRAY_SIZE(names); i++)
        if (strcmp(names[i], name) == 0)
            return (enum look_format)i;
    return args_given(args, "json") ? FORMAT_JSON : FORMAT_TABLE;
}

/* Listing options on a command without a listing, and formats that exclude each other. */
static int check_listing(const struct args *args)
{
    for (size_t i = 0; i < args->ngiven && args->command && !args_columns(args); i++)
        for (const struct option_def *def = listing_options; def->name; def++)
            if (args->given[i].def == def && !args->help)
                return say_invalid(
                    "'%s' shows no listing this way, so --%s has nothing to work on; see 'roce %s --help'",
                    args->command->name, def->name, args->command->name);
    if (args_given(args, "json") && args->look.format != FORMAT_JSON)
        return say_invalid("--json and --format %s are two formats: give one", args_value(args, "format"));
    return 0;
}

static void apply_globals(struct args *args)
{
    if (args_given(args, "ascii"))
        glyph_set_ascii(true);
    args->quiet = args_given(args, "quiet");
    args->help = args_given(args, "help");
    args->version = args_given(args, "version");
    args->list_columns = args_given(args, "list-columns");
    const char *root = args_value(args, "root");
    const char *environment = getenv("ROCE_ROOT");
    args->root = root ? root : environment && *environment ? environment : NULL;
    const char *color = args_value(args, "color");
    enum color_mode mode = color && strcmp(color, "always") == 0  ? COLOR_ALWAYS
                           : color && strcmp(color, "never") == 0 ? COLOR_NEVER
                                                                  : COLOR_AUTO;
    enum look_format format = format_of(args);
    args->look = (struct look){ .json = format == FORMAT_JSON,
                                .format = format,
                                .sort = args_value(args, "sort"),
                                .filter = args_value(args, "filter"),
                                .columns = args_value(args, "columns"),
                                .no_header = args_given(args, "no-header"),
                                .color = terminal_color(mode),
                                .width = terminal_width() };
    for (size_t i = 0; i < args->ngiven; i++)
        args->look.verbose += strcmp(args->given[i].def->name, "verbose") == 0;
}

static bool names_command(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (command_meant(argv[i]))
            return true;
    return false;
}

/* "roce -o device,port": without a command it is status, whose options may then come first. */
static int parse_default(struct args *args, int argc, char **argv)
{
    args->command = command_find("status");
    struct option_list list = command_options(args->command);
    int behind = parse_options(args, &list, argc, argv, false);
    if (behind < 0)
        return behind;
    if (behind < argc)
        return find_command(args, argv[behind]); /* it isn't a command, as checked before */
    if (args_given(args, "help") || args_given(args, "version"))
        args->command = command_find(args_given(args, "help") ? "help" : "version");
    return 0;
}

static int parse_named(struct args *args, int argc, char **argv)
{
    struct option_list list = command_options(NULL);
    /* getopt_long permutes argv, so the command's name is first looked for with only the globals */
    int at = parse_options(args, &list, argc, argv, true);
    if (at < 0)
        return at;
    if (at + 1 < argc && strcmp(argv[at], "show") == 0 && command_meant(argv[at + 1]))
        at++; /* rdma and ip users say "show gids" */
    int r = find_command(args, at < argc ? argv[at] : "status");
    if (r < 0)
        return r;
    if (args->command->group == GROUP_COMPAT) {
        args->argc = argc - at;
        args->argv = argv + at;
        return 0;
    }
    list = command_options(args->command);
    int behind = parse_options(args, &list, argc - at, argv + at, false);
    if (behind < 0)
        return behind;
    args->operands = argv + at + behind;
    args->noperands = (size_t)(argc - at - behind);
    return 0;
}

int args_parse(struct args *args, int argc, char **argv)
{
    bool is_default = argc < 2 || (argv[1][0] == '-' && !names_command(argc, argv));
    int r = is_default ? parse_default(args, argc, argv) : parse_named(args, argc, argv);
    if (r < 0)
        return r;
    apply_globals(args);
    if (args->command->operands == OPERANDS_NONE && args->noperands && !args->help)
        return say_invalid("'%s' takes no '%s'; see 'roce %s --help'", args->command->name, args->operands[0],
                           args->command->name);
    return check_listing(args);
}
