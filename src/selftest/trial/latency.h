/* SPDX-License-Identifier: MIT */
/* Latency: messages that go back and forth, one at a time. The side that starts takes the time of every
 * round; the other one answers, either in a thread or process of its own (answer_serve) or, in loopback, from
 * within the starting side's loop (answer_step), so that both need only one CPU. */
#pragma once

#include "selftest/queues/queue.h"
#include "selftest/trial/trial.h"

enum { LATENCY_WARMUP = 32 }; /* rounds before those that count */

struct ball; /* what is ready to be posted again and again */

struct answer {
    struct queue *queue;
    const struct trial *trial;
    struct ball *ball;
    uint64_t rounds, wanted;
    struct watch patience;
};

/* Posts receives. The caller ends it with answer_end(), also after a failure. */
int answer_begin(struct answer *answer, struct queue *queue, const struct trial *trial,
                 struct failure *failure);
/* Answers a message if one has come: 1, else 0; -EIO with failure filled. */
int answer_step(struct answer *answer, struct failure *failure);
int answer_serve(struct answer *answer, const struct watch *watch, struct failure *failure);
void answer_end(struct answer *answer);

/* Posts the starter's receives: before the other side is told to begin. */
int latency_begin(struct queue *queue, const struct trial *trial, struct ball **ball, struct failure *failure);
/* Plays trial->count rounds; samples (room for as many) in ticks of ticks_now(): whole rounds. other: the
 * answering side of loopback, or NULL. Ends ball. */
int latency_run(struct queue *queue, const struct trial *trial, struct ball *ball, struct answer *other,
                const struct watch *watch, uint64_t *samples, struct failure *failure);

/* Is the time of a whole round there and back (halved by custom), or of one request with its response? */
bool latency_is_round(const struct trial *trial);
