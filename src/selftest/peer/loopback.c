/* SPDX-License-Identifier: MIT */
#include "selftest/peer/loopback.h"

#include <errno.h>
#include <string.h>

static struct loopback *loopback_of(struct peer *peer)
{
    return (struct loopback *)peer;
}

static void drop(struct loopback *l)
{
    responder_end(&l->responder);
    set_close(l->near);
    set_close(l->far);
    l->near = l->far = NULL;
}

static int link_ends(struct loopback *l, struct failure *failure)
{
    struct queue_description near[QUEUES_MOST], far[QUEUES_MOST];
    uint32_t near_count, far_count;
    struct buffer_description near_keys, far_keys;
    set_describe(l->near, near, &near_count, &near_keys);
    set_describe(l->far, far, &far_count, &far_keys);
    set_learn_buffer(l->near, &far_keys);
    set_learn_buffer(l->far, &near_keys);
    int r = set_connect(l->far, &l->path, near, near_count, failure);
    set_describe(l->far, far, &far_count, &far_keys); /* less what could not be connected */
    if (r == 0)
        r = set_connect(l->near, &l->path, far, far_count, failure);
    return r;
}

static int connect_ends(struct loopback *l, struct failure *failure)
{
    int r = set_open(&l->spec, &l->near, failure);
    if (r == 0)
        r = set_open(&l->spec, &l->far, failure);
    if (r < 0)
        return r;
    const struct endpoint *end = l->near->end;
    l->path.rd_atomic = endpoint_reads(end->attr.max_qp_rd_atom);
    l->path.mtu = l->options->mtu ? l->options->mtu : mtu_bytes(end->port_attr.active_mtu);
    memcpy(l->path.dgid, end->gid.raw, sizeof(l->path.dgid));
    return link_ends(l, failure);
}

static int arm(struct peer *peer, const struct trial *trial, struct failure *failure)
{
    struct loopback *l = loopback_of(peer);
    responder_end(&l->responder);
    return responder_arm(&l->responder, l->far, trial, failure);
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
    drop(l);
    int r = connect_ends(l, failure);
    *set = l->near;
    return r;
}

int loopback_open(struct loopback *l, const struct endpoint_spec *end, const struct test_options *options,
                  struct failure *failure)
{
    *l = (struct loopback){
        .peer = { .arm = arm, .finish = finish, .reopen = reopen, .fd = -1 },
        .spec = { .end = *end, .rc_queues = options->queues, .other_kinds = true },
        .path = path_new(0, options->traffic_class, options->hop_limit, 0),
        .options = options,
    };
    l->peer.local = &l->responder;
    return connect_ends(l, failure);
}

void loopback_close(struct loopback *l)
{
    drop(l);
}
