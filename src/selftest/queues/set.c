/* SPDX-License-Identifier: MIT */
#include "selftest/queues/set.h"

#include <errno.h>
#include <stdlib.h>

int set_hand_over(struct set *set, int r, struct set **out)
{
    if (r < 0)
        set_close(set);
    else
        *out = set;
    return r;
}

int set_open(const struct set_spec *spec, struct set **out, struct failure *failure)
{
    struct set *set = calloc(1, sizeof(*set));
    if (!set)
        return failure_set(failure, STEP_PD, ENOMEM, "%s", "");
    unsigned more = spec->rc_queues > 1 ? spec->rc_queues - 1 : 0;
    set->count = QUEUE_KINDS + (more < QUEUES_MOST - QUEUE_KINDS ? more : QUEUES_MOST - QUEUE_KINDS);
    int r = endpoint_open(&spec->end, NULL, &set->end, failure);
    for (unsigned i = 0; r == 0 && i < set->count; i++) {
        enum queue_kind kind = i < QUEUE_KINDS ? (enum queue_kind)i : QUEUE_RC;
        if (kind != QUEUE_RC && !spec->other_kinds)
            continue;
        struct failure why = { 0 };
        int made = queue_new(set->end, kind, &set->queues[i], &why);
        if (made < 0 && i < QUEUE_KINDS)
            set->why[i] = why;
        if (made < 0 && kind == QUEUE_RC) {
            *failure = why;
            r = made;
        }
    }
    return set_hand_over(set, r, out);
}

void set_close(struct set *set)
{
    if (!set)
        return;
    for (unsigned i = 0; i < set->count; i++)
        queue_free(set->queues[i]);
    endpoint_close(set->end);
    free(set);
}

struct queue *set_rc(const struct set *set, unsigned i)
{
    return set->queues[i == 0 ? QUEUE_RC : QUEUE_KINDS + i - 1];
}

unsigned set_rcs(const struct set *set, struct queue *list[static QUEUES_MOST])
{
    unsigned count = set->count - QUEUE_KINDS + 1;
    for (unsigned i = 0; i < count; i++)
        list[i] = set_rc(set, i);
    return count;
}

bool set_used(const struct set *set)
{
    bool used = false;
    for (unsigned i = 0; i < set->count; i++)
        used |= set->queues[i] && set->queues[i]->used;
    return used;
}

void set_describe_buffer(const struct set *set, struct buffer_description *buffer)
{
    *buffer = (struct buffer_description){ .address = (uintptr_t)endpoint_rx(set->end),
                                           .source = (uintptr_t)endpoint_tx(set->end),
                                           .rkey = set->end->mr->rkey,
                                           .size = (uint32_t)set->end->size };
}

void set_describe(const struct set *set, struct queue_description queues[static QUEUES_MOST], uint32_t *count,
                  struct buffer_description *buffer)
{
    *count = set->count;
    for (unsigned i = 0; i < set->count; i++) {
        queues[i] = queue_describe(set->queues[i], i < QUEUE_KINDS ? (enum queue_kind)i : QUEUE_RC);
        if (set->queues[i] || i >= QUEUE_KINDS || failure_is_refusal(&set->why[i]))
            continue;
        queues[i].step = (uint32_t)set->why[i].step;
        queues[i].err = (uint32_t)set->why[i].err;
    }
    set_describe_buffer(set, buffer);
}

void set_learn_buffer(struct set *set, const struct buffer_description *buffer)
{
    for (unsigned i = 0; i < set->count; i++)
        if (set->queues[i]) {
            set->queues[i]->remote_rx = buffer->address;
            set->queues[i]->remote_tx = buffer->source;
            set->queues[i]->rkey = buffer->rkey;
        }
    if (buffer->size < set->end->size)
        set->end->size = buffer->size;
}

/* The other end has none: it can't, or that went wrong. */
static int missing_there(const struct queue_description *there, struct failure *why)
{
    if (!there->err)
        return failure_set(why, STEP_QP, EOPNOTSUPP, "the other host has none");
    int r = failure_set(why, (enum step)there->step, (int)there->err, "%s", "");
    why->remote = true;
    return r;
}

int set_connect(struct set *set, const struct path *path, const struct queue_description *queues,
                uint32_t count, struct failure *failure)
{
    if (count != set->count)
        return failure_set(failure, STEP_HANDSHAKE, EPROTO, "%u queue pairs instead of %u", count, set->count);
    for (unsigned i = 0; i < count; i++) {
        struct queue *q = set->queues[i];
        struct failure why = { 0 };
        int r = 0;
        if (!q)
            continue;
        if (queues[i].kind != q->kind)
            return failure_set(failure, STEP_HANDSHAKE, EPROTO, "queue pairs in another order");
        if (!queues[i].qpn)
            r = missing_there(&queues[i], &why);
        else
            r = queue_connect(q, path, &queues[i], &why);
        if (r < 0 && q->kind == QUEUE_RC) {
            *failure = why;
            return r;
        }
        if (r < 0) {
            set->why[i] = why;
            queue_free(q);
            set->queues[i] = NULL;
        }
    }
    return 0;
}
