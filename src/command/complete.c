/* SPDX-License-Identifier: MIT */
#include "command/complete.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "command/command.h"
#include "command/offer.h"

/* The three lists in force, in the order in which the parser looks. */
static const struct option_def *option_list(const struct line *line, size_t i)
{
    static const struct option_def none[] = { { 0 } };
    const struct command *command = line->command;
    const struct option_def *lists[] = {
        command && command->options ? command->options : none,
        command && command_lists(command) ? listing_options : none,
        command && command->raw_args ? none : global_options,
    };
    return i < ARRAY_SIZE(lists) ? lists[i] : NULL;
}

static const struct option_def *find_letter(const struct line *line, char letter)
{
    const struct option_def *def;
    for (size_t i = 0; (def = option_list(line, i)); i++)
        for (; def->name; def++)
            if (def->letter && def->letter == letter)
                return def;
    return NULL;
}

/* name: "columns" or "columns=…". Abbreviations are for people who know what they type. */
static const struct option_def *find_long(const struct line *line, const char *name)
{
    size_t len = strcspn(name, "=");
    const struct option_def *def;
    for (size_t i = 0; (def = option_list(line, i)); i++)
        for (; def->name; def++)
            if (strlen(def->name) == len && strncmp(def->name, name, len) == 0)
                return def;
    return NULL;
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

static void take_long(struct line *line, const char *word)
{
    const struct option_def *def = find_long(line, word + 2);
    const char *equals = strchr(word, '=');
    if (!def)
        return;
    note_given(line, def, equals ? equals + 1 : NULL);
    if (def->value != ARG_NONE && !def->value_optional && !equals)
        line->pending = def;
}

static void take_letters(struct line *line, const char *letters)
{
    for (; *letters; letters++) {
        const struct option_def *def = find_letter(line, *letters);
        if (!def)
            return;
        note_given(line, def, letters[1] ? letters + 1 : NULL);
        if (def->value != ARG_NONE) {
            if (!letters[1] && !def->value_optional)
                line->pending = def;
            return;
        }
    }
}

/* A word left of the cursor. */
static void take_word(struct line *line, const char *word)
{
    bool raw = line->command && line->command->raw_args;
    if (line->pending) {
        note_given(line, line->pending, word);
        line->pending = NULL;
    } else if (!line->options_ended && !raw && strcmp(word, "--") == 0) {
        line->options_ended = true;
    } else if (!line->options_ended && text_starts(word, "--")) {
        take_long(line, word);
    } else if (!line->options_ended && word[0] == '-' && word[1]) {
        take_letters(line, word + 1);
    } else if (!line->command) {
        line->command = command_find(word);
        line->options_ended |= !line->command; /* no such command: nothing more to offer */
    } else {
        *ARENA_PUSH(line->completion->arena, line->operands, line->noperands) = word;
    }
}

static void offer_options(struct line *line)
{
    const struct option_def *def;
    bool letter = line->word[0] == '-' && line->word[1] && line->word[1] != '-' && !line->word[2];
    for (size_t i = 0; (def = option_list(line, i)); i++)
        for (; def->name; def++) {
            char dashed[3] = { '-', def->letter, '\0' };
            if (is_given(line, def) || find_long(line, def->name) != def)
                continue;
            offer(line, "--", def->name, def->help);
            if (letter && def->letter)
                offer(line, "", dashed, def->help);
        }
}

static bool begins_with(const char *form, const char *word)
{
    size_t len = strcspn(form, " ");
    return strlen(word) == len && strncmp(form, word, len) == 0;
}

/* Once "set" stands there, other forms are out. */
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
    if (command->raw_args && line->word[0] != '-') /* a drop-in takes options of its own, and mostly devices */
        offer_devices(line, "", true, false);
    if (command->raw_args)
        return;
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
        if ((def = find_long(line, word + 2)))
            offer_value(line, def, arena_strndup(arena, word, (size_t)(equals + 1 - word)));
    } else if (word[1] && word[1] != '-' && word[2] && (def = find_letter(line, word[1])) &&
               def->value != ARG_NONE) {
        offer_value(line, def, arena_strndup(arena, word, 2));
    } else {
        offer_options(line);
    }
}

/* An operand that stands there already is not offered again. */
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
    for (size_t i = 0; i + 1 < count; i++)
        take_word(&line, words[i]);
    if (count)
        line.word = words[count - 1];
    offer_at_cursor(&line);
    drop_given(&line);
}
