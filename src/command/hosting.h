/* SPDX-License-Identifier: MIT */
/* What a server of this host needs from it: its GIDs and counters as they are now, for many sessions at once. */
#pragma once

#include <pthread.h>

#include "command/near.h"
#include "selftest/peer/readings.h"
#include "selftest/peer/session.h"

struct source;

struct hosting {
    struct source *source;
    pthread_mutex_t lock; /* of the offer, and the source reads for one thread at a time */
    uint64_t offered;     /* when the offer was read, as wait_now(); 0: not yet */
    uint64_t cost;        /* ns that this took */
    struct account account;
    struct session_offer offer;
    char counting[WIRE_GIDS_MOST][NEAR_COUNTING_SIZE]; /* the netdevs that count, of each in the offer */
    struct readings *readings;                         /* of counters */
};

/* 0, or -ENOMEM; hosting_end() in any case. */
int hosting_begin(struct hosting *hosting, struct source *source);
void hosting_end(struct hosting *hosting);

/* As struct session_host has them; data: a struct hosting. */
void hosting_offer(void *data, struct session_offer *offer);
const struct host *hosting_counters(void *data, uint64_t since);
void hosting_give_back(void *data, const struct host *reading);
void hosting_priorities(void *data, const struct wire_gid *gid, struct wire_priorities *priorities);
