/* SPDX-License-Identifier: MIT */
/* What completion offers at the cursor of a command line, from the data that parses it. */
#include "command/candidates.h"

#include "command/command.h"
#include "explain/knowledge.h"
#include "fleet/compare.h"
#include "view/column.h"
#include "view/metrics/metrics.h"

/* The command line up to the cursor, as far as it could be parsed. */
struct line {
    struct completion *completion;
    const struct command *command;
    struct option_list options;       /* that are allowed there */
    const struct option_def *pending; /* the word at the cursor is this option's value */
    const struct option_def *given[64];
    size_t ngiven;
    const char **operands;
    size_t noperands;
    bool options_ended; /* "--" was seen */
    const char *root;
    const char *word; /* at the cursor */
    complete_host *read_host;
    void *data;
    const struct host *host;
    bool host_read;
};

static const struct host *host_of(struct line *line)
{
    if (!line->host_read)
        line->host = line->read_host(line->data, line->root);
    line->host_read = true;
    return line->host;
}

/* A completed word ends up on a command line that a shell runs, and names on a machine are untrusted text:
 * don't offer one that a shell or a terminal would not take literally. */
static bool is_plain(const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+=,-";
    return *text && *text != ':' && text[strspn(text, plain)] == '\0';
}

/* Offers prefix + text if the word at the cursor could become that. */
static void offer(struct line *line, const char *prefix, const char *text, const char *help)
{
    struct completion *completion = line->completion;
    char *whole = arena_printf(completion->arena, "%s%s", prefix, text);
    if (!text_starts(whole, line->word) || !is_plain(whole))
        return;
    for (size_t i = 0; i < completion->count; i++)
        if (strcmp(completion->candidates[i].text, whole) == 0)
            return;
    *ARENA_PUSH(completion->arena, completion->candidates, completion->count) = (struct candidate){
        whole, help ? arena_strndup(completion->arena, help, strcspn(help, "\n")) : NULL
    };
}

static void offer_devices(struct line *line, const char *prefix, bool devices, bool ports)
{
    const struct host *host = host_of(line);
    struct arena *arena = line->completion->arena;
    for (size_t d = 0; host && d < host->ndevices; d++) {
        const struct device *device = &host->devices[d];
        if (devices)
            offer(line, prefix, device->name, transport_text(device->transport));
        for (size_t p = 0; ports && p < device->nports; p++) {
            const struct port *port = &device->ports[p];
            offer(line, prefix, arena_printf(arena, "%s/%u", device->name, port->number),
                  port->netdev ? arena_printf(arena, "port, netdev %s", port->netdev) : "port");
        }
    }
}

/* The netdevs that a device can be named by. */
static void offer_port_netdevs(struct line *line, const char *prefix)
{
    const struct host *host = host_of(line);
    for (const struct port *port = NULL; host && (port = host_next_port(host, port));) {
        const char *help = arena_printf(line->completion->arena, "netdev of %s/%u", port->device->name,
                                        port->number);
        if (port->netdev)
            offer(line, prefix, port->netdev, help);
        for (size_t g = 0; g < port->ngids; g++)
            if (port->gids[g].netdev)
                offer(line, prefix, port->gids[g].netdev, help);
    }
}

static void offer_netdevs(struct line *line, const char *prefix)
{
    const struct host *host = host_of(line);
    for (size_t i = 0; host && i < host->nnetdevs; i++)
        offer(line, prefix, host->netdevs[i].name, NULL);
}

/* Everything before the last item of a comma-separated list, starting with prefix. */
static const char *list_prefix(struct line *line, const char *prefix)
{
    const char *list = line->word + strlen(prefix), *comma = strrchr(list, ',');
    const char *item = comma ? comma + 1 : list;
    line->completion->no_space = true;
    return arena_strndup(line->completion->arena, line->word, (size_t)(item - line->word));
}

static bool is_listed(const struct line *line, const char *prefix, const char *key)
{
    for (const char *at = line->word + strlen(prefix); (at = strstr(at, key)); at++) {
        char before = at > line->word ? at[-1] : ',', after = at[strlen(key)];
        if (strchr(",+=", before) && after == ',')
            return true;
    }
    return false;
}

/* Hosts and ports may have keys of the same name. */
static void offer_facts(struct line *line, const char *prefix, const char *before)
{
    for (const struct fleet_rule *rule = fleet_rules; rule->key; rule++)
        if (fleet_rule(FACT_KINDS, rule->key) == rule && !is_listed(line, prefix, rule->key))
            offer(line, before, rule->key, NULL);
}

static void offer_checks(struct line *line, const char *prefix, const char *before)
{
    for (const struct topic *topic = check_topics; topic->name; topic++)
        if (!is_listed(line, prefix, topic->name))
            offer(line, before, topic->name, topic->text);
    for (const struct check *check = check_all; check->id; check++)
        if (!is_listed(line, prefix, check->id))
            offer(line, before, check->id, packed_line(check->healthy));
}

/* Families may be given without the "roce_" that they all start with: names are offered without it if the word
 * begins otherwise. */
static void offer_families(struct line *line, const char *prefix, const char *before)
{
    static const char common[] = "roce_";
    const char *begun = line->word + strlen(before);
    bool whole = text_starts(begun, common) || text_starts(common, begun);
    struct arena *arena = arena_new();
    size_t count;
    const struct metrics_row *rows = metrics_rows(arena, &count);
    for (size_t i = 0; i < count; i++) {
        const char *name = rows[i].name + (whole ? 0 : strlen(common));
        if (!is_listed(line, prefix, name))
            offer(line, before, name, rows[i].help);
    }
    arena_free(arena);
}

/* Words that can be explained, of one kind. */
struct explainable {
    struct line *line;
    const char *kind;
};

static void offer_explainable(void *data, const char *kind, const char *word, const char *help)
{
    const struct explainable *wanted = data;
    if (strcmp(kind, wanted->kind) == 0)
        offer(wanted->line, "", word, help);
}

/* The next of "v1|v2"; NULL at the end. */
static const char *next_choice(struct arena *arena, const char **at)
{
    size_t len = strcspn(*at, "|");
    const char *one = len ? arena_strndup(arena, *at, len) : NULL;
    *at += len + ((*at)[len] == '|');
    return one;
}

static void offer_columns(struct line *line, const char *prefix)
{
    const char *before = list_prefix(line, prefix);
    const char *item = line->word + strlen(before);
    if (*item == '+' || *item == '-')
        before = arena_printf(line->completion->arena, "%s%c", before, *item);
    const struct column *column = line->command->columns;
    for (size_t i = 0; i < line->ngiven; i++)
        if (line->given[i]->columns)
            column = line->given[i]->columns;
    for (; column && !column_is_end(column); column++)
        if (!is_listed(line, prefix, column_key(column)))
            offer(line, before, column_key(column), column_help(column));
}

/* Offers values of the option; prefix: what precedes the value in the word at the cursor: "--for=". */
static void offer_value(struct line *line, const struct option_def *def, const char *prefix)
{
    for (const char *at = def->choices ? def->choices : "", *one;
         (one = next_choice(line->completion->arena, &at));)
        offer(line, prefix, one, NULL);
    switch (def->value) {
    case ARG_COLUMNS:
        offer_columns(line, prefix);
        break;
    case ARG_RECORDING:
        line->completion->files = true;
        break;
    case ARG_DEVICE:
        offer_devices(line, prefix, true, false);
        break;
    case ARG_NETDEV:
        offer_netdevs(line, prefix);
        break;
    case ARG_CHECK:
        offer_checks(line, prefix, list_prefix(line, prefix));
        break;
    case ARG_FAMILY:
        offer_families(line, prefix, list_prefix(line, prefix));
        break;
    case ARG_FACT:
        offer_facts(line, prefix, list_prefix(line, prefix));
        break;
    default:
        break;
    }
}

static void offer_commands(struct line *line)
{
    for (size_t i = 0; commands[i]; i++)
        if (commands[i]->group != GROUP_HIDDEN)
            offer(line, "", commands[i]->name, commands[i]->summary);
}

/* Offers what a form's token means if it isn't a word: a kind, in capitals. */
static void offer_kind(struct line *line, const char *kind, bool beside_device)
{
    if (text_is(kind, "NETDEV"))
        beside_device ? offer_port_netdevs(line, "") : offer_netdevs(line, "");
    else if (text_starts(kind, "DEVICE"))
        offer_devices(line, "", !text_is(kind, "DEVICE/PORT"), !text_is(kind, "DEVICE"));
    else if (text_is(kind, "COMMAND"))
        offer_commands(line);
    else if (text_is(kind, "DIR"))
        line->completion->directories = true;
    else if (text_is(kind, "FILE"))
        line->completion->files = true;
    else
        vocabulary_see(offer_explainable, &(struct explainable){ line, kind });
}

static bool is_kind(const char *text)
{
    return *text >= 'A' && *text <= 'Z';
}

/* One word of a form, without brackets and dots: "v1|v2", "DEVICE[/PORT]|NETDEV". */
struct token {
    const char *text;
    bool optional, repeats;
};

static struct token next_token(struct arena *arena, const char **at)
{
    struct token token = { 0 };
    size_t len = strcspn(*at, " ");
    char *text = arena_strndup(arena, *at, len);
    *at += len + ((*at)[len] == ' ');
    token.repeats = text_ends(text, "...");
    len -= token.repeats ? 3 : 0;
    token.optional = len > 2 && text[0] == '[' && text[len - 1] == ']';
    text[len - token.optional] = '\0';
    token.text = text + token.optional;
    return token;
}

/* Is value one of the token's alternatives? Kinds match anything. */
static bool matches(struct arena *arena, struct token token, const char *value)
{
    for (const char *at = token.text, *one; (one = next_choice(arena, &at));)
        if (is_kind(one) || strcmp(one, value) == 0)
            return true;
    return false;
}

static void offer_token(struct line *line, struct token token)
{
    bool beside_device = strstr(token.text, "DEVICE") != NULL;
    for (const char *at = token.text, *one; (one = next_choice(line->completion->arena, &at));) {
        if (is_kind(one))
            offer_kind(line, one, beside_device);
        else
            offer(line, "", one, NULL);
    }
}

/* Offers what can come next in form: "set DEVICE/PORT v1|v2", "DIR", "[qp|cq] [DEVICE[/PORT]|NETDEV]...". */
static void offer_form(struct line *line, const char *form)
{
    struct arena *arena = line->completion->arena;
    size_t given = 0;
    for (const char *at = form; *at;) {
        struct token token = next_token(arena, &at);
        if (token.repeats) {
            offer_token(line, token);
            return;
        }
        if (given == line->noperands) {
            offer_token(line, token);
            if (!token.optional)
                return;
        } else if (matches(arena, token, line->operands[given])) {
            given++;
        } else if (!token.optional) {
            return;
        }
    }
}

static void note_given(struct line *line, const struct option_def *def, const char *value)
{
    if (line->ngiven < ARRAY_SIZE(line->given))
        line->given[line->ngiven++] = def;
    if (value && strcmp(def->name, "root") == 0)
        line->root = value;
}

static bool is_given(const struct line *line, const struct option_def *def)
{
    for (size_t i = 0; i < line->ngiven; i++)
        if (line->given[i] == def)
            return strcmp(def->name, "verbose") != 0;
    return false;
}

/* Takes in a word left of the cursor. */
static void take_word(struct line *line, const char *word)
{
    if (line->pending) {
        note_given(line, line->pending, word);
        line->pending = NULL;
    } else if (!line->options_ended && strcmp(word, "--") == 0) {
        line->options_ended = true;
    } else if (!line->options_ended && word[0] == '-' && word[1]) {
        for (size_t at = 1; word[at];) {
            struct option_use use = option_use(&line->options, word, &at);
            if (!use.def)
                return;
            note_given(line, use.def, use.value);
            if (use.def->value != ARG_NONE && !use.def->value_optional && !use.value)
                line->pending = use.def;
        }
    } else if (!line->command) {
        line->command = command_find(word);
        line->options = command_options(line->command);
        line->options_ended |= !line->command; /* no such command: nothing more to offer */
    } else {
        *ARENA_PUSH(line->completion->arena, line->operands, line->noperands) = word;
    }
}

static void offer_options(struct line *line)
{
    bool letter = line->word[0] == '-' && line->word[1] && line->word[1] != '-' && !line->word[2];
    for (size_t i = 0; i < line->options.count; i++) {
        const struct option_def *def = line->options.items[i];
        char dashed[3] = { '-', def->letter, '\0' };
        if (is_given(line, def) || option_by_name(&line->options, def->name) != def)
            continue;
        offer(line, "--", def->name, packed_line(def->help));
        if (letter && def->letter)
            offer(line, "", dashed, packed_line(def->help));
    }
}

static bool begins_with(const char *form, const char *word)
{
    size_t len = strcspn(form, " ");
    return strlen(word) == len && strncmp(form, word, len) == 0;
}

/* After "set", other forms are ruled out. */
static void offer_forms(struct line *line, const char *const *forms)
{
    bool chosen = false;
    for (const char *const *form = forms; *form && line->noperands; form++)
        chosen |= begins_with(*form, line->operands[0]);
    for (const char *const *form = forms; *form; form++)
        if (!chosen || begins_with(*form, line->operands[0]))
            offer_form(line, *form);
}

static void offer_operands(struct line *line)
{
    const struct command *command = line->command;
    if (!command) {
        if (!line->options_ended)
            offer_commands(line);
        return;
    }
    if (command->group == GROUP_COMPAT) {
        if (line->word[0] != '-') /* a drop-in has its own options, and mostly takes devices */
            offer_devices(line, "", true, false);
        return;
    }
    if (command->words)
        offer_forms(line, command->words);
    else if (command->operands_text)
        offer_form(line, command->operands_text);
}

static void offer_at_cursor(struct line *line)
{
    const char *word = line->word;
    struct arena *arena = line->completion->arena;
    const struct option_def *def = NULL;
    const char *equals = strchr(word, '=');
    if (line->pending) {
        offer_value(line, line->pending, "");
    } else if (line->options_ended || word[0] != '-') {
        offer_operands(line);
    } else if (text_starts(word, "--") && equals) {
        if ((def = option_by_name(&line->options, word + 2)))
            offer_value(line, def, arena_strndup(arena, word, (size_t)(equals + 1 - word)));
    } else if (word[1] && word[1] != '-' && word[2] && (def = option_by_letter(&line->options, word[1])) &&
               def->value != ARG_NONE) {
        offer_value(line, def, arena_strndup(arena, word, 2));
    } else {
        offer_options(line);
    }
}

/* Drops candidates that are already among the operands. */
static void drop_given(struct line *line)
{
    struct completion *completion = line->completion;
    size_t kept = 0;
    for (size_t i = 0; i < completion->count; i++) {
        bool given = false;
        for (size_t k = 0; k < line->noperands && !given; k++)
            given = strcmp(line->operands[k], completion->candidates[i].text) == 0;
        if (!given)
            completion->candidates[kept++] = completion->candidates[i];
    }
    completion->count = kept;
}

void complete(struct completion *completion, char *const *words, size_t count, complete_host *host, void *data)
{
    struct line line = { .completion = completion, .read_host = host, .data = data, .word = "" };
    line.options = command_options(NULL);
    for (size_t i = 0; i + 1 < count; i++)
        take_word(&line, words[i]);
    if (count)
        line.word = words[count - 1];
    offer_at_cursor(&line);
    drop_given(&line);
}
