/* SPDX-License-Identifier: MIT */
#include "selftest/queues/queue.h"

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

int bundle_open(const struct endpoint_spec *spec, uint32_t count, struct bundle **out, struct failure *failure)
{
    struct bundle *b = calloc(1, sizeof(*b));
    struct failure none;
    if (!b)
        return failure_set(failure, STEP_PD, ENOMEM, "%s", "");
    b->count = count < BUNDLE_MOST ? count : BUNDLE_MOST;
    int r = endpoint_open(spec, NULL, &b->end, failure);
    for (uint32_t i = 0; r == 0 && i < b->count; i++)
        r = queue_new(b->end, QUEUE_RC, &b->queues[i], failure);
    if (r == 0 && queue_new_stamped(b->end, QUEUE_UD, &b->datagrams, &none) < 0)
        b->datagrams = NULL;
    if (r < 0)
        bundle_close(b);
    else
        *out = b;
    return r;
}

void bundle_close(struct bundle *b)
{
    if (!b)
        return;
    for (uint32_t i = 0; i < b->count; i++)
        queue_free(b->queues[i]);
    queue_free(b->datagrams);
    endpoint_close(b->end);
    free(b);
}

void bundle_describe(const struct bundle *b, struct bundle_description *d)
{
    *d = (struct bundle_description){ .count = b->count };
    for (uint32_t i = 0; i < b->count; i++)
        d->queues[i] = queue_describe(b->queues[i], QUEUE_RC);
    d->datagrams = queue_describe(b->datagrams, QUEUE_UD);
    d->keys = (struct buffer_description){ .address = (uintptr_t)endpoint_rx(b->end),
                                           .source = (uintptr_t)endpoint_tx(b->end),
                                           .rkey = b->end->mr->rkey,
                                           .size = (uint32_t)b->end->size };
}

static int connect_one(struct queue *q, const struct path *path, const struct queue_description *peer,
                       const struct buffer_description *keys, struct failure *failure)
{
    if (peer->kind != q->kind || !peer->qpn)
        return failure_set(failure, STEP_HANDSHAKE, EPROTO, "queue pairs in another order");
    q->remote_rx = keys->address;
    q->remote_tx = keys->source;
    q->rkey = keys->rkey;
    return queue_connect(q, path, peer, failure);
}

int bundle_connect(struct bundle *b, const struct path *path, const uint32_t *labels,
                   const struct bundle_description *peer, struct failure *failure)
{
    struct path own = *path;
    struct failure none;
    int r = 0;
    if (peer->count != b->count)
        return failure_set(failure, STEP_HANDSHAKE, EPROTO, "%u queue pairs instead of %u", peer->count,
                           b->count);
    for (uint32_t i = 0; r == 0 && i < b->count; i++) {
        own.flow_label = labels[i];
        r = connect_one(b->queues[i], &own, &peer->queues[i], &peer->keys, failure);
    }
    own.flow_label = 0;
    if (b->datagrams &&
        (!peer->datagrams.qpn || connect_one(b->datagrams, &own, &peer->datagrams, &peer->keys, &none) < 0)) {
        queue_free(b->datagrams);
        b->datagrams = NULL;
    }
    if (peer->keys.size < b->end->size)
        b->end->size = peer->keys.size;
    return r;
}
