/* SPDX-License-Identifier: MIT */
/* Lines that programs print: NCCL, UCX, libfabric, perftest, MPI, NVMe, the kernel. Which message a line is,
 * what status, errno, reason or event it names, and what that means: by diagnosis and the tables of words
 * where these know it, by its own row where they don't. Pure; a line is anybody's bytes. */
#pragma once

#include <stddef.h>

#include "model/word.h"
#include "selftest/diagnosis/diagnosis.h"

enum {
    LINE_MOST = 4096, /* bytes of a line that are looked at */
    MESSAGE_CAUSES = 4
};

struct message {
    const char *program; /* "NCCL", "kernel", … */
    /* What the line holds, in this order: text; '*' anything; {status} a completion status' number,
     * {syndrome} a completion's syndrome of mlx5 or hns in hex, {errno} an errno's number of either sign,
     * {error} its text, {reject} a reject reason's number, {event} a name of enum rdma_cm_event_type,
     * {cmevent} its number, {async} an asynchronous event's words, {asyncnumber} its number, {address}
     * HOST:PORT. '^' in front is the line's beginning, '$' its end. With upper and lower case as it is. */
    const char *pattern;
    const char *means;  /* NULL: what the status, errno, … means says it all */
    const char *end;    /* NULL: that of the status, … */
    const char *causes; /* a line each, likeliest first; NULL: those of the status, … */
    const char *checks; /* comma-separated; NULL: those of the status, … */
    enum step step;     /* with an errno: what failed with it */
    int err, status;    /* what the message always is, if the line doesn't name one; status 0: none */
};

/* What was found in a line. */
struct reading {
    const struct message *message;  /* NULL: only a status or the like was recognised */
    int status;                     /* completion status; -1: none */
    int err;                        /* positive errno; 0: none */
    const struct word *word;        /* a reject reason, an event; NULL: none */
    const struct word_table *table; /* its */
};

/* The message that line (len bytes) is. false: nothing is known of it. */
bool line_read(const char *line, size_t len, struct reading *reading);

/* What it comes to, from all that is known. Texts are static, or point into this. */
struct answer {
    const char *program; /* NULL: not known */
    const char *means;   /* NULL: the status' name says it all */
    const char *also;    /* what the status, errno, reason or event means besides; NULL */
    const char *end;     /* may be NULL */
    char causes[MESSAGE_CAUSES][CAUSE_TEXT_SIZE];
    size_t ncauses;
    const char *checks; /* may be NULL */
};
void reading_answer(const struct reading *reading, struct answer *answer);

/* For tests and completion that walk them. NULL at the end. */
const struct message *message_at(size_t i);

/* mlx5's syndrome of a completion as its status; -1: not known. */
int syndrome_status(unsigned long syndrome);
