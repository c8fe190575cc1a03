/* SPDX-License-Identifier: MIT */
#include "selftest/peer/client.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "selftest/peer/probe.h"

/* PROBE_TRIES: one packet may get lost. */
enum { CLIENT_SLACK_MS = 2000, PROBE_TRIES = 3 };

static struct client *client_of(struct peer *peer)
{
    return (struct client *)peer;
}

/* Sends, then waits for an answer of this type. The server's own failure is ours. */
static int ask(struct client *c, const struct wire_message *question, enum wire_type answer, uint32_t ms,
               struct wire_message *in, struct failure *failure)
{
    struct watch watch = watch_for(ms, -1);
    if (c->connection.fd < 0)
        return failure_set(failure, STEP_HANDSHAKE, ECONNRESET, "%s", "");
    int r = connection_send(&c->connection, question, &watch);
    /* a server that turns us away has said why before it hung up */
    int heard = r == 0 || r == -ECONNRESET ? connection_receive(&c->connection, in, &watch) : r;
    if (heard < 0) {
        /* nothing that comes later could be told apart from the answer that is missing */
        connection_close(&c->connection);
        c->peer.fd = -1;
        return failure_set(failure, STEP_HANDSHAKE, heard, "%s", "");
    }
    if (in->type == WIRE_FAILURE) {
        *failure = in->failure;
        return failure->err ? -failure->err : -EIO;
    }
    if (in->type != answer)
        return failure_set(failure, STEP_HANDSHAKE, EPROTO, "the server answered something else");
    return 0;
}

/* Which of our addresses the kernel would send from. */
static void find_route(const struct wire_gid *far, struct far_route *route)
{
    struct sockaddr_storage address, own = { 0 };
    socklen_t len = gid_sockaddr(far->raw, 4791, 0, &address), own_len = sizeof(own);
    int fd = socket(address.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, len) < 0 ||
        getsockname(fd, (struct sockaddr *)&own, &own_len) < 0)
        route->err = errno;
    else
        address_gid(&own, route->source);
    if (fd >= 0)
        close(fd);
}

static int choose(struct client *c, struct failure *failure)
{
    const struct client_spec *spec = c->spec;
    c->question = (struct pair_question){ .near = spec->gids,
                                          .nnear = spec->ngids,
                                          .far = c->offer.gids,
                                          .nfar = c->offer.ngids,
                                          .routes = c->routes,
                                          .forced = spec->gid,
                                          .device = spec->device };
    struct sockaddr_storage own = { 0 };
    socklen_t len = sizeof(own);
    memset(c->routes, 0, sizeof(c->routes));
    for (uint32_t i = 0; i < c->offer.ngids; i++)
        find_route(&c->offer.gids[i], &c->routes[i]);
    getsockname(c->connection.fd, (struct sockaddr *)&own, &len);
    address_gid(&own, c->question.own);
    address_gid(&spec->address, c->question.host);
    int r = pair_choose(&c->question, &c->pair);
    return r < 0 ? failure_set(failure, STEP_GID_PAIR, r, "%s", c->pair.why) : 0;
}

/* A new connection: HELLO, OFFER. from: its own address; NULL: what routing chooses. */
static int greet(struct client *c, const struct sockaddr_storage *to, const struct sockaddr_storage *from,
                 socklen_t len, struct failure *failure)
{
    const struct client_spec *spec = c->spec;
    struct watch watch = watch_for(spec->options->timeout, -1);
    char text[ADDRESS_TEXT_SIZE];
    address_text(to, text);
    int r = connection_open(to, from, len, &watch, &c->connection.fd);
    if (r < 0)
        return failure_set(failure, STEP_CONNECT, r, "%s", text);
    c->peer.fd = c->connection.fd;
    struct wire_message in, out = { .type = WIRE_HELLO };
    snprintf(out.hello.program, sizeof(out.hello.program), "%s", spec->program);
    snprintf(out.hello.host, sizeof(out.hello.host), "%s", spec->host);
    r = ask(c, &out, WIRE_OFFER, spec->options->timeout, &in, failure);
    if (r == -ECONNRESET && !failure->remote)
        return failure_set(failure, STEP_HANDSHAKE, ECONNABORTED, "%s", text);
    if (r == 0)
        c->offer = in.offer;
    return r;
}

static void part(struct client *c)
{
    struct wire_message bye = { .type = WIRE_BYE };
    struct watch watch = watch_for(100, -1);
    if (c->connection.fd >= 0)
        connection_send(&c->connection, &bye, &watch);
    connection_close(&c->connection);
    c->peer.fd = -1;
}

/* The server sends to the address that asks only: where that isn't the GID's, the same again from the GID's address,
 * to the other GID's or else to the one that was asked for. When neither works the server decides. */
static int come_from_gid(struct client *c, struct failure *failure)
{
    const struct client_spec *spec = c->spec;
    const struct near_gid *near = &spec->gids[c->pair.near];
    struct sockaddr_storage from, far = { 0 };
    uint16_t port = ((const struct sockaddr_in *)&spec->address)->sin_port;
    if (memcmp(c->question.own, near->gid.raw, sizeof(near->gid.raw)) == 0)
        return 0;
    gid_sockaddr(near->gid.raw, 0, near->ifindex, &from);
    socklen_t len = gid_sockaddr(c->offer.gids[c->pair.far].raw, ntohs(port), near->ifindex, &far);
    part(c);
    int r = greet(c, &far, &from, len, failure);
    if (r < 0 && r != -EINTR && spec->address.ss_family == from.ss_family)
        r = greet(c, &spec->address, &from, spec->address_len, failure);
    if (r < 0 && r != -EINTR)
        r = greet(c, &spec->address, NULL, spec->address_len, failure);
    return r < 0 ? r : choose(c, failure);
}

static struct endpoint_spec end_of(const struct client *c)
{
    const struct wire_gid *gid = &c->spec->gids[c->pair.near].gid;
    return (struct endpoint_spec){ .device = gid->device,
                                   .node = c->spec->node(c->spec->data, gid->device),
                                   .port = (uint8_t)gid->port,
                                   .gid_index = (uint16_t)gid->index,
                                   .size = c->spec->size,
                                   .soft = c->spec->gids[c->pair.near].soft };
}

/* The packet comes, and its nonce goes back. */
static int take_packet(struct client *c, struct probe *probe, struct wire_message *in, struct failure *failure)
{
    struct wire_message out = { .type = WIRE_READY };
    struct watch watch = watch_for(c->spec->options->timeout / PROBE_TRIES + 1, c->connection.fd);
    int r = connection_send(&c->connection, &out, &watch);
    if (r < 0)
        return failure_set(failure, STEP_HANDSHAKE, r, "%s", "");
    out = (struct wire_message){ .type = WIRE_NONCE };
    r = probe_receive(probe, &watch, out.nonce, failure);
    if (r == -ECONNRESET) { /* it speaks instead: to say why not */
        r = connection_receive(&c->connection, in, &watch);
        if (r == 0 && in->type == WIRE_FAILURE) {
            *failure = in->failure;
            return failure->err ? -failure->err : -EIO;
        }
        return failure_set(failure, STEP_HANDSHAKE, r < 0 ? r : EPROTO, "%s", "");
    }
    return r < 0 ? r : ask(c, &out, WIRE_PROVEN, c->spec->options->timeout + CLIENT_SLACK_MS, in, failure);
}

static int prove_once(struct client *c, enum queue_kind kind, struct wire_message *in, struct failure *failure)
{
    struct endpoint_spec end = end_of(c);
    const struct wire_gid *near = &c->spec->gids[c->pair.near].gid;
    const struct test_options *o = c->spec->options;
    struct wire_message out = { .type = WIRE_PROBE };
    struct probe *probe;
    int r = probe_open(&end, kind, &probe, failure);
    if (r < 0)
        return r;
    out.probe = (struct wire_probe){ .gid = (uint32_t)c->pair.far,
                                     .type = near->type,
                                     .traffic_class = o->traffic_class,
                                     .hop_limit = o->hop_limit,
                                     .queue = probe_describe(probe) };
    memcpy(out.probe.raw, near->raw, sizeof(near->raw));
    r = ask(c, &out, WIRE_PROBED, o->timeout + CLIENT_SLACK_MS, in, failure);
    if (r == 0)
        r = probe_connect(probe, c->offer.gids[c->pair.far].raw, o->traffic_class, o->hop_limit, &in->probed,
                          failure);
    if (r == 0)
        r = take_packet(c, probe, in, failure);
    probe_close(probe);
    return r;
}

/* Lets the server see that what it sends comes here. One of the ends may have no UD. */
static int prove(struct client *c, struct failure *failure)
{
    struct wire_message in;
    enum queue_kind kind = QUEUE_UD;
    int r = -ETIMEDOUT;
    for (unsigned i = 0; i < PROBE_TRIES && r == -ETIMEDOUT; i++) {
        r = prove_once(c, kind, &in, failure);
        if (r < 0 && kind == QUEUE_UD && (failure->step == STEP_QP || failure->step == STEP_AH)) {
            kind = QUEUE_RC;
            r = prove_once(c, kind, &in, failure);
        }
        if (r < 0 && failure->step != STEP_PROVE)
            return r;
    }
    if (r < 0)
        return r;
    struct wire_gid *far = &c->offer.gids[c->pair.far];
    if (memcmp(far->raw, in.proven.gid.raw, sizeof(far->raw)) != 0)
        return failure_set(failure, STEP_HANDSHAKE, EPROTO, "the server speaks of another GID");
    *far = in.proven.gid;
    c->test_ms = in.proven.test_ms;
    snprintf(c->host, sizeof(c->host), "%s", in.proven.host);
    pair_say(&c->question, &c->pair);
    return 0;
}

static struct set_spec spec_of(struct client *c)
{
    return (struct set_spec){ .end = end_of(c), .rc_queues = c->spec->options->queues, .other_kinds = true };
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
                                  .rdma_cm = c->spec->rdma_cm,
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
    r = ask(c, &out, WIRE_OPENED, c->spec->options->timeout + CLIENT_SLACK_MS, &in, failure);
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
    int r = ask(c, &out, WIRE_OPENED, timeout + CLIENT_SLACK_MS, &in, failure);
    if (r < 0)
        return r;
    struct watch watch = watch_for(timeout, -1);
    r = cm_connect(near->gid.raw, c->offer.gids[c->pair.far].raw, near->ifindex, in.opened.cm_port, &spec,
                   &watch, &c->cm, &c->set, failure);
    if (r < 0)
        return r;
    c->set->end->atomics &= in.opened.atomics;
    out = (struct wire_message){ .type = WIRE_KEYS };
    set_describe_buffer(c->set, &out.keys);
    r = ask(c, &out, WIRE_KEYS, timeout + CLIENT_SLACK_MS, &in, failure);
    if (r == 0)
        set_learn_buffer(c->set, &in.keys);
    return r;
}

static void close_set(struct client *c)
{
    set_close(c->set);
    cm_close(c->cm);
    c->set = NULL;
    c->cm = NULL;
}

static int open_set(struct client *c, struct failure *failure)
{
    return c->spec->rdma_cm ? open_cm(c, failure) : open_verbs(c, failure);
}

/* A connection that is gone ends the run, whatever was just being done. */
static int lost(int r, const struct failure *failure)
{
    return failure->step == STEP_HANDSHAKE && !failure->remote && r != -EINTR ? -ECONNRESET : r;
}

static int arm(struct peer *peer, const struct trial *trial, struct failure *failure)
{
    struct client *c = client_of(peer);
    struct wire_message in, out = { .type = WIRE_TRIAL, .trial = *trial };
    int r = ask(c, &out, WIRE_READY, c->spec->options->timeout + CLIENT_SLACK_MS, &in, failure);
    return r < 0 ? lost(r, failure) : 0;
}

static int finish(struct peer *peer, const struct trial *trial, struct failure *failure)
{
    struct client *c = client_of(peer);
    struct wire_message in, out = { .type = WIRE_FINISH };
    int r = ask(c, &out, WIRE_OUTCOME, trial->timeout + CLIENT_SLACK_MS, &in, failure);
    if (r < 0)
        return lost(r, failure);
    if (in.outcome.good)
        return 0;
    *failure = in.outcome.failure;
    return failure->err ? -failure->err : -EIO;
}

static int reopen(struct peer *peer, struct set **set, struct failure *failure)
{
    struct client *c = client_of(peer);
    close_set(c);
    int r = open_set(c, failure);
    *set = c->set;
    return r < 0 ? lost(r, failure) : 0;
}

int client_open(struct client *c, const struct client_spec *spec, struct failure *failure)
{
    memset(c, 0, sizeof(*c));
    c->peer = (struct peer){ .arm = arm, .finish = finish, .reopen = reopen };
    c->spec = spec;
    c->connection.fd = -1;
    c->path = path_new(0, spec->options->traffic_class, spec->options->hop_limit, ENDPOINT_READS_MOST);
    int r = greet(c, &spec->address, NULL, spec->address_len, failure);
    if (r == 0)
        r = choose(c, failure);
    if (r == 0)
        r = come_from_gid(c, failure);
    if (r == 0)
        r = prove(c, failure);
    return r < 0 ? r : open_set(c, failure);
}

int client_counters(struct client *c, struct grown_counters *counters, struct failure *failure)
{
    struct wire_message in, out = { .type = WIRE_COUNTERS };
    int r = ask(c, &out, WIRE_COUNTERS, c->spec->options->timeout + CLIENT_SLACK_MS, &in, failure);
    if (r == 0)
        *counters = in.counters;
    return r;
}

void client_close(struct client *c)
{
    part(c);
    close_set(c);
}
