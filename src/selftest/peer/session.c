#include "selftest/peer/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/host.h"
#include "selftest/diagnosis/delta.h"
#include "selftest/queues/cm.h"
#include "selftest/trial/respond.h"

struct session {
    const struct session_host *host;
    struct connection *connection;
    uint64_t until; /* the whole session's end */
    bool yield;
    struct session_offer offer;

    struct set *set; /* NULL: not opened */
    struct cm *cm;
    struct responder responder;
    struct wire_gid gid; /* of ours, that is used */
    uint8_t peer_gid[16];
    struct host *before; /* counters at the first OPEN */
    struct session_report *report;
    struct wire_message in, out;
};

static struct watch limit(const struct session *s, uint32_t ms)
{
    struct watch watch = watch_for(ms, -1);
    if (watch.until > s->until)
        watch.until = s->until;
    watch.yield = s->yield;
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

static struct set_spec spec_of(const struct session *s, const struct wire_open *open)
{
    return (struct set_spec){
        .end = { .device = s->gid.device,
                 .node = *s->offer.nodes[open->gid] ? s->offer.nodes[open->gid] : NULL,
                 .port = (uint8_t)s->gid.port,
                 .gid_index = (uint16_t)s->gid.index,
                 .size = open->keys.size ? open->keys.size : TRIAL_SIZE_MOST },
        .rc_queues = open->nqueues > QUEUE_KINDS ? open->nqueues - QUEUE_KINDS + 1 : 1,
        .other_kinds = true,
        .psn = (uint32_t)(wait_now() >> 8) & 0xffffff,
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
    struct path path =
        path_new(open->mtu, open->traffic_class, open->hop_limit, reads_of(s->set->end, open->rd_atomic));
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
    if (open.gid >= s->offer.wire.ngids)
        return -EPROTO;
    s->gid = s->offer.wire.gids[open.gid];
    if (open.type != s->gid.type) {
        failure_set(&failure, STEP_GID_PAIR, EPROTONOSUPPORT, "GIDs of different RoCE versions can't talk");
        return say_failure(s, &failure);
    }
    memcpy(s->peer_gid, open.raw, sizeof(s->peer_gid));
    if (!s->before)
        s->before = s->host->counters(s->host->data);
    int r = open.rdma_cm ? open_cm(s, &open, &failure) : open_verbs(s, &open, &failure);
    if (r < 0) {
        close_set(s);
        return say_failure(s, &failure);
    }
    return say(s, open.rdma_cm ? WIRE_KEYS : WIRE_OPENED);
}

/* Everything between READY and OUTCOME. */
static int serve_trial(struct session *s, const struct trial *trial)
{
    struct wire_outcome outcome = { 0 };
    struct watch watch = limit(s, trial->timeout);
    watch.fd = s->connection->fd;
    int r = responder_serve(&s->responder, &watch, &outcome.failure);
    if (r == -EINTR)
        return r;
    /* the client may measure for long what needs nothing from us */
    watch = limit(s, trial->kind == TRIAL_VERIFY ? trial->timeout + s->host->idle_ms : TRIAL_TIMEOUT_MOST);
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
    responder_end(&s->responder);
    if (responder_arm(&s->responder, s->set, &trial, &failure) < 0)
        return say_failure(s, &failure);
    int r = say(s, WIRE_READY);
    return r < 0 ? r : serve_trial(s, &trial);
}

static int on_counters(struct session *s)
{
    struct host *after = s->before ? s->host->counters(s->host->data) : NULL;
    counters_grown(s->before, after, s->gid.device, s->gid.port, &s->out.counters);
    host_free(after);
    return say(s, WIRE_COUNTERS);
}

/* 1: goodbye. */
static int on_message(struct session *s)
{
    switch (s->in.type) {
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

void session_run(const struct session_host *host, struct connection *connection,
                 const struct wire_hello *hello, bool yield, struct session_report *report)
{
    struct session *s = mem_alloc(1, sizeof(*s));
    s->host = host;
    s->connection = connection;
    s->yield = yield;
    s->report = report;
    s->until = wait_now() + (uint64_t)host->session_ms * 1000000;
    snprintf(report->name, sizeof(report->name), "%s", hello->host);
    host->offer(host->data, &s->offer);
    s->out.offer = s->offer.wire;
    int r = say(s, WIRE_OFFER);
    while (r == 0) {
        struct watch watch = limit(s, host->idle_ms);
        r = connection_receive(connection, &s->in, &watch);
        if (r == 0)
            r = on_message(s);
    }
    report->end = r > 0 ? 0 : r;
    if (r == -EINTR || r == -EPROTO) {
        struct failure failure;
        struct watch watch = { .until = wait_now() + 100000000, .fd = -1 };
        failure_set(&failure, STEP_HANDSHAKE, r,
                    r == -EINTR ? "the server is being stopped" : "an unexpected message");
        s->out = (struct wire_message){ .type = WIRE_FAILURE, .failure = failure };
        connection_send(connection, &s->out, &watch);
    }
    close_set(s);
    host_free(s->before);
    free(s);
}
