/* SPDX-License-Identifier: MIT */
/* Words that have a meaning: verdicts, what the kernel and the libraries say, terms of the field. */
#pragma once

#include <stddef.h>

/* What came of looking at something, or of trying it, from harmless to worst. */
enum verdict {
    VERDICT_NA,      /* it doesn't apply: no such port, driver, setting or ability here */
    VERDICT_PASS,    /* looked at, and fine */
    VERDICT_INFO,    /* worth knowing, and no fault */
    VERDICT_UNKNOWN, /* could not look: no permission, no back end; the evidence says which */
    VERDICT_WARN,
    VERDICT_FAIL,
    VERDICTS
};

/* "fail", "warn", "unknown", "info", "pass", "n/a" */
const char *verdict_name(enum verdict verdict);

/* Words of roce, the kernel and the libraries that have a name or a number and a meaning: states, events,
 * reasons, variables. Terms of the field are below, completion statuses in selftest/diagnosis. */

struct word {
    const char *name; /* "RDMA_CM_EVENT_REJECTED" */
    const char *also; /* other spellings, comma-separated; may be NULL */
    int number;       /* -1: it has none */
    const char *text;
    const char *end;    /* which end it speaks of, who has to look; may be NULL */
    const char *causes; /* a line each, likeliest first; may be NULL */
    const char *checks; /* of doctor, comma-separated; may be NULL */
};

struct word_table {
    const char *kind;    /* "RDMA_CM event": for a person, and JSON's "kind" */
    const char *numbers; /* what a question says before one: "event"; comma-separated; NULL: none */
    const struct word *words;
    size_t count;
};

/* All tables; one by its kind. */
const struct word_table *const *word_tables(size_t *count);
const struct word_table *word_table_find(const char *kind);

/* By name or another spelling, upper or lower case; by number. NULL: none. */
const struct word *word_find(const struct word_table *table, const char *name);
const struct word *word_numbered(const struct word_table *table, int number);

extern const struct word_table words_cm_events, words_cm_reasons, words_async_events, words_errnos,
    words_variables, words_port_states, words_physical_states, words_qp_states, words_node_types,
    words_verdicts, words_port_verdicts;

/* The field's words, explained for an operator in a sentence or two. */

struct term {
    const char *name;  /* "GID" */
    const char *also;  /* other spellings, comma-separated, lower case; may be NULL */
    const char *means; /* "Global Identifier" or the like; NULL: it's no abbreviation */
    const char *text;
};

size_t term_count(void);
const struct term *term_at(size_t i);
const struct term *term_find(const char *name); /* upper or lower case; NULL: none */
