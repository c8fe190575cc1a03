/* SPDX-License-Identifier: MIT */
/* This host's part of a mesh: it answers, and each of its peers tests its partner of each round. */
#pragma once

#include "command/context.h"
#include "command/mesh/turns.h"
#include "fleet/mesh/results.h"
#include "selftest/peer/client.h"

/* LATE: so many times the longest wait of a step a partner may say "not yet". */
enum { PLAY_LATE = 60 };

struct play_spec {
    struct context *context;
    const struct peers *peers;
    struct test_options options; /* one operation, to be measured */
    size_t rounds;
    uint32_t paths; /* source ports to look at; 0: none */
    uint32_t wait;  /* ms from the beginning on in which hosts may still be starting */
    uint16_t port;
    int directory;                     /* to write results into */
    const struct mesh_results *before; /* of --resume; NULL: none */
};

/* What came of it: told by this host's peers. */
struct play_outcome {
    char host[PEERS_WORD_MOST + 1];
    size_t peers, counts[CELL_STATES];
    bool interrupted;
};

/* Plays all rounds, and writes what came of each as it ends. 0; -errno after saying why. */
int play(const struct play_spec *spec, struct play_outcome *outcome);
