/* SPDX-License-Identifier: MIT */
/* What things mean, for a person in paragraphs, or as JSON objects. */
#pragma once

#include <stddef.h>

#include "check/check.h"
#include "explain/knowledge.h"
#include "model/counters.h"
#include "model/selection.h"
#include "view/json.h"

struct page {
    json_t *list;   /* of the objects; NULL: text on standard output */
    json_t *object; /* the one that is being made */
    size_t width, shown;
};

/* Each is one explanation, of text with a line between two. */
void page_check(struct page *page, const struct check *check);
void page_topic(struct page *page, const char *topic);
void page_counter(struct page *page, const struct counter_table *table, const struct counter_def *def,
                  const char *name);
void page_term(struct page *page, const struct term *term);
void page_word(struct page *page, const struct word_table *table, const struct word *word);
void page_status(struct page *page, int status); /* of a completion */
void page_step(struct page *page, const char *name, enum step step);

/* A line of a log, and what it comes to on the machine that it names parts of. */
struct explained {
    struct reading reading;
    const char *line; /* the first that says so, len bytes */
    size_t len, number, times;
    struct mention mentions[MENTIONS_MOST];
    size_t nmentions;
};

/* host: what the mentions are of, NULL with none; recording: its path for commands to be pasted, NULL: live. */
void page_message(struct page *page, const struct host *host, const char *recording,
                  const struct explained *explained);
