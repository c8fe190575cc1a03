/* SPDX-License-Identifier: MIT */
/* The queue pairs that a client opens, connected here or by RDMA_CM. */
#include <errno.h>
#include <string.h>

#include "selftest/peer/session.h"

/* What a session may ask for: a run that fails all the time opens once an operation. */
enum { OPENS_MOST = 256 };

void session_close_set(struct session *s)
{
    responder_end(&s->responder);
    set_close(s->set);
    cm_close(s->cm);
    bundle_close(s->bundle);
    s->bundle = NULL;
    s->set = NULL;
    s->cm = NULL;
}

struct endpoint_spec session_end(const struct session *s, uint32_t gid, size_t size)
{
    const struct wire_gid *own = &s->offer.wire.gids[gid];
    return (struct endpoint_spec){ .device = own->device,
                                   .node = *s->offer.nodes[gid] ? s->offer.nodes[gid] : NULL,
                                   .port = (uint8_t)own->port,
                                   .gid_index = (uint16_t)own->index,
                                   .soft = s->offer.soft[gid],
                                   .size = size };
}

static struct set_spec spec_of(const struct session *s, const struct wire_open *open)
{
    return (struct set_spec){
        .end = session_end(s, open->gid, open->keys.size ? open->keys.size : TRIAL_SIZE_MOST),
        .rc_queues = open->nqueues > QUEUE_KINDS ? open->nqueues - QUEUE_KINDS + 1 : 1,
        .other_kinds = true,
        .that_device = wire_gid_is_iwarp(&s->offer.wire.gids[open->gid]),
    };
}

static uint8_t reads_of(const struct endpoint *end, uint8_t wanted)
{
    uint8_t most = endpoint_reads(end->attr.max_qp_rd_atom);
    return most < wanted ? most : wanted;
}

static int open_verbs(struct session *s, const struct wire_open *open, struct failure *failure)
{
    struct set_spec spec = spec_of(s, open);
    int r = set_open(&spec, &s->set, failure);
    if (r < 0)
        return r;
    if (s->set->end->fragile && !endpoint_is_at(s->set->end, open->raw))
        s->set->end->atomics = false;
    struct path path = path_new(open->mtu, open->traffic_class, open->hop_limit,
                                reads_of(s->set->end, open->rd_atomic));
    memcpy(path.dgid, open->raw, sizeof(path.dgid));
    set_learn_buffer(s->set, &open->keys);
    r = set_connect(s->set, &path, open->queues, open->nqueues, failure);
    if (r < 0)
        return r;
    struct wire_opened *opened = &s->out.opened;
    memset(opened, 0, sizeof(*opened));
    set_describe(s->set, opened->queues, &opened->nqueues, &opened->keys);
    opened->rd_atomic = path.rd_atomic;
    opened->atomics = s->set->end->atomics;
    return 0;
}

/* Listens, tells the port, accepts, then both ends exchange keys. */
static int open_cm(struct session *s, const struct wire_open *open, struct failure *failure)
{
    struct set_spec spec = spec_of(s, open);
    struct watch watch = session_limit(s, open->timeout);
    struct wire_opened *opened = &s->out.opened;
    memset(opened, 0, sizeof(*opened));
    opened->atomics = !endpoint_is_fragile(&spec.end);
    int r = cm_listen(s->gid.raw, s->offer.ifindexes[open->gid], &spec, &s->cm, &opened->cm_port, failure);
    if (r < 0)
        return r;
    r = session_say(s, WIRE_OPENED);
    if (r == 0) {
        watch.fd = s->connection->fd;
        r = cm_accept(s->cm, open->raw, &spec, &watch, &s->set, failure);
        if (r < 0)
            return r;
        watch.fd = -1;
        r = connection_receive(s->connection, &s->in, &watch);
    }
    if (r == 0 && s->in.type != WIRE_KEYS)
        r = -EPROTO;
    if (r < 0)
        return failure_set(failure, STEP_HANDSHAKE, r, "%s", "");
    set_learn_buffer(s->set, &s->in.keys);
    set_describe_buffer(s->set, &s->out.keys);
    return 0;
}

int session_may_open(struct session *s, uint32_t gid, const uint8_t raw[static 16])
{
    session_close_set(s);
    if (!proof_holds(&s->proof, gid, raw))
        return -EPROTO;
    if (s->opens++ == OPENS_MOST)
        return -EDQUOT;
    s->gid = s->offer.wire.gids[gid];
    memcpy(s->peer_gid, raw, sizeof(s->peer_gid));
    if (!s->before)
        s->before = s->host->counters(s->host->data, wait_now());
    return 0;
}

int session_on_open(struct session *s)
{
    struct wire_open open = s->in.open;
    struct failure failure;
    int allowed = session_may_open(s, open.gid, open.raw);
    if (allowed < 0)
        return allowed;
    if (wire_gid_is_iwarp(&s->gid) && !open.rdma_cm)
        return -EPROTO;
    int r = open.rdma_cm ? open_cm(s, &open, &failure) : open_verbs(s, &open, &failure);
    if (r < 0) {
        session_close_set(s);
        return session_say_failure(s, &failure);
    }
    return session_say(s, open.rdma_cm ? WIRE_KEYS : WIRE_OPENED);
}
