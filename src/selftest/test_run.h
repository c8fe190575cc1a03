/* SPDX-License-Identifier: MIT */
/* A run: the tests of one pair of GIDs, whoever the other end is. What plan.c and measure.c are made of. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "selftest/peer/peer.h"
#include "selftest/result.h"
#include "selftest/trial/trial.h"

struct run {
    const struct test_options *options;
    struct set *set;
    struct peer *peer;
    struct results *results;
    struct result template; /* device, gid, port, gid_index of every result */
    uint32_t mtu;           /* of the path */
    uint16_t session;       /* upper half of every pattern's seed */
    uint16_t trials;
    double pace;  /* ns a byte, of the fastest large message so far; 0: none yet */
    bool through; /* some message has come through */
    bool dead;    /* nothing comes through: the rest isn't tried */
    uint8_t deaths;
    void (*progress)(void *data, const char *text);
    void *progress_data;
};

/* A trial with a seed of its own. */
struct trial run_new_trial(struct run *run, enum trial_kind kind, enum queue_kind queue, enum operation op,
                           uint32_t size, unsigned flags);
/* Why this end or the other can't do it; NULL: it can. text is a place for it. */
const char *run_impossible(const struct run *run, const struct trial *trial,
                           char text[static FAILURE_TEXT_SIZE]);
/* There is no queue pair for it because making or connecting one went wrong: what. NULL: there is, or the
 * device has no such. */
const struct failure *run_broken(const struct run *run, const struct trial *trial);
/* One trial from beginning to end. samples: see latency_run(); seconds: of BANDWIDTH. */
int run_trial(struct run *run, const struct trial *trial, uint64_t *samples, double *seconds,
              struct failure *failure);
/* After a failed trial: new queue pairs, or run->dead. some: other messages of the same operation passed. */
int run_recover(struct run *run, const struct failure *failure, bool some);

/* Is this operation among those asked for, and worth trying? */
bool run_wants(const struct run *run, enum operation op);
/* Adds a result that isn't of a trial. It is the caller's to fill in further. */
struct result *run_add(struct run *run, const char *operation, enum verdict verdict);
/* Adds a trial's result, which passes until the caller says otherwise. */
struct result *run_result(struct run *run, const struct trial *trial, const char *suffix);
/* Was it the interrupt that ended this test? Then it hasn't failed, and result says so. */
bool run_stopped(struct result *result, const struct failure *failure);
void run_say(struct run *run, const char *what, uint32_t size);

/* What is verified: every operation in sizes across the path MTU. */

/* Bytes of the largest message that the options can lead to. */
uint32_t plan_largest(const struct test_options *options);
/* 0, -EINTR or -ECONNRESET, as selftest_run(). */
int plan_verify(struct run *run);

/* What is measured: latency and bandwidth. */

/* 0, -EINTR or -ECONNRESET, as selftest_run(). */
int measure_all(struct run *run);

/* Active tests: do bytes flow through a pair of GIDs, unharmed, and how fast. The rooms, each of which may
 * include only those before it: diagnosis ← queues ← trial ← peer ← the files next to this one. */

/* Runs all that the options ask for. 0 when it came to its end, whatever the verdicts; -EINTR; -ECONNRESET:
 * the server is gone. */
int selftest_run(struct run *run);
