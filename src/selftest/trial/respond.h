/* SPDX-License-Identifier: MIT */
/* The other side of every test: what loopback and the server do for the side that starts it. */
#pragma once

#include "selftest/queues/set.h"
#include "selftest/trial/bandwidth.h"
#include "selftest/trial/latency.h"
#include "selftest/trial/verify.h"

struct responder {
    struct set *set;
    struct trial trial;
    struct queue *queue; /* of the trial; the first one for bandwidth */
    struct answer answer;
    struct flow flow;
};

/* The queues of a trial, NULL where the end has none. */
struct queue *trial_queue(const struct set *set, const struct trial *trial);

/* Fills buffers and posts receives. -errno with failure filled, also for a trial that this end can't do. */
int responder_arm(struct responder *responder, struct set *set, const struct trial *trial,
                  struct failure *failure);
/* Answers until the trial is over (nothing for a verification). */
int responder_serve(struct responder *responder, const struct watch *watch, struct failure *failure);
/* Says what this end saw. The starter's GID is peer_gid. */
int responder_judge(struct responder *responder, const uint8_t *peer_gid, const struct watch *watch,
                    struct failure *failure);
uint64_t responder_messages(const struct responder *responder);
void responder_end(struct responder *responder); /* fine twice */
