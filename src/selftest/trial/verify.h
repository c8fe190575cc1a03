/* SPDX-License-Identifier: MIT */
/* One message of an operation, every byte of it compared. The side that acts sends, writes, reads; the other
 * one arms before and judges after. */
#pragma once

#include "selftest/queues/queue.h"
#include "selftest/trial/trial.h"

/* Are the trial's bytes there, as pattern_fill() makes them? 0, or -EBADMSG with failure filled. */
int verify_pattern(const void *data, const struct trial *trial, struct failure *failure);

int verify_arm(struct queue *queue, const struct trial *trial, struct failure *failure);
int verify_act(struct queue *queue, const struct trial *trial, const struct watch *watch,
               struct failure *failure);
/* peer_gid: 16 bytes, of the end that acted. */
int verify_judge(struct queue *queue, const struct trial *trial, const uint8_t *peer_gid,
                 const struct watch *watch, struct failure *failure);
