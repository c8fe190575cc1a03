/* SPDX-License-Identifier: MIT */
/* What is known about messages that programs print, words of the kernel and the libraries, and terms of the
 * field. The tables are made of the text files in this directory (README.md), which anybody can edit; each ends
 * with an empty row. They are unpacked when first asked for, by one thread. */
#pragma once

#include "selftest/diagnosis/diagnosis.h"

/* A word that has a name or a number and a meaning: a state, an event, a reason, a variable. */
struct word {
    const char *name; /* "RDMA_CM_EVENT_REJECTED" */
    const char *also; /* other spellings, comma-separated; may be NULL */
    int number;       /* -1 if it has none */
    const char *text;
    const char *end;    /* which end it is about, who has to look; may be NULL */
    const char *causes; /* a line each, likeliest first; may be NULL */
    const char *checks; /* doctor's, comma-separated; may be NULL */
};

struct word_table {
    const char *kind;    /* "RDMA_CM event": for people, and JSON's "kind" */
    const char *numbers; /* what a question puts before a number: "event"; comma-separated, or NULL */
    unsigned first;      /* of its words, among those of all tables */
};

extern const struct word_table words_cm_events, words_cm_reasons, words_async_events, words_errnos,
    words_port_states, words_verdicts, words_port_verdicts, words_symptoms;
extern const struct word_table *const word_tables[]; /* these and others, NULL-terminated */
const struct word *words_in(const struct word_table *table);

/* By name or another spelling, as text_is_named() compares them; by number. NULL if there is none. */
const struct word *word_find(const struct word_table *table, const char *name);
const struct word *word_numbered(const struct word_table *table, int number);

struct term {
    const char *name;  /* "GID" */
    const char *also;  /* other spellings, comma-separated; may be NULL */
    const char *means; /* "Global Identifier" or the like; NULL if not an abbreviation */
    const char *text;
};

const struct term *terms_all(void);
const struct term *term_find(const char *name); /* NULL if there is none */
/* The one of whose other spellings one is a pattern for name ("mlx5_0" is a device); NULL if there is none. */
const struct term *term_like(const char *name);
/* A completion's status by name, with IBV_ or IBV_WC_ or without, or by words; -1 if there is none. */
int status_find(const char *name);

/* A message of NCCL, UCX, MPI, the kernel … The first one that matches a line is the answer, those last that
 * are vague. */
struct message {
    const char *pattern; /* README.md describes its form */
    const char *program; /* "NCCL", "kernel", …; NULL for any */
    const char *means;   /* NULL if the meaning of the status, errno, … says it all */
    const char *end;     /* NULL for that of the status, … */
    const char *causes;  /* a line each, likeliest first; NULL for those of the status, … */
    const char *checks;  /* comma-separated; NULL for those of the status, … */
    enum step step;      /* with an errno, what failed with it */
    int err, status;     /* what the message always means, if the line doesn't name one; status 0: none */
    bool vague;          /* tells the program rather than what failed: a later message may */
};

const struct message *messages_all(void);

/* For answer.c: the texts of these, as gzip packs them, and their numbers. */
struct message_numbers {
    unsigned char step : 7;
    bool vague : 1;
    unsigned char err, status;
};
extern const struct message_numbers message_numbers[];
extern const short word_numbers[];
extern const size_t message_count, word_count, term_count; /* with the empty rows */
extern const unsigned char texts_packed[];
extern const size_t texts_packed_size;

/* What was found in a line. */
struct reading {
    const struct message *message;  /* NULL if only a status or the like was recognised */
    const char *program;            /* whose line it is; NULL if not known */
    int status;                     /* completion status, or -1 */
    int err;                        /* positive errno, or 0 */
    bool aside;                     /* err isn't among the message's words */
    const struct word *word;        /* a reject reason, an event, or NULL */
    const struct word_table *table; /* the table of word */
};

enum { LINE_MOST = 4096 }; /* bytes of a line that are looked at */

/* Recognises the message in line (len bytes, untrusted). Returns false if nothing is known about it. */
bool line_read(const char *line, size_t len, struct reading *reading);

/* The status for an mlx5 completion's syndrome; -1 if not known. */
int syndrome_status(unsigned long syndrome);

enum { CHECKS_TEXT_SIZE = 192 }; /* the longest list of a record, and more */

/* What a reading means, from all that is known. Texts are static, or within it: it may not be copied. */
struct answer {
    const char *program; /* NULL if not known */
    const char *means;   /* NULL if the name of the status says it all */
    const char *also;    /* what the status, errno, reason or event means in addition; may be NULL */
    const char *end;     /* may be NULL */
    const char *checks;  /* comma-separated; may be NULL */
    char checks_left[CHECKS_TEXT_SIZE]; /* where some were taken out */
    char causes[LIKELY_TEXT_SIZE];      /* a line each, likeliest first; may be "" */
};
void reading_answer(const struct reading *reading, struct answer *answer);

/* Every word that can be asked for, with its kind, named as operands are ("CHECK", "TERM", "COUNTER", "STATUS",
 * "CALL") and a line of help (may be NULL). */
typedef void see_word(void *data, const char *kind, const char *word, const char *help);
void vocabulary_see(see_word *see, void *data);
