/* A run: the tests of one pair of GIDs, whoever the other end is, and what came of them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/num.h"
#include "selftest/respond.h"
#include "selftest/stats.h"

/* The other end. In loopback it lives in this process, else behind a connection to a server. */
struct peer {
    /* Gets ready for a trial. */
    int (*arm)(struct peer *peer, const struct trial *trial, struct failure *failure);
    /* The starter has done its part (or failed): what did the other end see? 0 when all was right there. */
    int (*finish)(struct peer *peer, const struct trial *trial, struct failure *failure);
    /* New queue pairs on both ends, after a failure has ended the old ones. *set replaces run->set. */
    int (*reopen)(struct peer *peer, struct set **set, struct failure *failure);
    struct responder *local; /* loopback: to be stepped by our own loops; NULL: elsewhere */
    int fd;                  /* control connection; -1: none */
};

enum verdict_of_test { TEST_PASS, TEST_WARN, TEST_FAIL, TEST_NA };
const char *test_verdict_text(enum verdict_of_test verdict); /* "pass", "warn", "fail", "n/a" */

enum { RESULT_NAME_SIZE = 40 };

struct result {
    const char *device, *gid; /* belong to the caller */
    uint32_t port;
    struct num gid_index;             /* not known: it's about the port */
    char operation[RESULT_NAME_SIZE]; /* "RC send", "RC send, inline" */
    char kind;                        /* 'v' verified, 'l' latency, 'b' bandwidth */
    uint32_t size_min, size;          /* bytes; of a failure: of the message that failed */
    enum verdict_of_test verdict;
    uint64_t messages, lost;
    struct stats latency; /* µs; count 0: not measured */
    char picture[HISTOGRAM_TEXT_SIZE];
    double mbytes_per_second, messages_per_second; /* 0: not measured; MB: 10^6 bytes */
    struct failure failure;                        /* of a FAIL or WARN */
    char note[FAILURE_TEXT_SIZE];                  /* why N/A, or what else there is to say */
};

struct results {
    struct result *items; /* freed with free() */
    size_t count, size;
};
struct result *results_add(struct results *results);

struct test_options {
    bool verify, latency, bandwidth;
    bool both_ways;      /* bandwidth */
    bool thorough;       /* verify the largest messages of every operation */
    uint32_t operations; /* bit mask of enum operation; 0: all */
    uint32_t sizes[16];  /* of the measurements; nsizes 0: the usual ones */
    size_t nsizes;
    uint32_t size_most;  /* of the verification */
    uint32_t large;      /* ms that verifying one message above 64 KiB may take; 0: any time */
    uint32_t iterations; /* 0: by duration */
    uint32_t duration;   /* ms of each measurement */
    uint32_t timeout;    /* ms for a step */
    uint8_t queues;      /* RC queue pairs for bandwidth */
    uint8_t traffic_class, hop_limit;
    uint32_t mtu; /* 0: the port's */
    bool yield;   /* see struct watch */
};

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

/* Bytes of the largest message that the options can lead to. */
uint32_t run_largest(const struct test_options *options);

/* Runs all that the options ask for. 0 when it came to its end, whatever the verdicts; -EINTR; -ECONNRESET:
 * the server is gone. */
int run_all(struct run *run);

/* One trial from beginning to end. samples: see latency_run(); seconds: of BANDWIDTH. (Pieces of run_all.) */
int run_trial(struct run *run, const struct trial *trial, uint64_t *samples, double *seconds,
              struct failure *failure);
/* After a failed trial: new queue pairs, or run->dead. some: other messages of the same operation passed. */
int run_recover(struct run *run, const struct failure *failure, bool some);
struct trial run_new_trial(struct run *run, enum trial_kind kind, enum queue_kind queue, enum operation op,
                           uint32_t size, unsigned flags);
struct result *run_result(struct run *run, const struct trial *trial, const char *suffix);
/* Was it the interrupt that ended this test? Then it hasn't failed, and result says so. */
bool run_stopped(struct result *result, const struct failure *failure);
int run_verify(struct run *run);
int run_measure(struct run *run);
void run_say(struct run *run, const char *what, uint32_t size);
/* Why this end or the other can't do it; NULL: it can. text is a place for it. */
const char *run_impossible(const struct run *run, const struct trial *trial,
                           char text[static FAILURE_TEXT_SIZE]);
