/* SPDX-License-Identifier: MIT */
#include "selftest/trial/trial.h"

bool trial_is_sane(const struct trial *t)
{
    if (t->kind >= TRIAL_KINDS || t->op >= OPERATIONS || t->queue >= QUEUE_KINDS ||
        t->flags & ~TRIAL_FLAGS_MASK)
        return false;
    if (!queue_kind_can(t->queue, t->op) || t->timeout < TRIAL_TIMEOUT_LEAST ||
        t->timeout > TRIAL_TIMEOUT_MOST)
        return false;
    if (t->size < 1 || t->size > TRIAL_SIZE_MOST || (operation_is_atomic(t->op) && t->size != 8))
        return false;
    if (t->count < 1 || t->count > TRIAL_COUNT_MOST || t->queues < 1 || t->queues > RC_QUEUES_MOST)
        return false;
    if (t->kind == TRIAL_LATENCY)
        return t->count <= TRIAL_SAMPLES_MOST && t->op != OP_WRITE_IMM && t->queues == 1;
    if (t->kind == TRIAL_BANDWIDTH)
        return t->queue == QUEUE_RC && (t->op == OP_SEND || t->op == OP_WRITE || t->op == OP_READ);
    return t->count == 1 && t->queues == 1;
}
