/* SPDX-License-Identifier: MIT */
/* A run: the tests of one pair of GIDs, whatever the other end is. Shared by plan.c and measure.c. */
#pragma once

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
    double pace;  /* ns per byte, of the fastest large message so far; 0: none yet */
    bool through; /* some message has got through */
    bool dead;    /* nothing gets through: the rest isn't tried */
    uint8_t deaths;
    void (*progress)(void *data, const char *text);
    void *progress_data;
};

/* A trial with its own seed. */
struct trial run_new_trial(struct run *run, enum trial_kind kind, enum queue_kind queue, enum operation op,
                           uint32_t size, unsigned flags);
/* Why this end or the other can't do it, written to text; NULL if it can. */
const char *run_impossible(const struct run *run, const struct trial *trial,
                           char text[static FAILURE_TEXT_SIZE]);
/* What went wrong making or connecting the queue pair for it. NULL if there is one, or the device doesn't have
 * that kind. */
const struct failure *run_broken(const struct run *run, const struct trial *trial);
/* One trial from start to end. samples: see latency_run(); seconds: for BANDWIDTH. */
int run_trial(struct run *run, const struct trial *trial, uint64_t *samples, double *seconds,
              struct failure *failure);
/* After a failed trial: makes new queue pairs, or sets run->dead. some: other messages of the operation
 * passed. */
int run_recover(struct run *run, const struct failure *failure, bool some);

/* Was this operation requested, and is it worth trying? */
bool run_wants(const struct run *run, enum operation op);
/* Adds a result that isn't a trial's, for the caller to fill in. */
struct result *run_add(struct run *run, const char *operation, enum verdict verdict);
/* Adds a trial's result; it is a pass until the caller says otherwise. */
struct result *run_result(struct run *run, const struct trial *trial, const char *suffix);
/* Did the interrupt end this test? Then it hasn't failed, and result says so. */
bool run_stopped(struct result *result, const struct failure *failure);
void run_say(struct run *run, const char *what, uint32_t size);

/* What is verified: every operation, in sizes around the path MTU. */

/* Bytes of the largest message that the options can require. */
uint32_t plan_largest(const struct test_options *options);
/* Returns 0, -EINTR or -ECONNRESET, as selftest_run(). */
int plan_verify(struct run *run);

/* What is measured: latency and bandwidth. */

/* Returns 0, -EINTR or -ECONNRESET, as selftest_run(). */
int measure_all(struct run *run);

/* Active tests: does data flow between a pair of GIDs, unharmed, and how fast? The rooms, each of which may
 * include only those before it: diagnosis ← queues ← trial ← peer ← the files next to this one. */

/* Runs all that the options ask for. Returns 0 if it got to the end, whatever the verdicts; -EINTR; -ECONNRESET
 * if the server is gone. */
int selftest_run(struct run *run);
