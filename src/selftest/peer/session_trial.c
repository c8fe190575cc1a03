/* SPDX-License-Identifier: MIT */
/* What a session's steps say to the client, and until when they may wait. */
#include "selftest/peer/session.h"

#include <errno.h>

struct watch session_limit(const struct session *s, uint32_t ms)
{
    struct watch watch = watch_for(ms, -1);
    if (watch.until > s->until)
        watch.until = s->until;
    watch.end = s->until;
    watch.yield = s->yield;
    watch.naps = true;
    return watch;
}

int session_say(struct session *s, enum wire_type type)
{
    struct watch watch = session_limit(s, s->host->idle_ms);
    s->out.type = type;
    return connection_send(s->connection, &s->out, &watch);
}

int session_say_failure(struct session *s, const struct failure *failure)
{
    s->out.failure = *failure;
    return session_say(s, WIRE_FAILURE);
}

/* The server's part of a test. */

/* Everything between READY and OUTCOME. However often it is renewed, no wait passes the longest test's end. */
static int serve_trial(struct session *s, const struct trial *trial)
{
    struct wire_outcome outcome = { 0 };
    struct watch whole = session_limit(s, s->host->test_ms), watch = session_limit(s, trial->timeout);
    watch.end = whole.until;
    watch.fd = s->connection->fd;
    int r = responder_serve(&s->responder, &watch, &outcome.failure);
    if (r == -EINTR)
        return r;
    /* the client may measure for long what needs nothing from us */
    watch = r < 0 || trial->kind == TRIAL_VERIFY ? session_limit(s, trial->timeout + s->host->idle_ms) : whole;
    int heard = connection_receive(s->connection, &s->in, &watch);
    if (heard < 0)
        return heard;
    if (s->in.type != WIRE_FINISH)
        return -EPROTO;
    if (r == 0) {
        watch = session_limit(s, trial->timeout);
        watch.fd = s->connection->fd;
        r = responder_judge(&s->responder, s->peer_gid, &watch, &outcome.failure);
    }
    s->tested = wait_now();
    outcome.good = r == 0;
    outcome.messages = responder_messages(&s->responder);
    s->report->failed += r < 0;
    s->out.outcome = outcome;
    return session_say(s, WIRE_OUTCOME);
}

int session_on_trial(struct session *s)
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
        return session_say_failure(s, &failure);
    int r = session_say(s, WIRE_READY);
    return r < 0 ? r : serve_trial(s, &trial);
}
