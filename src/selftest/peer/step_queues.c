/* SPDX-License-Identifier: MIT */
/* OPEN, OPENED, KEYS, PATHS, PATHED: the queue pairs of both ends, connected by these messages or RDMA_CM. */
#include "selftest/peer/steps.h"

/* Limit per session: a run that keeps failing opens once per operation. */
enum { OPENS_MOST = 256 };

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return b && b < a ? b : a;
}

/* What both ends do once they know of each other. */
static int connect_set(struct set *set, struct path path, const uint8_t far[static 16], const uint32_t *labels,
                       const struct set_description *peer, struct failure *failure)
{
    memcpy(path.dgid, far, sizeof(path.dgid));
    if (set->paths)
        path.timeout = PATHS_TIMEOUT;
    return set_connect(set, &path, labels, peer, failure);
}

/* -- the client: OPEN ---------------------------------------------------------------------------------- */

/* iWARP has no other way. */
static bool connects_by_cm(const struct client *c)
{
    return c->spec->rdma_cm || client_is_iwarp(c);
}

static struct set_spec client_set(const struct client *c)
{
    struct set_spec spec = { .end = near_endpoint(client_near(c), c->spec->size),
                             .rc_queues = c->spec->options->queues,
                             .that_device = client_is_iwarp(c) };
    spec.end.memory = c->spec->options->memory;
    return spec;
}

static void find_mtu(struct client *c)
{
    const struct test_options *o = c->spec->options;
    c->far_mtu = c->offer.gids[c->pair.far].mtu;
    c->near_mtu = c->side.set ? mtu_bytes(c->side.set->end->port_attr.active_mtu) : client_near(c)->gid.mtu;
    c->path.mtu = o->mtu ? o->mtu : smaller(c->near_mtu ? c->near_mtu : 1024, c->far_mtu);
}

/* Sends OPEN; with labels (for the server's packets), PATHS. */
static int ask_to_open(struct client *c, uint8_t traffic_class, const uint32_t *labels, struct failure *failure)
{
    struct wire_open *open = &c->side.out.open;
    *open = (struct wire_open){ .pair = client_pair(c, traffic_class),
                                .mtu = c->path.mtu,
                                .rd_atomic = c->path.rd_atomic,
                                .rdma_cm = connects_by_cm(c),
                                .ends.buffer.size = c->spec->size,
                                .timeout = c->spec->options->timeout };
    if (c->side.set)
        open->ends = set_describe(c->side.set);
    if (labels)
        memcpy(open->labels, labels, set_rc_count(c->side.set) * sizeof(*labels));
    return labels ? client_ask(c, WIRE_PATHS, WIRE_PATHED, failure)
                  : client_ask(c, WIRE_OPEN, WIRE_OPENED, failure);
}

static int client_open_verbs(struct client *c, struct failure *failure)
{
    const struct wire_opened *opened = &c->side.in.opened;
    struct set_spec spec = client_set(c);
    int r = set_open(&spec, &c->side.set, failure);
    if (r < 0)
        return r;
    struct endpoint *end = c->side.set->end;
    c->path.rd_atomic = endpoint_reads(end->attr.max_qp_init_rd_atom);
    find_mtu(c);
    r = ask_to_open(c, c->path.traffic_class, NULL, failure);
    if (r < 0)
        return r;
    c->path.rd_atomic = smaller(c->path.rd_atomic, opened->rd_atomic) & 0xff;
    end->atomics &= opened->atomics;
    return connect_set(c->side.set, c->path, c->offer.gids[c->pair.far].raw, NULL, &opened->ends, failure);
}

static int client_open_cm(struct client *c, struct failure *failure)
{
    struct set_spec spec = client_set(c);
    const struct near_gid *near = client_near(c);
    find_mtu(c);
    int r = ask_to_open(c, c->path.traffic_class, NULL, failure);
    if (r < 0)
        return r;
    bool atomics = c->side.in.opened.atomics;
    struct watch watch = watch_for(c->spec->options->timeout, -1);
    r = cm_begin(near->gid.raw, c->offer.gids[c->pair.far].raw, near->ifindex, c->side.in.opened.cm_port, &spec,
                 &watch, &c->side.set, failure);
    if (r == 0)
        r = cm_established(c->side.set, &watch, failure);
    if (r < 0) {
        side_close_set(&c->side);
        return r;
    }
    struct endpoint *end = c->side.set->end;
    uint32_t mtu = mtu_bytes(end->port_attr.active_mtu);
    end->atomics &= atomics;
    if (client_is_iwarp(c) && mtu) /* no packet has it, but sizes are chosen by it */
        c->path.mtu = mtu;
    c->side.out.keys = set_describe_buffer(c->side.set);
    r = client_ask(c, WIRE_KEYS, WIRE_KEYS, failure);
    if (r == 0)
        set_learn_buffer(c->side.set, &c->side.in.keys);
    return r;
}

int client_open_set(struct client *c, struct failure *failure)
{
    return connects_by_cm(c) ? client_open_cm(c, failure) : client_open_verbs(c, failure);
}

/* -- the client: PATHS --------------------------------------------------------------------------------- */

int client_open_paths(struct client *c, uint32_t count, const uint32_t *near_labels, const uint32_t *far_labels,
                      uint8_t traffic_class, struct failure *failure)
{
    struct set_spec spec = { .end = near_endpoint(client_near(c), ENDPOINT_SIZE_LEAST),
                             .rc_queues = count,
                             .paths = true };
    const struct wire_opened *opened = &c->side.in.opened;
    side_close_set(&c->side);
    int r = set_open(&spec, &c->side.set, failure);
    if (r < 0)
        return r;
    r = ask_to_open(c, traffic_class, far_labels, failure);
    if (r < 0)
        return r;
    struct path path = path_new(c->path.mtu, traffic_class, c->path.hop_limit,
                                endpoint_reads(c->side.set->end->attr.max_qp_init_rd_atom));
    c->far_ports = opened->port_rule;
    return connect_set(c->side.set, path, c->offer.gids[c->pair.far].raw, near_labels, &opened->ends, failure);
}

/* -- the server: OPEN, PATHS ---------------------------------------------------------------------- */

/* A client may open queue pairs only so many times. 0, or -EPROTO: nothing is proven; -EDQUOT. */
static int may_open(struct session *s, const struct wire_pair *pair)
{
    side_close_set(&s->side);
    if (!proof_holds(&s->proof, pair))
        return -EPROTO;
    if (s->opens++ == OPENS_MOST)
        return -EDQUOT;
    s->gid = &s->offer.gids[pair->gid];
    memcpy(s->peer_gid, pair->raw, sizeof(s->peer_gid));
    if (!s->before)
        s->before = s->host->counters(s->host->data, wait_now());
    return 0;
}

static struct set_spec session_set(const struct session *s, const struct wire_open *open, bool paths)
{
    uint32_t size = open->ends.buffer.size, count = open->ends.count;
    uint32_t most = s->host->size_most ? s->host->size_most : VERIFY_SIZE_MOST;
    size = size ? size : paths ? ENDPOINT_SIZE_LEAST : VERIFY_SIZE_MOST;
    struct set_spec spec = { .end = near_endpoint(s->gid, size < most ? size : most),
                             .rc_queues = count > QUEUE_KINDS ? count - QUEUE_KINDS + 1 : 1,
                             .paths = paths,
                             .that_device = wire_gid_is_iwarp(&s->gid->gid) };
    spec.end.memory = paths ? NULL : s->host->memory;
    return spec;
}

static int session_open_verbs(struct session *s, const struct wire_open *open, bool paths,
                              struct failure *failure)
{
    const struct wire_pair *pair = &open->pair;
    struct set_spec spec = session_set(s, open, paths);
    int r = set_open(&spec, &s->side.set, failure);
    if (r < 0)
        return r;
    struct endpoint *end = s->side.set->end;
    uint8_t most = endpoint_reads(end->attr.max_qp_rd_atom);
    struct path path = path_new(open->mtu, pair->traffic_class, pair->hop_limit,
                                paths || most < open->rd_atomic ? most : open->rd_atomic);
    end->atomics &= !end->fragile || endpoint_is_at(end, pair->raw);
    r = connect_set(s->side.set, path, pair->raw, paths ? open->labels : NULL, &open->ends, failure);
    if (r < 0)
        return r;
    s->side.out.opened = (struct wire_opened){ .rd_atomic = path.rd_atomic,
                                               .atomics = end->atomics,
                                               .port_rule = s->gid->ports,
                                               .ends = set_describe(s->side.set) };
    return 0;
}

/* Tells the client which port to connect to, accepts, then both ends exchange keys. */
static int accept_by_cm(struct session *s, const struct wire_open *open, const struct set_spec *spec,
                        struct cm *cm, struct failure *failure)
{
    struct watch watch = session_limit(s, smaller(open->timeout, s->host->idle_ms));
    int r = session_say(s, WIRE_OPENED);
    if (r < 0) {
        cm_close(cm);
        return failure_set(failure, STEP_HANDSHAKE, r, "%s", "");
    }
    watch.fd = s->side.connection->fd;
    r = cm_accept(cm, open->pair.raw, spec, &watch, &s->side.set, failure);
    if (r < 0) {
        cm_close(cm);
        return r;
    }
    watch.fd = -1;
    r = session_hear(s, WIRE_KEYS, &watch);
    if (r < 0)
        return failure_set(failure, STEP_HANDSHAKE, r, "%s", "");
    set_learn_buffer(s->side.set, &s->side.in.keys);
    s->side.out.keys = set_describe_buffer(s->side.set);
    return 0;
}

static int session_open_cm(struct session *s, const struct wire_open *open, struct failure *failure)
{
    struct set_spec spec = session_set(s, open, false);
    struct wire_opened *opened = &s->side.out.opened;
    struct cm *cm;
    *opened = (struct wire_opened){ .atomics = !endpoint_is_fragile(&spec.end) };
    int r = cm_listen(s->gid->gid.raw, s->gid->ifindex, &spec, &cm, &opened->cm_port, failure);
    return r < 0 ? r : accept_by_cm(s, open, &spec, cm, failure);
}

int session_on_open(struct session *s)
{
    const bool paths = s->side.in.type == WIRE_PATHS;
    const struct wire_open open = s->side.in.open;
    struct failure failure;
    int r = may_open(s, &open.pair);
    if (r < 0)
        return r;
    if (wire_gid_is_iwarp(&s->gid->gid) && !open.rdma_cm)
        return -EPROTO;
    r = open.rdma_cm ? session_open_cm(s, &open, &failure) : session_open_verbs(s, &open, paths, &failure);
    if (r == 0)
        return session_say(s, paths ? WIRE_PATHED : open.rdma_cm ? WIRE_KEYS : WIRE_OPENED);
    side_close_set(&s->side);
    return session_say_failure(s, &failure);
}
