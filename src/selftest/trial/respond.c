/* SPDX-License-Identifier: MIT */
/* Either side of a test, as its trial wants it. */
#include "selftest/trial/respond.h"

#include "selftest/trial/trial.h"

struct queue *trial_queue(const struct set *set, const struct trial *t)
{
    if (t->size > set->end->size)
        return NULL;
    for (unsigned i = 0; t->kind == TRIAL_BANDWIDTH && i < t->queues; i++)
        if (t->queues > set_rc_count(set) || !set_rc(set, i))
            return NULL;
    return set->queues[t->queue];
}

static int arm_side(struct responder *r, struct set *set, const struct trial *trial, bool starts,
                    struct failure *failure)
{
    *r = (struct responder){ .set = set, .trial = *trial, .queue = trial_queue(set, trial) };
    const struct trial *t = &r->trial;
    if (!r->queue)
        return failure_set(failure, STEP_HANDSHAKE, EOPNOTSUPP, "no queue pair for this test%s",
                           starts ? "" : " here");
    if (t->kind == TRIAL_VERIFY)
        return starts ? 0 : verify_arm(r->queue, t, failure);
    if (t->kind == TRIAL_LATENCY && starts)
        return latency_begin(r->queue, t, &r->ball, failure);
    memset(endpoint_rx(set->end), PATTERN_BLANK, t->size);
    if (t->kind == TRIAL_LATENCY)
        return answer_begin(&r->answer, r->queue, t, failure);
    struct queue *queues[SET_QUEUES_MOST];
    set_rcs(set, queues);
    return flow_begin(&r->flow, queues, t, starts, failure);
}

int responder_arm(struct responder *r, struct set *set, const struct trial *trial, struct failure *failure)
{
    return arm_side(r, set, trial, false, failure);
}

int starter_arm(struct responder *r, struct set *set, const struct trial *trial, struct failure *failure)
{
    return arm_side(r, set, trial, true, failure);
}

int responder_serve(struct responder *r, const struct watch *watch, struct failure *failure)
{
    if (r->trial.kind == TRIAL_LATENCY)
        return answer_serve(&r->answer, watch, failure);
    if (r->trial.kind == TRIAL_BANDWIDTH)
        return flow_run(&r->flow, NULL, watch, failure);
    return 0;
}

int responder_judge(struct responder *r, const uint8_t *peer_gid, const struct watch *watch,
                    struct failure *failure)
{
    const struct trial *t = &r->trial;
    if (t->kind == TRIAL_VERIFY)
        return verify_judge(r->queue, t, peer_gid, watch, failure);
    bool receives = t->kind == TRIAL_BANDWIDTH && t->op != OP_READ;
    return receives ? verify_pattern(endpoint_rx(r->set->end), t, failure) : 0;
}

uint64_t responder_messages(const struct responder *r)
{
    return r->trial.kind == TRIAL_LATENCY ? r->answer.rounds : r->flow.received;
}

void responder_end(struct responder *r)
{
    free(r->ball);
    r->ball = NULL;
    answer_end(&r->answer);
    flow_end(&r->flow);
}
