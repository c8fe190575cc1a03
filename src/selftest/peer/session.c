/* SPDX-License-Identifier: MIT */
#include "selftest/peer/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "selftest/diagnosis/delta.h"
#include "selftest/peer/session_steps.h"

/* Counters are read once a run; those of priorities around each traffic class, until they follow. */
enum { READINGS_MOST = 64, COUNTINGS_MOST = 1024 };

static int on_counters(struct session *s)
{
    if (!s->before)
        return -EPROTO;
    if (s->readings++ == READINGS_MOST)
        return -EDQUOT;
    const struct host *after = s->host->counters(s->host->data, s->tested);
    counters_grown(s->before, after, s->gid.device, s->gid.port, &s->out.counters);
    s->host->give_back(s->host->data, after);
    return session_say(s, WIRE_COUNTERS);
}

/* A client is told what came since it asked first, not what this host does all day. */
static int on_priorities(struct session *s)
{
    struct wire_priorities *p = &s->out.priorities;
    if (!s->opens)
        return -EPROTO;
    if (s->countings == COUNTINGS_MOST)
        return -EDQUOT;
    *p = (struct wire_priorities){ .netdevs = "" };
    if (s->host->priorities)
        s->host->priorities(s->host->data, &s->gid, p);
    if (s->countings++ == 0)
        s->first = p->counts;
    p->counts = priority_counts_since(&p->counts, &s->first);
    return session_say(s, WIRE_PRIORITIES);
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
    if (!mem_reserve(SESSION_ROOM))
        return -ENOMEM;
    switch (s->in.type) {
    case WIRE_PROBE:
        return session_on_probe(s);
    case WIRE_READY:
        return session_on_ready(s);
    case WIRE_NONCE:
        return session_on_nonce(s);
    case WIRE_OPEN:
        return session_on_open(s);
    case WIRE_TRIAL:
        return session_on_trial(s);
    case WIRE_PATHS:
        return session_on_paths(s);
    case WIRE_EXCHANGE:
        return session_on_exchange(s);
    case WIRE_COUNTERS:
        return on_counters(s);
    case WIRE_PRIORITIES:
        return on_priorities(s);
    case WIRE_BYE:
        return 1;
    default:
        return -EPROTO;
    }
}

static int converse(struct session *s)
{
    socklen_t len = sizeof(s->peer);
    s->peer.ss_family = AF_INET;
    getpeername(s->connection->fd, (struct sockaddr *)&s->peer, &len);
    s->host->offer(s->host->data, &s->offer);
    if (!s->host->tells_all)
        session_shorten_offer(s);
    s->out.offer = s->offer.wire;
    int r = session_say(s, WIRE_OFFER);
    while (r == 0) {
        struct watch watch = session_limit(s, s->host->idle_ms);
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
                       : end == -ENOMEM ? SESSION_NO_ROOM
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
    session_close_set(s);
    proof_end(&s->proof);
    if (s->before)
        host->give_back(host->data, s->before);
    free(s);
}
