/* SPDX-License-Identifier: MIT */
/* What is known of messages that programs print, of words of the kernel and the libraries, and of terms of
 * the field. The tables are made of the text files beside this (README.md), which anybody can edit; each ends
 * with an empty row. All pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "selftest/diagnosis/diagnosis.h"

/* A word that has a name or a number and a meaning: a state, an event, a reason, a variable. */
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
};

extern const struct word_table words_cm_events, words_cm_reasons, words_async_events, words_errnos,
    words_port_states, words_verdicts, words_port_verdicts;
extern const struct word_table *const word_tables[]; /* these and others; NULL ends */

/* By name or another spelling, upper or lower case; by number. NULL: none. */
const struct word *word_find(const struct word_table *table, const char *name);
const struct word *word_numbered(const struct word_table *table, int number);

struct term {
    const char *name;  /* "GID" */
    const char *also;  /* other spellings, comma-separated; may be NULL */
    const char *means; /* "Global Identifier" or the like; NULL: it's no abbreviation */
    const char *text;
};

extern const struct term terms[];
const struct term *term_find(const char *name); /* upper or lower case; NULL: none */

/* A message of NCCL, UCX, MPI, the kernel … The first one that fits a line is the answer. */
struct message {
    const char *pattern; /* README.md has its form */
    const char *program; /* "NCCL", "kernel", …; NULL: any */
    const char *means;   /* NULL: what the status, errno, … means says it all */
    const char *end;     /* NULL: that of the status, … */
    const char *causes;  /* a line each, likeliest first; NULL: those of the status, … */
    const char *checks;  /* comma-separated; NULL: those of the status, … */
    enum step step;      /* with an errno: what failed with it */
    int err, status;     /* what the message always is, if the line doesn't name one; status 0: none */
};

extern const struct message messages[];

/* What was found in a line. */
struct reading {
    const struct message *message;  /* NULL: only a status or the like was recognised */
    int status;                     /* completion status; -1: none */
    int err;                        /* positive errno; 0: none */
    const struct word *word;        /* a reject reason, an event; NULL: none */
    const struct word_table *table; /* its */
};

enum { LINE_MOST = 4096 }; /* bytes of a line that are looked at */

/* The message that line (len bytes, anybody's) is. false: nothing is known of it. */
bool line_read(const char *line, size_t len, struct reading *reading);

/* mlx5's syndrome of a completion as its status; -1: not known. */
int syndrome_status(unsigned long syndrome);

/* What it comes to, from all that is known. Texts are static. */
struct answer {
    const char *program;           /* NULL: not known */
    const char *means;             /* NULL: the status' name says it all */
    const char *also;              /* what the status, errno, reason or event means besides; NULL */
    const char *end;               /* may be NULL */
    const char *checks;            /* may be NULL */
    char causes[LIKELY_TEXT_SIZE]; /* a line each, likeliest first; "": none */
};
void reading_answer(const struct reading *reading, struct answer *answer);

/* Every word that can be asked for, with its kind as an operand is called ("CHECK", "TERM", "COUNTER",
 * "STATUS", "CALL") and a line of help (may be NULL). */
typedef void see_word(void *data, const char *kind, const char *word, const char *help);
void vocabulary_see(see_word *see, void *data);
