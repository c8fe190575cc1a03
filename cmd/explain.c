/* SPDX-License-Identifier: MIT */
/* roce explain WORD: a check, a counter, a word of the field. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/say.h"
#include "base/text.h"
#include "check/check.h"
#include "command/context.h"
#include "model/counters.h"
#include "model/terms.h"
#include "view/block.h"
#include "view/json.h"
#include "view/terminal.h"

enum { LABEL = 9 };

struct page {
    json_t *list; /* NULL: text */
    size_t width, shown;
};

static void print_block(const struct page *page, const char *label, const char *text)
{
    block_print(label, LABEL, text, page->width);
}

static json_t *add_object(struct page *page, const char *kind, const char *name)
{
    json_t *object = json_object();
    json_put_text(object, "kind", kind);
    json_put_text(object, "name", name);
    json_array_append_new(page->list, object);
    page->shown++;
    return object;
}

static void heading(struct page *page, const char *kind, const char *name)
{
    printf("%s%s (%s)\n", page->shown++ ? "\n" : "", name, kind);
}

static void explain_check(struct page *page, const struct check *check)
{
    if (page->list) {
        json_t *object = add_object(page, "check", check->id);
        json_put_text(object, "topic", check->topic);
        json_put_text(object, "scope", check_scope_name(check->scope));
        json_put_text(object, "healthy", check->healthy);
        json_put_text(object, "why", check->why);
        json_put_text(object, "fix", check->fix);
        return;
    }
    heading(page, "check", check->id);
    print_block(page, "topic", check->topic);
    print_block(page, "expected", check->healthy);
    print_block(page, "of each", check_scope_name(check->scope));
    print_block(page, "why", check->why);
    print_block(page, "fix", check->fix);
}

static void explain_topic(struct page *page, const char *topic)
{
    json_t *checks = NULL;
    if (page->list) {
        json_t *object = add_object(page, "topic", topic);
        json_put_text(object, "text", check_topic_text(topic));
        json_object_set_new(object, "checks", checks = json_array());
    } else {
        heading(page, "topic", topic);
        print_block(page, "about", check_topic_text(topic));
    }
    for (size_t i = 0; i < check_count(); i++) {
        if (strcmp(check_at(i)->topic, topic) != 0)
            continue;
        if (checks)
            json_array_append_new(checks, json_text(check_at(i)->id));
        else
            printf("  %-24s %s\n", check_at(i)->id, check_at(i)->healthy);
    }
}

static void explain_counter(struct page *page, const struct counter_table *table,
                            const struct counter_def *def, const char *name)
{
    const char *family = table->family ? table->family : "all drivers";
    if (page->list) {
        json_t *object = add_object(page, "counter", name);
        json_put_text(object, "driver", table->family);
        json_put_text(object, "directory", table->dir);
        json_put_text(object, "text", def->meaning);
        json_put_text(object, "unit", counter_unit_name(def->unit));
        json_put_text(object, "severity", counter_severity_name(def->severity));
        return;
    }
    heading(page, "counter", name);
    print_block(page, "driver", family);
    print_block(page, "in", table->dir);
    print_block(page, "means", def->meaning);
    print_block(page, "unit", counter_unit_name(def->unit));
    print_block(page, "severity", counter_severity_name(def->severity));
}

static void explain_term(struct page *page, const struct term *term)
{
    if (page->list) {
        json_t *object = add_object(page, "term", term->name);
        json_put_text(object, "means", term->means);
        json_put_text(object, "text", term->text);
        return;
    }
    heading(page, "term", term->name);
    if (term->means)
        print_block(page, "short for", term->means);
    print_block(page, "means", term->text);
}

static void explain_word(struct page *page, const char *word)
{
    size_t count;
    const struct counter_table *const *tables = counter_tables(&count);
    const struct check *check = check_find(word);
    const struct term *term = term_find(word);
    if (check)
        explain_check(page, check);
    if (check_topic_text(word))
        explain_topic(page, word);
    if (term)
        explain_term(page, term);
    for (size_t i = 0; i < count; i++) {
        const struct counter_def *def = counter_table_find(tables[i], word);
        if (def)
            explain_counter(page, tables[i], def, word);
    }
}

/* Every word that can be asked for: checks, topics, terms, counters. */
static const char *word_at(size_t i, const void *data)
{
    (void)data;
    if (i < check_count())
        return check_at(i)->id;
    i -= check_count();
    for (size_t topic = 0; check_topic(topic); topic++)
        if (i-- == 0)
            return check_topic(topic);
    if (i < term_count())
        return term_at(i)->name;
    i -= term_count();
    size_t count;
    const struct counter_table *const *tables = counter_tables(&count);
    for (size_t t = 0; t < count; t++) {
        if (i < tables[t]->count)
            return tables[t]->defs[i].name;
        i -= tables[t]->count;
    }
    return NULL;
}

static size_t count_words(void)
{
    size_t words = 0;
    while (word_at(words, NULL))
        words++;
    return words;
}

/* "receiver not ready" and receiver-not-ready: words of the command line belong together when nothing is
 * known of the first alone. */
static char *join(char **words, size_t count)
{
    struct bytes joined = { 0 };
    for (size_t i = 0; i < count; i++)
        bytes_printf(&joined, "%s%s", i ? " " : "", words[i]);
    return joined.data;
}

static int run(struct context *context)
{
    const struct args *args = context->args;
    struct page page = { .list = args->look.json ? json_array() : NULL, .width = terminal_width() };
    int status = STATUS_OK;
    if (args->noperands == 0) {
        json_decref(page.list);
        say_error("explain what? A check ('roce doctor --list'), a counter or a term: roce explain GID");
        return STATUS_ERROR;
    }
    char *all = join(args->operands, args->noperands);
    explain_word(&page, all);
    bool together = page.shown > 0;
    for (size_t i = 0; !together && i < args->noperands; i++) {
        size_t before = page.shown;
        explain_word(&page, args->operands[i]);
        if (page.shown != before)
            continue;
        const char *nearest = text_nearest(args->operands[i], count_words(), word_at, NULL);
        if (nearest)
            say_error("nothing is known of '%s'; did you mean '%s'?", args->operands[i], nearest);
        else
            say_error("nothing is known of '%s'; 'roce doctor --list' shows the checks", args->operands[i]);
        status = STATUS_ERROR;
        break;
    }
    free(all);
    if (page.list && status == STATUS_OK) {
        json_t *top = json_envelope(NULL);
        json_object_set(top, "explanations", page.list);
        json_print(top);
    }
    json_decref(page.list);
    return status;
}

static const char *const words[] = { "CHECK|TERM|COUNTER", NULL };

const struct command cmd_explain = {
    .name = "explain",
    .group = GROUP_JUDGE,
    .operands_text = "WORD",
    .operands = OPERANDS_OWN,
    .words = words,
    .summary = "what a check, a counter or a technical term means",
    .examples = "roce explain gid-holes\ta check of doctor\n"
                "roce explain out_of_sequence\ta counter, of each driver that has it\n"
                "roce explain PFC\ta term",
    .no_host = true,
    .no_source = true,
    .run = run,
};
