/* SPDX-License-Identifier: MIT */
/* Parses the options and operands of a command line by a command's tables. */
#include "command/command.h"

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

uint64_t args_number(const struct args *args, const char *option, uint64_t fallback)
{
    const char *text = args_value(args, option);
    return text && text_to_u64(text, 0, &fallback) < 0 ? 0 : fallback;
}

double args_real(const struct args *args, const char *option, double fallback)
{
    const char *text = args_value(args, option);
    return text ? strtod(text, NULL) : fallback;
}

uint32_t args_milliseconds(const struct args *args, const char *option, uint32_t fallback)
{
    const char *text = args_value(args, option);
    return text ? (uint32_t)(strtod(text, NULL) * 1000 + 1e-6) : fallback;
}

static bool is_decimal(const char *text)
{
    return *text && strspn(text, "0123456789.") == strlen(text);
}

enum { SECONDS_MOST = 600 };

/* Returns 0, or -EINVAL after saying what values the option takes. */
static int check_value(const struct option_def *def, const char *value)
{
    uint64_t number, least = (uint64_t)def->least, most = (uint64_t)def->most;
    char *end;
    double real = strtod(value, &end);
    bool is_real = end != value && !*end;
    switch (def->value) {
    case ARG_CHOICE:
        if (!text_in_list_fold(def->choices, '|', value))
            return say_invalid("--%s takes one of %s, not '%s'", def->name, def->choices, value);
        break;
    case ARG_NUMBER:
        if (!text_is(def->choices, value) &&
            (text_to_u64(value, 0, &number) < 0 || number < least || number > most))
            return say_invalid("--%s takes a number from %" PRIu64 " to %" PRIu64 "%s%s, not '%s'", def->name,
                               least, most, def->choices ? " or " : "", def->choices ? def->choices : "",
                               value);
        break;
    case ARG_REAL:
        if (!is_real || !(real >= def->least && real <= def->most))
            return say_invalid("--%s takes %s from %g to %g, not '%s'", def->name,
                               text_is(def->arg, "SECONDS") ? "seconds" : "a number", def->least, def->most,
                               value);
        break;
    case ARG_SECONDS:
        if (!is_real || !is_decimal(value) || real * 1000 + 1e-6 < 1 || real >= SECONDS_MOST + 1)
            return say_invalid("'%s' is not a time in seconds for --%s: give a number from 0.001 to %d", value,
                               def->name, SECONDS_MOST);
        break;
    default:
        break;
    }
    return 0;
}

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

/* The option that name, possibly followed by "=VALUE", is or abbreviates; NULL if there is none, or several. */
static const struct option_def *option_meant(const struct option_list *list, const char *name)
{
    const struct option_def *exact = option_by_name(list, name), *meant = NULL;
    size_t found = 0, len = strcspn(name, "=");
    for (size_t i = 0; i < list->count; i++)
        if (strncmp(list->items[i]->name, name, len) == 0) {
            meant = list->items[i];
            found++;
        }
    return exact ? exact : found == 1 ? meant : NULL;
}

struct option_use option_use(const struct option_list *list, const char *word, size_t *at)
{
    struct option_use use = { 0 };
    const char *equals = strchr(word, '=');
    if (word[1] == '-') {
        use.def = option_meant(list, word + 2);
        use.value = equals ? equals + 1 : NULL;
        *at = strlen(word);
        return use;
    }
    use.def = option_by_letter(list, word[(*at)++]);
    if (use.def && use.def->value != ARG_NONE && word[*at]) {
        /* "-w=5", like the long option in help */
        use.value = word + *at + (use.def->value_optional && word[*at] == '=');
        *at = strlen(word);
    }
    return use;
}

static int take(struct args *args, const struct option_def *def, char *value)
{
    int r = value ? check_value(def, value) : 0;
    if (r < 0)
        return r;
    if (args->ngiven == ARRAY_SIZE(args->given)) {
        say_error("too many options");
        return -E2BIG;
    }
    for (char *c = value; c && *c && def->value == ARG_CHOICE; c++)
        if (isupper((unsigned char)*c))
            *c = (char)tolower((unsigned char)*c);
    args->given[args->ngiven].def = def;
    args->given[args->ngiven++].value = value;
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

static const char *option_name(size_t i, const void *data)
{
    return ((const struct option_list *)data)->items[i]->name;
}

/* " NAME" of the command, for messages: "see 'roce gids --help'". */
static const char *command_behind(const struct args *args, char text[static 64])
{
    snprintf(text, 64, "%s%s", args->command ? " " : "", args->command ? args->command->name : "");
    return text;
}

static bool is_of_listings(const char *name)
{
    struct option_list list = { 0 };
    add_options(&list, listing_options);
    return name[1] == '-' ? option_by_name(&list, name + 2) : option_by_letter(&list, name[1]);
}

/* Refuses an option: says which one may have been meant, or which command has it. name: "--foor", "-Z". */
static int refuse(const struct args *args, const struct option_list *list, const char *name)
{
    char prefix[64] = "", behind[64];
    if (args->guess && !word_is_name(args->guess))
        return say_invalid("no command is called '%s': 'roce help' lists them", args->guess);
    const char *owner = owner_of(name + 2);
    const char *near = name[1] == '-' ? text_nearest(name + 2, list->count, option_name, list) : NULL;
    if (args->command)
        snprintf(prefix, sizeof(prefix), "'%s': ", args->command->name);
    if (args->command && args->command->group == GROUP_SHOW && is_of_listings(name))
        return say_invalid(
            "'%s' is no listing of rows, so '%s' has nothing to work on; --json prints all of it",
            args->command->name, name);
    char *const words[] = { (char *)name };
    const struct instead *instead = instead_find(words, 1);
    if (instead)
        return say_invalid("%sunknown option '%s': %s", prefix, name, packed_line(instead->says));
    if (owner)
        return say_invalid("%sunknown option '%s', which belongs to 'roce %s'", prefix, name, owner);
    if (near)
        return say_invalid("%sunknown option '%s'; did you mean '--%s'?", prefix, name, near);
    return say_invalid("%sunknown option '%s'; see 'roce%s --help'", prefix, name,
                       command_behind(args, behind));
}

/* Another tool's option, as this command has it. */
struct stand_in {
    const struct option_def *def; /* NULL: none */
    char *value;                  /* NULL: what follows */
    bool name;                    /* its value is the name of a thing */
};

static struct stand_in stand_in_for(const struct args *args, const struct option_list *list, const char *option)
{
    char *const words[] = { (char *)option };
    const struct instead *instead = instead_find(words, 1);
    const char *operands = args->command ? args->command->operands_text : NULL;
    if (!instead || !instead->roce)
        return (struct stand_in){ 0 };
    char *equals = strchr(instead->roce, '=');
    if (strcmp(instead->roce, "NAME") != 0)
        return (struct stand_in){ option_by_name(list, instead->roce + 2), equals ? equals + 1 : NULL, false };
    const struct option_def *device = option_by_name(list, "device");
    return (struct stand_in){ .def = device,
                              .name = !device && (!args->command || (operands && strstr(operands, "DEVICE"))) };
}

/* Takes the options in argv[i], and the next word if it is the value of one. Returns the index of the last word
 * taken, or -EINVAL after saying what is wrong. */
static int take_options(struct args *args, const struct option_list *list, int argc, char **argv, int i)
{
    char *word = argv[i], name[64], behind[64];
    for (size_t at = 1; word[at];) {
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
        if (name[1] != '-')
            snprintf(name, sizeof(name), "-%c", word[at]);
        struct option_use use = option_use(list, word, &at);
        const struct stand_in other = use.def ? (struct stand_in){ 0 } : stand_in_for(args, list, name);
        const struct option_def *def = use.def ? use.def : other.def;
        if (other.name && !word[name[1] == '-' ? strlen(word) : at] && i + 1 < argc) {
            args->operands[args->noperands++] = argv[++i];
            continue;
        }
        /* "--for" is short for --format, unless another command has an option of exactly that name */
        if (!def || (use.def && name[1] == '-' && strcmp(def->name, name + 2) != 0 && owner_of(name + 2))) {
            if (name[1] != '-' && word[at] && strchr(word, ' '))
                return say_invalid("unknown option '%s'; put '--' before text that begins with '-'", name);
            return refuse(args, list, name);
        }
        if (def->value == ARG_NONE && use.value)
            return say_invalid("'%s' takes no value", name);
        char *value = use.value ? word + (use.value - word) : other.value;
        bool takes_next = def->value != ARG_NONE && !value && i + 1 < argc;
        /* "-w 5", though the value could be left out: no device is named 5 */
        if (takes_next && (!def->value_optional || is_decimal(argv[i + 1])))
            value = argv[++i];
        if (def->value != ARG_NONE && !def->value_optional && !value)
            return def->value == ARG_CHOICE ? say_invalid("'%s' needs a value: %s", word, def->choices)
                                            : say_invalid("'%s' needs a value; see 'roce%s --help'", word,
                                                          command_behind(args, behind));
        int r = take(args, def, value);
        if (r < 0)
            return r;
    }
    return i;
}

/* "record, report": the commands that begin so. */
static size_t list_commands(const char *beginning, struct bytes *list)
{
    size_t count = 0;
    for (size_t i = 0; commands[i]; i++)
        if (commands[i]->group < GROUP_COMPAT && text_starts(commands[i]->name, beginning))
            bytes_printf(list, "%s%s", count++ ? ", " : "", commands[i]->name);
    return count;
}

static int find_command(struct args *args, const char *name)
{
    args->command = command_meant(name);
    if (args->command)
        return 0;
    struct bytes several = { 0 };
    const char *near = command_nearest(name);
    if (*name && !word_is_name(name) && list_commands(name, &several))
        say_error("'%s' is the beginning of several commands: %s", name, (const char *)several.data);
    else if (!word_is_name(name) && near)
        say_error("unknown command '%s'; did you mean '%s'?", name, near);
    else
        args->guess = name;
    bytes_free(&several);
    args->command = args->guess ? command_find("about") : NULL;
    return args->command ? 0 : -EINVAL;
}

/* Takes the command that runs in the place of other words, and its options. Returns the index of the last word
 * taken, or -EINVAL after saying where to go. */
static int take_instead(struct args *args, const struct instead *instead, int i)
{
    char *words[8];
    int count = 0;
    if (!instead->roce)
        return say_invalid("no command is called '%s': %s", instead->words, packed_line(instead->says));
    args->instead = instead;
    snprintf(args->instead_roce, sizeof(args->instead_roce), "%s", instead->roce);
    for (char *rest = args->instead_roce, *word; (word = strsep(&rest, " ")) && count < 8;)
        words[count++] = word;
    args->command = instead_command(instead);
    const struct option_list list = command_options(args->command);
    for (int k = 1; k < count; k++) {
        if (words[k][0] != '-') {
            args->operands[args->noperands++] = words[k];
            continue;
        }
        k = take_options(args, &list, count, words, k);
        if (k < 0)
            return k;
    }
    return i + (strchr(instead->words, ' ') != NULL);
}

static void take_operands(struct args *args, char *const *words, size_t count)
{
    for (size_t k = 0; k < count; k++)
        args->operands[args->noperands++] = words[k];
}

/* A question, or a line of a log that wasn't quoted. Returns the index of the last word taken, 0 if it is
 * neither, or -EINVAL after saying what isn't understood. */
static int take_sentence(struct args *args, int argc, char **argv, int i, bool is_command)
{
    size_t count = (size_t)(argc - i);
    char **names = mem_alloc(count, sizeof(*names));
    struct sentence sentence = { 0 };
    int r = 0;
    if (!is_command && words_are_message(argv + i, count)) {
        args->command = command_find("explain");
        take_operands(args, argv + i, count);
        r = argc - 1;
    } else {
        sentence = sentence_read(argv + i, count, is_command, names);
    }
    if (sentence.unknown && !sentence.instead && !sentence.command && strcmp(argv[i], "what") != 0 &&
        !word_is_name(argv[i]))
        r = say_invalid("'%s' isn't understood in this question: 'roce doctor' says what is wrong, "
                        "'roce explain' what words mean, 'roce help' lists commands",
                        sentence.unknown);
    else if (sentence.unknown && (sentence.instead || sentence.command))
        r = say_invalid("'%s' isn't understood in this question; 'roce %s' may be what is meant",
                        sentence.unknown,
                        sentence.instead && sentence.instead->roce ? sentence.instead->roce
                        : sentence.command                         ? sentence.command->name
                                                                   : "doctor");
    else if (sentence.instead)
        r = take_instead(args, sentence.instead, i);
    else if (sentence.command)
        args->command = sentence.command;
    if (r >= 0 && (sentence.instead || sentence.command)) {
        take_operands(args, names, sentence.nnames);
        r = i + (int)sentence.nwords - 1;
    }
    free(names);
    return r;
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

static int refuse_listing(const struct args *args, const struct option_def *def)
{
    struct bytes list = { 0 };
    const char *listers = command_listers(args->command, &list);
    int r = say_invalid(
        "'%s' shows no listing this way, so --%s has nothing to work on%s%s; see 'roce %s --help'",
        args->command->name, def->name, *listers ? "; it does with " : "", listers, args->command->name);
    bytes_free(&list);
    return r;
}

/* Listing options on a command without a listing, and formats that exclude each other. */
static int check_listing(const struct args *args)
{
    for (size_t i = 0; i < args->ngiven && args->command && !args_columns(args); i++)
        for (const struct option_def *def = listing_options; def->name; def++)
            if (args->given[i].def == def && !args_given(args, "help"))
                return refuse_listing(args, def);
    if (args_given(args, "json") && args->look.format != FORMAT_JSON)
        return say_invalid("--json and --format %s are two formats: give one", args_value(args, "format"));
    return 0;
}

static void apply_globals(struct args *args)
{
    if (args_given(args, "ascii"))
        glyph_set_ascii(true);
    args->quiet = args_given(args, "quiet");
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
    for (size_t i = 0; i < args->ngiven; i++) {
        args->look.verbose += strcmp(args->given[i].def->name, "verbose") == 0;
        if (args->given[i].def->shows && !args->look.columns)
            args->look.columns = args->given[i].def->shows;
    }
}

static bool names_command(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (command_find(argv[i]))
            return true;
    return false;
}

/* Takes argv[i] as the command's name; rdma and ip users say "show gids". A name of something else is what
 * 'about' is asked about. Returns the index of the last word taken. */
static int take_command(struct args *args, int argc, char **argv, int i)
{
    i += i + 1 < argc && argv[i + 1][0] != '-' && strcmp(argv[i], "show") == 0;
    const bool is_command = command_meant(argv[i]);
    int taken = take_sentence(args, argc, argv, i, is_command);
    if (taken)
        return taken;
    const struct instead *instead = command_meant(argv[i]) ? NULL : instead_find(argv + i, (size_t)(argc - i));
    if (instead)
        return take_instead(args, instead, i);
    if (strchr(argv[i], ' ')) { /* a line of a log */
        args->command = command_find("explain");
        args->operands[args->noperands++] = argv[i];
        return i;
    }
    int r = find_command(args, argv[i]);
    if (r == 0 && !command_meant(argv[i]))
        args->operands[args->noperands++] = argv[i];
    return r < 0 ? r : i;
}

/* "res show qp dev rxe0": where names of devices stand, and not what other commands have of their own. */
static bool may_have_fillers(const struct args *args)
{
    const struct command *command = args->command;
    return command && (!command->words || !args->noperands) && command->operands_text &&
           strstr(command->operands_text, "DEVICE");
}

/* "-E- failed to connect", "-110": a line of a log or an errno, to who explains it. */
static bool is_explained(const struct args *args, const char *word)
{
    const char *operands = args->command ? args->command->operands_text : NULL;
    bool is_number = word[1] && word[1 + strspn(word + 1, "0123456789")] == '\0';
    return operands && strstr(operands, "LINE") && (is_number || word[strcspn(word, " =")] == ' ');
}

/* Moves operands to the front of argv, into the places of words already taken. */
static int parse(struct args *args, struct option_list list, int argc, char **argv)
{
    bool is_default = args->command, ended = false;
    args->operands = argv + 1;
    for (int i = 1; i < argc; i++) {
        char *word = argv[i];
        if (!ended && strcmp(word, "--") == 0) {
            ended = true;
        } else if (!ended && word[0] == '-' && word[1] && !is_explained(args, word)) {
            i = take_options(args, &list, argc, argv, i);
        } else if (!args->command || is_default) {
            i = take_command(args, argc, argv, i);
            ended = is_default = false;
            list = command_options(args->command);
        } else if (ended || !may_have_fillers(args) || !word_is_filler(word, args->instead != NULL)) {
            args->operands[args->noperands++] = word;
        }
        if (i < 0)
            return i;
        if (args->command && args->command->group == GROUP_COMPAT) {
            args->argc = argc - i;
            args->argv = argv + i;
            return 0;
        }
    }
    return 0;
}

/* Two recordings are what compare tells apart. Their names go where the words of the options stood. */
static int take_roots(struct args *args, bool is_default)
{
    size_t count = 0;
    for (size_t i = 0; i < args->ngiven; i++)
        count += strcmp(args->given[i].def->name, "root") == 0;
    if (count < 2)
        return 0;
    if (!is_default && strcmp(args->command->name, "compare") != 0)
        return say_invalid(
            "--root is there %zu times, and '%s' is about one machine; 'roce compare BEFORE AFTER' "
            "tells what changed between two recordings",
            count, args->command->name);
    args->command = command_find("compare");
    for (size_t i = 0; i < args->ngiven; i++)
        if (strcmp(args->given[i].def->name, "root") == 0)
            args->operands[args->noperands++] = (char *)args->given[i].value;
    args->root = NULL;
    return 0;
}

/* Without a command, it's status, whose options may then come first: "roce -o device,port". */
int args_parse(struct args *args, int argc, char **argv)
{
    if (argc < 2 || (argv[1][0] == '-' && !names_command(argc, argv)))
        args->command = command_find("status");
    bool is_default = args->command;
    int r = parse(args, command_options(args->command), argc, argv);
    if (r < 0)
        return r;
    if (is_default && (args_given(args, "help") || args_given(args, "version")))
        args->command = command_find(args_given(args, "help") ? "help" : "version");
    if (!args->command)
        args->command = command_find("status");
    apply_globals(args);
    r = take_roots(args, is_default);
    if (r < 0)
        return r;
    if (args->command->operands == OPERANDS_NONE && args->noperands && !args_given(args, "help"))
        return say_invalid("'%s' takes no '%s'; see 'roce %s --help'", args->command->name, args->operands[0],
                           args->command->name);
    return check_listing(args);
}
