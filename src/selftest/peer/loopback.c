/* SPDX-License-Identifier: MIT */
/* Both ends of a run in this process. */
#include "selftest/peer/peer.h"

static struct loopback *loopback_of(struct peer *peer)
{
    return (struct loopback *)peer;
}

static int link_ends(struct loopback *l, struct failure *failure)
{
    struct set_description near = set_describe(l->near), far;
    struct path back = l->path;
    memcpy(back.dgid, l->near->end->gid.raw, sizeof(back.dgid));
    int r = set_connect(l->far, &back, NULL, &near, failure);
    far = set_describe(l->far); /* without what could not be connected */
    if (r == 0)
        r = set_connect(l->near, &l->path, NULL, &far, failure);
    for (int kind = 0; kind < QUEUE_KINDS; kind++) /* both ends are this host: no failure is remote */
        if (!l->near->queues[kind] && !l->far->queues[kind] && l->far->why[kind].err)
            l->near->why[kind] = l->far->why[kind];
    return r;
}

/* In one thread: iWARP connects with a request and a reply, so the server's "established" doesn't wait for
 * anything that the client does after its request. (RoCE has a third message, to be sent in between.) */
static int connect_by_cm(struct loopback *l, struct failure *failure)
{
    const uint8_t *address = l->by_cm->address;
    struct watch watch = watch_for(l->options->timeout, -1);
    struct cm *listening = NULL;
    uint16_t port;
    int r = cm_listen(address, l->by_cm->ifindex, &l->spec, &listening, &port, failure);
    if (r == 0)
        r = cm_begin(address, address, l->by_cm->ifindex, port, &l->spec, &watch, &l->near, failure);
    if (r == 0)
        r = cm_accept(listening, address, &l->spec, &watch, &l->far, failure);
    if (r < 0) {
        cm_close(listening);
        return r;
    }
    r = cm_established(l->near, &watch, failure);
    if (r < 0)
        return r;
    struct buffer_description near = set_describe_buffer(l->near), far = set_describe_buffer(l->far);
    set_learn_buffer(l->near, &far);
    set_learn_buffer(l->far, &near);
    l->path.mtu = mtu_bytes(l->near->end->port_attr.active_mtu);
    return 0;
}

static int connect_ends(struct loopback *l, struct failure *failure)
{
    if (l->by_cm)
        return connect_by_cm(l, failure);
    int r = set_open(&l->spec, &l->near, failure);
    if (r == 0)
        r = set_open(&l->far_spec, &l->far, failure);
    if (r < 0)
        return r;
    const struct endpoint *end = l->near->end, *far = l->far->end;
    l->near->end->atomics &= far->atomics;
    if (!endpoint_is_at(end, far->gid.raw) && (end->fragile || far->fragile)) /* as in connect.c */
        l->near->end->atomics = l->far->end->atomics = false;
    uint32_t mtu = mtu_bytes(end->port_attr.active_mtu), far_mtu = mtu_bytes(far->port_attr.active_mtu);
    int reads = end->attr.max_qp_rd_atom < far->attr.max_qp_rd_atom ? end->attr.max_qp_rd_atom
                                                                    : far->attr.max_qp_rd_atom;
    l->path.rd_atomic = endpoint_reads(reads);
    l->path.mtu = l->options->mtu ? l->options->mtu : mtu < far_mtu ? mtu : far_mtu;
    memcpy(l->path.dgid, far->gid.raw, sizeof(l->path.dgid));
    return link_ends(l, failure);
}

static int arm(struct peer *peer, const struct trial *trial, struct failure *failure)
{
    struct loopback *l = loopback_of(peer);
    return responder_arm(&l->responder, l->far, trial, false, failure);
}

static int finish(struct peer *peer, const struct trial *trial, struct failure *failure)
{
    struct loopback *l = loopback_of(peer);
    struct watch watch = watch_for(trial->timeout, -1);
    watch.yield = l->options->yield;
    return responder_judge(&l->responder, l->near->end->gid.raw, &watch, failure);
}

static int reopen(struct peer *peer, struct set **set, struct failure *failure)
{
    struct loopback *l = loopback_of(peer);
    loopback_close(l);
    int r = connect_ends(l, failure);
    *set = l->near;
    return r;
}

int loopback_open(struct loopback *l, const struct endpoint_spec *end, const struct endpoint_spec *far,
                  const struct loopback_cm *by_cm, const struct test_options *options, struct failure *failure)
{
    *l = (struct loopback){
        .peer = { .arm = arm, .finish = finish, .reopen = reopen, .fd = -1 },
        .spec = { .end = *end, .rc_queues = options->queues, .that_device = by_cm != NULL },
        .far_spec = { .end = far ? *far : *end, .rc_queues = options->queues },
        .path = path_new(0, options->traffic_class, options->hop_limit, 0),
        .options = options,
        .by_cm = by_cm,
    };
    l->spec.end.memory = l->far_spec.end.memory = options->memory;
    l->peer.local = &l->responder;
    return connect_ends(l, failure);
}

void loopback_close(struct loopback *l)
{
    set_close(l->near);
    set_close(l->far);
    l->near = l->far = NULL;
}
