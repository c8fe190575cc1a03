/* SPDX-License-Identifier: MIT */
/* Active tests: does data flow between a pair of GIDs, unharmed, and how fast? The rooms, each of which may
 * include only those before it: diagnosis ← queues ← trial ← peer ← the files next to this one. */
#pragma once

#include "selftest/peer/peer.h"
#include "selftest/result.h"

/* A run: the tests of one pair of GIDs, whatever the other end is. */
struct run {
    const struct test_options *options;
    struct set *set;
    struct peer *peer;
    struct results *results;
    struct result template; /* device, gid, port, gid_index of every result */
    uint32_t mtu;           /* of the path */
    uint16_t session;       /* upper half of every pattern's seed */
    uint16_t trials;
    double seconds;     /* taken by the last BANDWIDTH trial */
    double cpu_seconds; /* that this thread used in the last measurement */
    double pace;        /* ns per byte, of the fastest large message so far; 0: none yet */
    bool through;       /* some message has got through */
    bool dead;          /* nothing gets through: the rest isn't tried */
    uint8_t deaths;
    /* bytes of the smallest message that got lost although smaller ones come through; of how many operations,
     * since one as large did */
    uint32_t stuck_size;
    uint32_t largest; /* bytes of the largest that was verified */
    uint8_t stuck;
    void (*progress)(void *data, const char *text);
    /* After each of several measurements of one kind, with its own figures. NULL: nobody asks. */
    void (*interval)(void *data, const struct result *result);
    void *interval_data;
    /* Before each measurement: returns once the others are there, too. NULL: there are none. */
    void (*meet)(void *data);
    void *meet_data;
};

/* Runs all that the options ask for. Returns 0 if it got to the end, whatever the verdicts; -EINTR; -ECONNRESET
 * if the server is gone. */
int selftest_run(struct run *run);
/* The same of several, each in a thread of its own, for whose progress and interval that has to do; sets meet.
 * Returns 0 or -EINTR. */
int selftest_run_together(struct run *const *runs, size_t count);
/* Its first half: every operation, in sizes around the path MTU. */
int verify_all(struct run *run);
/* Bytes of the largest message that the options can require. */
uint32_t plan_largest(const struct test_options *options);

/* A trial with its own seed. */
struct trial run_new_trial(struct run *run, enum trial_kind kind, enum queue_kind queue, enum operation op,
                           uint32_t size, unsigned flags);
/* Why this end or the other can't do it, written to text; NULL if it can. */
const char *run_impossible(const struct run *run, const struct trial *trial,
                           char text[static FAILURE_TEXT_SIZE]);
/* Was this operation requested, and is it worth trying? */
bool run_wants(const struct run *run, enum operation op);
/* A message of so many bytes has got through, or has not where smaller ones do (reliable queue pairs). */
void run_learn_size(struct run *run, uint32_t size, bool through);
/* Adds a result that isn't a trial's, for the caller to fill in. */
struct result *run_add(struct run *run, const char *operation, enum verdict verdict);
/* Adds a trial's result; it is a pass until the caller says otherwise. Returns false if it can't be tried: the
 * result says why. */
bool run_begin(struct run *run, const struct trial *trial, const char *suffix, struct result **result);
void run_say(struct run *run, const char *what, uint32_t size);
/* One trial from start to end. samples: see pingpong_run(). */
int run_trial(struct run *run, const struct trial *trial, uint64_t *samples, struct failure *failure);
/* Did the interrupt end this test? Then it hasn't failed, and result says so. */
bool run_stopped(struct result *result, const struct failure *failure);
/* After the trials of an operation, which ended with r: if one failed, makes new queue pairs or sets run->dead.
 * some: messages of the operation passed. Returns 0, -EINTR or -ECONNRESET, as selftest_run(). */
int run_end(struct run *run, int r, const struct failure *failure, bool some);
