/* SPDX-License-Identifier: MIT */
/* The queue pairs of one end: opened, told to the other end, connected with its. */
#include "selftest/queues/queue.h"

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
    unsigned most = spec->paths ? PATHS_MOST : RC_QUEUES_MOST;
    if (!set)
        return failure_set(failure, STEP_PD, ENOMEM, "%s", "");
    set->paths = spec->paths;
    set->count = QUEUE_KINDS - 1 + (spec->rc_queues < most ? spec->rc_queues : most);
    int r = endpoint_open(&spec->end, NULL, &set->end, failure);
    for (unsigned i = 0; r == 0 && i < set->count; i++) {
        enum queue_kind kind = i < QUEUE_KINDS ? (enum queue_kind)i : QUEUE_RC;
        struct failure why = { 0 };
        if (spec->paths && kind != QUEUE_RC && kind != QUEUE_UD)
            continue;
        int made = queue_new(set->end, kind, spec->paths && kind == QUEUE_UD ? QUEUE_STAMPED : 0,
                             &set->queues[i], &why);
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
    if (set->cm)
        set->close_cm(set->cm);
    free(set);
}

struct queue *set_rc(const struct set *set, unsigned i)
{
    return set->queues[i == 0 ? QUEUE_RC : QUEUE_KINDS + i - 1];
}

bool set_used(const struct set *set)
{
    bool used = false;
    for (unsigned i = 0; i < set->count; i++)
        used |= set->queues[i] && set->queues[i]->used;
    return used;
}

struct buffer_description set_describe_buffer(const struct set *set)
{
    return (struct buffer_description){ .address = (uintptr_t)endpoint_rx(set->end),
                                        .source = (uintptr_t)endpoint_tx(set->end),
                                        .rkey = set->end->mr->rkey,
                                        .size = (uint32_t)set->end->size };
}

struct set_description set_describe(const struct set *set)
{
    struct set_description d = { .count = set->count, .buffer = set_describe_buffer(set) };
    for (unsigned i = 0; i < set->count; i++) {
        d.queues[i] = queue_describe(set->queues[i], i < QUEUE_KINDS ? (enum queue_kind)i : QUEUE_RC);
        if (set->queues[i] || i >= QUEUE_KINDS || failure_is_refusal(&set->why[i]))
            continue;
        d.queues[i].step = (uint32_t)set->why[i].step;
        d.queues[i].err = (uint32_t)set->why[i].err;
    }
    return d;
}

void set_learn_buffer(struct set *set, const struct buffer_description *buffer)
{
    set->end->remote = *buffer;
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

int set_connect(struct set *set, const struct path *path, const uint32_t *labels,
                const struct set_description *peer, struct failure *failure)
{
    struct path own = *path;
    if (peer->count != set->count)
        return failure_set(failure, STEP_HANDSHAKE, EPROTO, "%u queue pairs instead of %u", peer->count,
                           set->count);
    set_learn_buffer(set, &peer->buffer);
    for (unsigned i = 0; i < set->count; i++) {
        const struct queue_description *there = &peer->queues[i];
        struct queue *q = set->queues[i];
        struct failure why = { 0 };
        if (!q)
            continue;
        if (there->kind != q->kind)
            return failure_set(failure, STEP_HANDSHAKE, EPROTO, "queue pairs in another order");
        own.flow_label = !labels || q->kind != QUEUE_RC ? 0 : labels[i == QUEUE_RC ? 0 : i - QUEUE_KINDS + 1];
        int r = there->qpn ? queue_connect(q, &own, there, &why) : missing_there(there, &why);
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
