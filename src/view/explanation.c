/* SPDX-License-Identifier: MIT */
#include "view/explanation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "view/page.h"

enum { LABEL = 9 };

void page_block(const struct page *page, const char *label, const char *text)
{
    block_print(label, LABEL, text, page->width);
}

json_t *page_object(struct page *page, const char *kind, const char *name)
{
    json_t *object = json_object();
    json_put_text(object, "kind", kind);
    json_put_text(object, "name", name);
    json_array_append_new(page->list, object);
    page->shown++;
    return object;
}

void page_heading(struct page *page, const char *kind, const char *name)
{
    printf("%s%s (%s)\n", page->shown++ ? "\n" : "", name, kind);
}

void page_check(struct page *page, const struct check *check)
{
    if (page->list) {
        json_t *object = page_object(page, "check", check->id);
        json_put_text(object, "topic", check->topic);
        json_put_text(object, "scope", check_scope_name(check->scope));
        json_put_text(object, "healthy", check->healthy);
        json_put_text(object, "why", check->why);
        json_put_text(object, "fix", check->fix);
        return;
    }
    page_heading(page, "check", check->id);
    page_block(page, "topic", check->topic);
    page_block(page, "expected", check->healthy);
    page_block(page, "of each", check_scope_name(check->scope));
    page_block(page, "why", check->why);
    page_block(page, "fix", check->fix);
}

void page_topic(struct page *page, const char *topic)
{
    json_t *checks = NULL;
    if (page->list) {
        json_t *object = page_object(page, "topic", topic);
        json_put_text(object, "text", check_topic_text(topic));
        json_object_set_new(object, "checks", checks = json_array());
    } else {
        page_heading(page, "topic", topic);
        page_block(page, "about", check_topic_text(topic));
    }
    for (size_t i = 0; i < check_count(); i++) {
        if (strcmp(check_at(i)->topic, topic) != 0)
            continue;
        if (checks)
            json_array_append_new(checks, json_text(check_at(i)->id));
        else
            block_print(check_at(i)->id, 24, check_at(i)->healthy, page->width);
    }
}

void page_counter(struct page *page, const struct counter_table *table, const struct counter_def *def,
                  const char *name)
{
    const char *family = table->family ? table->family : "all drivers";
    if (page->list) {
        json_t *object = page_object(page, "counter", name);
        json_put_text(object, "driver", table->family);
        json_put_text(object, "directory", table->dir);
        json_put_text(object, "text", def->meaning);
        json_put_text(object, "unit", counter_unit_name(def->unit));
        json_put_text(object, "severity", counter_severity_name(def->severity));
        return;
    }
    page_heading(page, "counter", name);
    page_block(page, "driver", family);
    page_block(page, "in", table->dir);
    page_block(page, "means", def->meaning);
    page_block(page, "unit", counter_unit_name(def->unit));
    page_block(page, "severity", counter_severity_name(def->severity));
}

void page_term(struct page *page, const struct term *term)
{
    if (page->list) {
        json_t *object = page_object(page, "term", term->name);
        json_put_text(object, "means", term->means);
        json_put_text(object, "text", term->text);
        return;
    }
    page_heading(page, "term", term->name);
    if (term->means)
        page_block(page, "short for", term->means);
    page_block(page, "means", term->text);
}

json_t *page_strings(const char *list, const char *separator)
{
    json_t *array = json_array();
    for (const char *at = list; at && *at;) {
        size_t n = strcspn(at, separator);
        char *item = mem_printf("%.*s", (int)n, at);
        json_array_append_new(array, json_text(item));
        free(item);
        at += n + (at[n] != '\0');
    }
    return array;
}

static void print_causes(const struct page *page, const char *causes)
{
    for (const char *at = causes; at && *at;) {
        size_t n = strcspn(at, "\n");
        char *cause = mem_printf("%.*s", (int)n, at);
        page_block(page, at == causes ? "cause" : "or", cause);
        free(cause);
        at += n + (at[n] == '\n');
    }
}

void page_checks(const struct page *page, const char *checks, const char *tail)
{
    char *line = mem_printf("roce doctor --only %s%s", checks, tail);
    page_block(page, "look", line);
    free(line);
}

/* Where calls of libibverbs and librdmacm answer with this errno, and what it then means. */
static void explain_steps(struct page *page, int err, json_t *object)
{
    json_t *array = object ? json_array() : NULL;
    enum step step;
    for (size_t i = 0; diagnosis_step_of(err, i, &step); i++) {
        struct explanation explanation;
        const struct failure failure = { .step = step, .err = err };
        if (!diagnosis_explain(&failure, &explanation) || !explanation.meaning)
            continue;
        char *line = mem_printf("could not %s: %s", step_text(step), explanation.meaning);
        if (array)
            json_array_append_new(array, json_text(line));
        else
            page_block(page, "at", line);
        free(line);
    }
    if (object)
        json_object_set_new(object, "at", array);
}

void page_word(struct page *page, const struct word_table *table, const struct word *word)
{
    bool is_errno = table == &words_errnos;
    if (page->list) {
        json_t *object = page_object(page, table->kind, word->name);
        json_object_set_new(object, "number", word->number < 0 ? json_null() : json_integer(word->number));
        json_put_text(object, "text", word->text);
        json_put_text(object, "end", word->end);
        json_object_set_new(object, "causes", page_strings(word->causes, "\n"));
        json_object_set_new(object, "checks", page_strings(word->checks, ","));
        if (is_errno)
            explain_steps(page, word->number, object);
        return;
    }
    char *kind = word->number < 0 ? mem_strdup(table->kind) : mem_printf("%s %d", table->kind, word->number);
    page_heading(page, kind, word->name);
    free(kind);
    page_block(page, "means", word->text);
    if (is_errno)
        explain_steps(page, word->number, NULL);
    if (word->end)
        page_block(page, "where", word->end);
    print_causes(page, word->causes);
    if (word->checks)
        page_checks(page, word->checks, "");
}

void page_status(struct page *page, int status)
{
    struct explanation explanation;
    const struct failure failure = { .wc_status = status };
    bool known = diagnosis_explain(&failure, &explanation);
    struct bytes causes = { 0 };
    for (size_t i = 0; i < explanation.ncauses; i++)
        bytes_printf(&causes, "%s%s", i ? "\n" : "", explanation.causes[i]);
    const char *text = known && explanation.meaning ? explanation.meaning
                       : status                     ? "not used on RoCE, or by few programs"
                                                    : "the request was carried out";
    if (page->list) {
        json_t *object = page_object(page, "completion status", wc_name(status));
        json_object_set_new(object, "number", json_integer(status));
        json_put_text(object, "means", wc_text(status));
        json_put_text(object, "text", text);
        json_put_text(object, "end", explanation.end);
        json_object_set_new(object, "causes", page_strings(causes.data, "\n"));
        json_object_set_new(object, "checks", page_strings(explanation.checks, ","));
    } else {
        char *kind = mem_printf("completion status %d", status);
        page_heading(page, kind, wc_name(status));
        free(kind);
        page_block(page, "in words", wc_text(status));
        page_block(page, "means", text);
        if (explanation.end)
            page_block(page, "where", explanation.end);
        print_causes(page, causes.data);
        if (explanation.checks)
            page_checks(page, explanation.checks, "");
    }
    bytes_free(&causes);
}

void page_step(struct page *page, const char *name, enum step step)
{
    json_t *object = page->list ? page_object(page, "step", name) : NULL, *at = object ? json_array() : NULL;
    int err;
    if (object)
        json_put_text(object, "text", step_text(step));
    else {
        page_heading(page, "step", name);
        page_block(page, "is to", step_text(step));
    }
    for (size_t i = 0; diagnosis_errno_of(step, i, &err); i++) {
        struct explanation explanation;
        const struct failure failure = { .step = step, .err = err };
        if (!diagnosis_explain(&failure, &explanation) || !explanation.meaning)
            continue;
        struct bytes line = { 0 };
        bytes_printf(&line, "%s: %s", err ? strerrorname_np(err) : "any other errno", explanation.meaning);
        for (size_t c = 0; c < explanation.ncauses; c++)
            bytes_printf(&line, "%s%s", c ? "; or " : ". Likely: ", explanation.causes[c]);
        if (at)
            json_array_append_new(at, json_text(line.data));
        else
            page_block(page, "with", line.data);
        bytes_free(&line);
    }
    if (object)
        json_object_set_new(object, "at", at);
}
