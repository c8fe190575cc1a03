/* SPDX-License-Identifier: MIT */
/* Either side of a test, as its trial requires. */
#include "selftest/trial/respond.h"

/* The queue pair of a trial, for bandwidth the first one; NULL if this end has none. */
static struct queue *queue_for(const struct set *set, const struct trial *t)
{
    if (t->size > set->end->size || (t->kind == TRIAL_BANDWIDTH && t->queues > set_rc_count(set)))
        return NULL;
    for (unsigned i = 0; t->kind == TRIAL_BANDWIDTH && i < t->queues; i++)
        if (!set_rc(set, i))
            return NULL;
    return set->queues[t->queue];
}

int responder_arm(struct responder *r, struct set *set, const struct trial *trial, bool starts,
                  struct failure *failure)
{
    *r = (struct responder){ .set = set, .trial = *trial, .queue = queue_for(set, trial) };
    const struct trial *t = &r->trial;
    if (!r->queue)
        return failure_set(failure, STEP_HANDSHAKE, EOPNOTSUPP, "no queue pair for this test%s",
                           starts ? "" : " here");
    if (t->kind == TRIAL_VERIFY)
        return starts ? 0 : verify_arm(r->queue, t, failure);
    if (t->kind == TRIAL_BANDWIDTH || !starts)
        memset(endpoint_rx(set->end), PATTERN_BLANK, t->size);
    if (endpoint_give(set->end, endpoint_rx(set->end), t->size, failure) < 0)
        return -EIO;
    return t->kind == TRIAL_LATENCY ? pingpong_begin(&r->pingpong, r->queue, t, failure)
                                    : flow_begin(&r->flow, set, 0, t, starts, failure);
}

int responder_serve(struct responder *r, const struct watch *watch, struct failure *failure)
{
    return r->trial.kind == TRIAL_LATENCY     ? pingpong_serve(&r->pingpong, watch, failure)
           : r->trial.kind == TRIAL_BANDWIDTH ? flow_run(&r->flow, NULL, watch, failure)
                                              : 0;
}

int responder_judge(struct responder *r, const uint8_t *peer_gid, const struct watch *watch,
                    struct failure *failure)
{
    const struct trial *t = &r->trial;
    if (t->kind == TRIAL_VERIFY)
        return verify_judge(r->queue, t, peer_gid, watch, failure);
    bool receives = t->kind == TRIAL_BANDWIDTH && t->op != OP_READ;
    struct endpoint *end = r->set->end;
    return receives ? verify_pattern(end, endpoint_rx(end), t, failure) : 0;
}

uint64_t responder_messages(const struct responder *r)
{
    return r->trial.kind == TRIAL_LATENCY ? r->pingpong.rounds : r->flow.received;
}
