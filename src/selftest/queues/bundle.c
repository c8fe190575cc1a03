/* SPDX-License-Identifier: MIT */
#include "selftest/queues/bundle.h"

#include <errno.h>
#include <stdlib.h>

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
