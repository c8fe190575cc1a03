/* SPDX-License-Identifier: MIT */
/* What things mean, for a person in paragraphs, or as JSON objects. */
#pragma once

#include "check/check.h"
#include "explain/knowledge.h"
#include "model/attribute.h"
#include "model/selection.h"
#include "view/json.h"

struct page {
    json_t *list;        /* collects the objects; NULL: text on standard output */
    json_t *object;      /* the one being built */
    struct arena *arena; /* of its texts */
    size_t width, shown;
};

/* Each is one explanation; as text, a blank line separates two. */
void page_check(struct page *page, const struct check *check);
void page_topic(struct page *page, const char *topic);
void page_counter(struct page *page, const struct counter_table *table, const struct counter_def *def,
                  const char *name);
void page_term(struct page *page, const struct term *term);
void page_fact(struct page *page, const struct attribute *attribute);
void page_word(struct page *page, const struct word_table *table, const struct word *word);
void page_status(struct page *page, int status); /* a completion's */
void page_step(struct page *page, const char *name, enum step step);
/* Of the last one: what the number is that was asked for with it. NULL: nothing is said. */
void page_value(const struct page *page, const char *value);
/* What to run for name: roce, and what that says; NULL if nothing of roce's. */
void page_command(struct page *page, const char *name, const char *roce, const char *says);

/* A log line, and what it means on the machine whose parts it names. */
struct explained {
    struct reading reading;
    const char *line; /* the first one saying this, len bytes */
    size_t len, number, times;
    struct mention mentions[MENTIONS_MOST];
    size_t nmentions;
};

/* report: of the host where the mentioned parts are, NULL without mentions; recording: its path for commands to
 * paste, NULL if live. */
void page_message(struct page *page, const struct report *report, const char *recording,
                  const struct explained *explained);
