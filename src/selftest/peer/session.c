/* SPDX-License-Identifier: MIT */
#include "selftest/peer/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/host.h"
#include "selftest/diagnosis/delta.h"
#include "selftest/peer/proof.h"
#include "selftest/queues/cm.h"
#include "selftest/trial/respond.h"

/* What a session may ask for: a run that fails all the time opens once an operation, and reads counters once. */
enum { OPENS_MOST = 256, READINGS_MOST = 64 };

struct session {
    const struct session_host *host;
    struct connection *connection;
    uint64_t until; /* the whole session's end */
    bool yield;
    struct session_offer offer;
    struct sockaddr_storage peer; /* of the TCP connection */
    struct proof proof;
    unsigned opens, readings;

    struct set *set; /* NULL: not opened */
    struct cm *cm;
    struct responder responder;
    struct wire_gid gid; /* of ours, that is used */
    uint8_t peer_gid[16];
    const struct host *before; /* counters at the first OPEN */
    uint64_t tested;           /* when the last test ended, as wait_now() */
    struct session_report *report;
    struct wire_message in, out;
};

static struct watch limit(const struct session *s, uint32_t ms)
{
    struct watch watch = watch_for(ms, -1);
    if (watch.until > s->until)
        watch.until = s->until;
    watch.end = s->until;
    watch.yield = s->yield;
    watch.naps = true;
    return watch;
}

static int say(struct session *s, enum wire_type type)
{
    struct watch watch = limit(s, s->host->idle_ms);
    s->out.type = type;
    return connection_send(s->connection, &s->out, &watch);
}

static int say_failure(struct session *s, const struct failure *failure)
{
    s->out.failure = *failure;
    return say(s, WIRE_FAILURE);
}

static void close_set(struct session *s)
{
    responder_end(&s->responder);
    set_close(s->set);
    cm_close(s->cm);
    s->set = NULL;
    s->cm = NULL;
}

static struct endpoint_spec end_of(const struct session *s, uint32_t gid, size_t size)
{
    const struct wire_gid *own = &s->offer.wire.gids[gid];
    return (struct endpoint_spec){ .device = own->device,
                                   .node = *s->offer.nodes[gid] ? s->offer.nodes[gid] : NULL,
                                   .port = (uint8_t)own->port,
                                   .gid_index = (uint16_t)own->index,
                                   .soft = s->offer.soft[gid],
                                   .size = size };
}

/* Is the GID the address that the client connects from, so that nobody else is sent to? A link-local one is
 * so on its own link only. */
static bool is_clients(const struct session *s, uint32_t gid, const uint8_t raw[static 16])
{
    uint8_t from[16];
    address_gid(&s->peer, from);
    if (memcmp(from, raw, sizeof(from)) != 0)
        return false;
    return !gid_is_link_local(raw) ||
           ((const struct sockaddr_in6 *)&s->peer)->sin6_scope_id == s->offer.ifindexes[gid];
}

static int refuse_gid(struct session *s, const struct wire_probe *asked)
{
    struct failure failure;
    char gid[GID_ADDRESS_SIZE], from[ADDRESS_TEXT_SIZE];
    gid_address(asked->raw, gid);
    address_text(&s->peer, from);
    failure_set(&failure, STEP_PROVE, EPERM, "the GID is %s, the connection comes from %s", gid, from);
    return say_failure(s, &failure);
}

static int on_probe(struct session *s)
{
    struct wire_probe asked = s->in.probe;
    struct failure failure;
    close_set(s);
    if (asked.gid >= s->offer.wire.ngids)
        return -EPROTO;
    if (asked.type != s->offer.wire.gids[asked.gid].type) {
        failure_set(&failure, STEP_GID_PAIR, EPROTONOSUPPORT, "GIDs of different RoCE versions can't talk");
        return say_failure(s, &failure);
    }
    if (!s->host->any_gid && !is_clients(s, asked.gid, asked.raw))
        return refuse_gid(s, &asked);
    struct endpoint_spec end = end_of(s, asked.gid, 0);
    int r = proof_begin(&s->proof, &end, &asked, &s->out.probed, &failure);
    if (r == -EDQUOT)
        return r;
    return r < 0 ? say_failure(s, &failure) : say(s, WIRE_PROBED);
}

/* The client can receive it. */
static int on_ready(struct session *s)
{
    struct failure failure;
    int r = proof_send(&s->proof, &failure);
    if (r == -EPROTO)
        return r;
    return r < 0 ? say_failure(s, &failure) : 0;
}

static int on_nonce(struct session *s)
{
    int r = proof_check(&s->proof, s->in.nonce);
    if (r < 0)
        return r;
    struct wire_proven *proven = &s->out.proven;
    s->report->proven = true;
    *proven = (struct wire_proven){ .gid = s->offer.wire.gids[s->proof.gid], .test_ms = s->host->test_ms };
    proven->gid.mtu = s->proof.mtu;
    snprintf(proven->host, sizeof(proven->host), "%s", s->offer.host);
    return say(s, WIRE_PROVEN);
}

static struct set_spec spec_of(const struct session *s, const struct wire_open *open)
{
    return (struct set_spec){
        .end = end_of(s, open->gid, open->keys.size ? open->keys.size : TRIAL_SIZE_MOST),
        .rc_queues = open->nqueues > QUEUE_KINDS ? open->nqueues - QUEUE_KINDS + 1 : 1,
        .other_kinds = true,
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
    struct watch watch = limit(s, open->timeout);
    struct wire_opened *opened = &s->out.opened;
    memset(opened, 0, sizeof(*opened));
    opened->atomics = !endpoint_is_fragile(&spec.end);
    int r = cm_listen(s->gid.raw, s->offer.ifindexes[open->gid], &s->cm, &opened->cm_port, failure);
    if (r < 0)
        return r;
    r = say(s, WIRE_OPENED);
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

static int on_open(struct session *s)
{
    struct wire_open open = s->in.open;
    struct failure failure;
    close_set(s);
    if (!proof_holds(&s->proof, open.gid, open.raw))
        return -EPROTO;
    if (s->opens++ == OPENS_MOST)
        return -EDQUOT;
    s->gid = s->offer.wire.gids[open.gid];
    memcpy(s->peer_gid, open.raw, sizeof(s->peer_gid));
    if (!s->before)
        s->before = s->host->counters(s->host->data, wait_now());
    int r = open.rdma_cm ? open_cm(s, &open, &failure) : open_verbs(s, &open, &failure);
    if (r < 0) {
        close_set(s);
        return say_failure(s, &failure);
    }
    return say(s, open.rdma_cm ? WIRE_KEYS : WIRE_OPENED);
}

/* Everything between READY and OUTCOME. However often it is renewed, no wait passes the longest test's end. */
static int serve_trial(struct session *s, const struct trial *trial)
{
    struct wire_outcome outcome = { 0 };
    struct watch whole = limit(s, s->host->test_ms), watch = limit(s, trial->timeout);
    watch.end = whole.until;
    watch.fd = s->connection->fd;
    int r = responder_serve(&s->responder, &watch, &outcome.failure);
    if (r == -EINTR)
        return r;
    /* the client may measure for long what needs nothing from us */
    watch = r < 0 || trial->kind == TRIAL_VERIFY ? limit(s, trial->timeout + s->host->idle_ms) : whole;
    int heard = connection_receive(s->connection, &s->in, &watch);
    if (heard < 0)
        return heard;
    if (s->in.type != WIRE_FINISH)
        return -EPROTO;
    if (r == 0) {
        watch = limit(s, trial->timeout);
        watch.fd = s->connection->fd;
        r = responder_judge(&s->responder, s->peer_gid, &watch, &outcome.failure);
    }
    s->tested = wait_now();
    outcome.good = r == 0;
    outcome.messages = responder_messages(&s->responder);
    s->report->failed += r < 0;
    s->out.outcome = outcome;
    return say(s, WIRE_OUTCOME);
}

static int on_trial(struct session *s)
{
    struct trial trial = s->in.trial;
    struct failure failure;
    if (!s->set)
        return -EPROTO;
    s->report->trials++;
    /* a round takes no time; what is large may take a part of the whole */
    uint32_t most = trial.kind == TRIAL_LATENCY ? s->host->idle_ms : s->host->test_ms;
    if (trial.timeout > most)
        trial.timeout = most;
    responder_end(&s->responder);
    if (responder_arm(&s->responder, s->set, &trial, &failure) < 0)
        return say_failure(s, &failure);
    int r = say(s, WIRE_READY);
    return r < 0 ? r : serve_trial(s, &trial);
}

static int on_counters(struct session *s)
{
    if (!s->before)
        return -EPROTO;
    if (s->readings++ == READINGS_MOST)
        return -EDQUOT;
    const struct host *after = s->host->counters(s->host->data, s->tested);
    counters_grown(s->before, after, s->gid.device, s->gid.port, &s->out.counters);
    s->host->give_back(s->host->data, after);
    return say(s, WIRE_COUNTERS);
}

/* What this thread has used. */
static bool is_spent(const struct session *s)
{
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (uint64_t)used.tv_sec * 1000 + (uint64_t)used.tv_nsec / 1000000 > s->host->test_ms;
}

/* 1: goodbye. */
static int on_message(struct session *s)
{
    if (is_spent(s))
        return -EDQUOT;
    switch (s->in.type) {
    case WIRE_PROBE:
        return on_probe(s);
    case WIRE_READY:
        return on_ready(s);
    case WIRE_NONCE:
        return on_nonce(s);
    case WIRE_OPEN:
        return on_open(s);
    case WIRE_TRIAL:
        return on_trial(s);
    case WIRE_COUNTERS:
        return on_counters(s);
    case WIRE_BYE:
        return 1;
    default:
        return -EPROTO;
    }
}

/* Before a path is proven a client is told no more than the address that it knows already: where that is a
 * GID, this one. */
static void shorten_offer(struct session *s)
{
    struct session_offer *o = &s->offer;
    struct sockaddr_storage own = { .ss_family = AF_INET };
    socklen_t len = sizeof(own);
    uint8_t raw[16];
    uint32_t kept = 0;
    getsockname(s->connection->fd, (struct sockaddr *)&own, &len);
    address_gid(&own, raw);
    for (uint32_t i = 0; i < o->wire.ngids; i++) {
        if (memcmp(o->wire.gids[i].raw, raw, sizeof(raw)) != 0)
            continue;
        o->wire.gids[kept] = o->wire.gids[i];
        o->ifindexes[kept] = o->ifindexes[i];
        memmove(o->nodes[kept++], o->nodes[i], sizeof(o->nodes[i]));
    }
    if (kept)
        o->wire.ngids = kept;
}

static int converse(struct session *s)
{
    socklen_t len = sizeof(s->peer);
    s->peer.ss_family = AF_INET;
    getpeername(s->connection->fd, (struct sockaddr *)&s->peer, &len);
    s->host->offer(s->host->data, &s->offer);
    if (!s->host->tells_all)
        shorten_offer(s);
    s->out.offer = s->offer.wire;
    int r = say(s, WIRE_OFFER);
    while (r == 0) {
        struct watch watch = limit(s, s->host->idle_ms);
        r = connection_receive(s->connection, &s->in, &watch);
        if (r == 0)
            r = on_message(s);
    }
    return r > 0 ? 0 : r;
}

static void say_end(struct session *s, int end)
{
    const char *text = end == -EINTR    ? "the server is being stopped"
                       : end == -EPROTO ? "an unexpected message"
                       : end == -EDQUOT ? "this session has used up what one client may"
                                        : NULL;
    struct failure failure;
    struct watch watch = { .until = wait_now() + 100000000, .fd = -1 };
    if (!text)
        return;
    failure_set(&failure, STEP_HANDSHAKE, end, "%s", text);
    s->out = (struct wire_message){ .type = WIRE_FAILURE, .failure = failure };
    connection_send(s->connection, &s->out, &watch);
}

void session_run(const struct session_host *host, struct connection *connection,
                 const struct wire_hello *hello, bool yield, struct session_report *report)
{
    snprintf(report->name, sizeof(report->name), "%s", hello->host);
    struct session *s = calloc(1, sizeof(*s));
    if (!s) {
        report->end = -ENOMEM;
        return;
    }
    s->host = host;
    s->connection = connection;
    s->yield = yield;
    s->report = report;
    s->until = wait_now() + (uint64_t)host->session_ms * 1000000;
    report->end = converse(s);
    say_end(s, report->end);
    close_set(s);
    proof_end(&s->proof);
    if (s->before)
        host->give_back(host->data, s->before);
    free(s);
}
