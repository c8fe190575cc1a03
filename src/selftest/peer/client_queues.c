/* SPDX-License-Identifier: MIT */
/* The queue pairs, connected here or by RDMA_CM. */
#include <string.h>

#include "selftest/peer/client.h"

static struct set_spec spec_of(struct client *c)
{
    return (struct set_spec){ .end = client_end(c),
                              .rc_queues = c->spec->options->queues,
                              .other_kinds = true,
                              .that_device = client_is_iwarp(c) };
}

/* iWARP knows no other way. */
static bool by_cm(const struct client *c)
{
    return c->spec->rdma_cm || client_is_iwarp(c);
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return b && b < a ? b : a;
}

/* The part of OPEN that is the same with and without RDMA_CM. */
static void prepare_open(struct client *c, struct wire_message *m)
{
    const struct wire_gid *gid = &c->spec->gids[c->pair.near].gid;
    const struct test_options *o = c->spec->options;
    *m = (struct wire_message){ .type = WIRE_OPEN };
    m->open = (struct wire_open){ .gid = (uint32_t)c->pair.far,
                                  .type = gid->type,
                                  .mtu = c->path.mtu,
                                  .traffic_class = o->traffic_class,
                                  .hop_limit = o->hop_limit,
                                  .rd_atomic = c->path.rd_atomic,
                                  .rdma_cm = by_cm(c),
                                  .keys.size = c->spec->size,
                                  .timeout = o->timeout };
    memcpy(m->open.raw, gid->raw, sizeof(m->open.raw));
}

static void find_mtu(struct client *c)
{
    const struct test_options *o = c->spec->options;
    c->far_mtu = c->offer.gids[c->pair.far].mtu;
    c->near_mtu = c->set ? mtu_bytes(c->set->end->port_attr.active_mtu) : c->spec->gids[c->pair.near].gid.mtu;
    c->path.mtu = o->mtu ? o->mtu : smaller(c->near_mtu ? c->near_mtu : 1024, c->far_mtu);
}

static int open_verbs(struct client *c, struct failure *failure)
{
    struct set_spec spec = spec_of(c);
    struct wire_message in, out;
    int r = set_open(&spec, &c->set, failure);
    if (r < 0)
        return r;
    c->path.rd_atomic = endpoint_reads(c->set->end->attr.max_qp_init_rd_atom);
    find_mtu(c);
    prepare_open(c, &out);
    set_describe(c->set, out.open.queues, &out.open.nqueues, &out.open.keys);
    r = client_ask(c, &out, WIRE_OPENED, c->spec->options->timeout + CLIENT_SLACK_MS, &in, failure);
    if (r < 0)
        return r;
    c->path.rd_atomic = smaller(c->path.rd_atomic, in.opened.rd_atomic) & 0xff;
    memcpy(c->path.dgid, c->offer.gids[c->pair.far].raw, sizeof(c->path.dgid));
    c->set->end->atomics &= in.opened.atomics;
    set_learn_buffer(c->set, &in.opened.keys);
    return set_connect(c->set, &c->path, in.opened.queues, in.opened.nqueues, failure);
}

static int open_cm(struct client *c, struct failure *failure)
{
    struct set_spec spec = spec_of(c);
    const struct near_gid *near = &c->spec->gids[c->pair.near];
    struct wire_message in, out;
    uint32_t timeout = c->spec->options->timeout;
    find_mtu(c);
    prepare_open(c, &out);
    int r = client_ask(c, &out, WIRE_OPENED, timeout + CLIENT_SLACK_MS, &in, failure);
    if (r < 0)
        return r;
    struct watch watch = watch_for(timeout, -1);
    r = cm_connect(near->gid.raw, c->offer.gids[c->pair.far].raw, near->ifindex, in.opened.cm_port, &spec,
                   &watch, &c->cm, &c->set, failure);
    if (r < 0)
        return r;
    uint32_t mtu = mtu_bytes(c->set->end->port_attr.active_mtu);
    c->set->end->atomics &= in.opened.atomics;
    if (client_is_iwarp(c) && mtu) /* of no packet, but what sizes are chosen by */
        c->path.mtu = mtu;
    out = (struct wire_message){ .type = WIRE_KEYS };
    set_describe_buffer(c->set, &out.keys);
    r = client_ask(c, &out, WIRE_KEYS, timeout + CLIENT_SLACK_MS, &in, failure);
    if (r == 0)
        set_learn_buffer(c->set, &in.keys);
    return r;
}

void client_close_set(struct client *c)
{
    set_close(c->set);
    cm_close(c->cm);
    bundle_close(c->bundle);
    c->bundle = NULL;
    c->set = NULL;
    c->cm = NULL;
}

int client_open_set(struct client *c, struct failure *failure)
{
    return by_cm(c) ? open_cm(c, failure) : open_verbs(c, failure);
}
