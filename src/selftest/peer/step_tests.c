/* SPDX-License-Identifier: MIT */
/* TRIAL, EXCHANGE, READY, FINISH, OUTCOME, EXCHANGED: a test that the client starts and the server answers. */
#include "selftest/peer/steps.h"

/* -- a trial ------------------------------------------------------------------------------------------- */

static struct client *client_of(struct peer *peer)
{
    return (struct client *)peer;
}

/* A lost connection ends the run, whatever was being done. */
static int ends_run(int r, const struct failure *failure)
{
    return r < 0 && failure->step == STEP_HANDSHAKE && !failure->remote && r != -EINTR ? -ECONNRESET : r;
}

int client_arm(struct peer *peer, const struct trial *trial, struct failure *failure)
{
    struct client *c = client_of(peer);
    c->side.out.trial = *trial;
    return ends_run(client_ask(c, WIRE_TRIAL, WIRE_READY, failure), failure);
}

int client_finish(struct peer *peer, const struct trial *trial, struct failure *failure)
{
    struct client *c = client_of(peer);
    const struct wire_outcome *outcome = &c->side.in.outcome;
    int r = client_ask_for(c, WIRE_FINISH, WIRE_OUTCOME, trial->timeout + CLIENT_SLACK_MS, failure);
    return r < 0 ? ends_run(r, failure) : outcome->good ? 0 : client_told(&outcome->failure, failure);
}

int client_reopen(struct peer *peer, struct set **set, struct failure *failure)
{
    struct client *c = client_of(peer);
    side_close_set(&c->side);
    int r = client_open_set(c, failure);
    *set = c->side.set;
    return ends_run(r, failure);
}

/* Everything between READY and OUTCOME. However often it is renewed, no wait outlasts the longest test. */
static int serve_trial(struct session *s, const struct trial *trial)
{
    struct wire_outcome outcome = { 0 };
    struct watch whole = session_limit(s, s->host->test_ms), watch = session_limit(s, trial->timeout);
    watch.end = whole.until;
    watch.fd = s->side.connection->fd;
    uint64_t used = session_used();
    int r = responder_serve(&s->responder, &watch, &outcome.failure);
    if (r == -EINTR)
        return r;
    if (responder_messages(&s->responder) || s->responder.flow.completed)
        s->paid += session_used() - used; /* data flows: that is what a test may cost */
    /* the client may take long to measure what needs nothing from us */
    watch = r < 0 || trial->kind == TRIAL_VERIFY ? session_limit(s, trial->timeout + s->host->idle_ms) : whole;
    int heard = session_hear(s, WIRE_FINISH, &watch);
    if (heard < 0)
        return heard;
    if (r == 0) {
        watch = session_limit(s, trial->timeout);
        watch.fd = s->side.connection->fd;
        r = responder_judge(&s->responder, s->peer_gid, &watch, &outcome.failure);
    }
    s->tested = wait_now();
    outcome.good = r == 0;
    outcome.messages = responder_messages(&s->responder);
    s->report->failed += r < 0;
    s->side.out.outcome = outcome;
    return session_say(s, WIRE_OUTCOME);
}

/* A proven path isn't a client that listens: before data goes to it, it acknowledges some. (iWARP's TCP sees to
 * that itself; UC and UD have no acknowledgements.) */
static int knock(struct session *s, const struct trial *t, struct failure *failure)
{
    const struct set *set = s->side.set;
    struct watch watch = session_limit(s, t->timeout);
    bool sends = t->kind == TRIAL_LATENCY ? latency_is_round(t) : t->flags & TRIAL_BOTH_WAYS;
    int r = 0;
    watch.fd = s->side.connection->fd;
    for (unsigned i = 0; r == 0 && sends && i < t->queues && !queue_is_unreliable(t->queue) && !set->end->iwarp;
         i++)
        r = queue_knock(i ? set_rc(set, i) : set->queues[t->queue], t->size, &watch, failure);
    return r;
}

int session_on_trial(struct session *s)
{
    struct trial trial = s->side.in.trial;
    struct failure failure;
    if (!s->side.set || s->side.set->paths)
        return -EPROTO;
    s->report->trials++;
    /* many messages at once may take part of the whole test's time until the first has arrived */
    uint32_t most = trial.kind == TRIAL_BANDWIDTH ? s->host->test_ms : s->host->idle_ms;
    if (trial.timeout > most)
        trial.timeout = most;
    int r = responder_arm(&s->responder, s->side.set, &trial, false, &failure);
    if (r == 0)
        r = knock(s, &trial, &failure);
    if (r < 0)
        return r == -EINTR ? r : session_say_failure(s, &failure);
    r = session_say(s, WIRE_READY);
    return r < 0 ? r : serve_trial(s, &trial);
}

/* -- an exchange over many paths ----------------------------------------------------------------------- */

int client_begin_exchange(struct client *c, const struct exchange_plan *plan, struct exchange *x,
                          struct failure *failure)
{
    int r = exchange_begin(x, plan, c->side.set, true, failure);
    c->side.out.exchange = *plan;
    return r < 0 ? r : client_ask(c, WIRE_EXCHANGE, WIRE_READY, failure);
}

int client_end_exchange(struct client *c, const struct exchange *x, int r,
                        struct exchange_seen seen[static PATHS_MOST], struct failure *failure)
{
    const struct wire_exchanged *exchanged = &c->side.in.exchanged;
    if (r == -EINTR || r == -ENOMEM) /* if the server spoke too soon, it says why below */
        return failure_set(failure, STEP_HANDSHAKE, r, "%s", "");
    r = client_ask(c, WIRE_FINISH, WIRE_EXCHANGED, failure);
    if (r < 0)
        return r;
    if (exchanged->count != (x->plan->datagrams ? 1 : x->plan->count))
        return failure_set(failure, STEP_HANDSHAKE, EPROTO, "the server names other queue pairs");
    memcpy(seen, exchanged->seen, sizeof(exchanged->seen));
    return 0;
}

/* Until the client has finished, but no longer than a test may take. */
static int serve_exchange(struct session *s, struct exchange *x)
{
    struct watch watch = session_limit(s, s->host->test_ms);
    watch.end = watch.until;
    watch.fd = s->side.connection->fd;
    uint64_t used = session_used();
    int r = exchange_wait(x, &watch, NULL);
    if (r == -EINTR || r == -ETIMEDOUT)
        return r;
    for (uint32_t i = 0; i < PATHS_MOST; i++)
        if (x->seen[i].received) {
            s->paid += session_used() - used;
            break;
        }
    r = session_hear(s, WIRE_FINISH, NULL);
    if (r < 0)
        return r;
    s->tested = wait_now();
    s->side.out.exchanged = (struct wire_exchanged){ .count = x->plan->datagrams ? 1 : x->plan->count };
    memcpy(s->side.out.exchanged.seen, x->seen, sizeof(x->seen));
    return session_say(s, WIRE_EXCHANGED);
}

int session_on_exchange(struct session *s)
{
    struct exchange_plan plan = s->side.in.exchange;
    struct exchange x;
    struct failure failure;
    if (!s->side.set || !s->side.set->paths)
        return -EPROTO;
    s->report->trials++;
    if (exchange_begin(&x, &plan, s->side.set, false, &failure) < 0)
        return session_say_failure(s, &failure);
    int r = session_say(s, WIRE_READY);
    if (r == 0 && plan.speaks)
        exchange_speak(&x, &failure); /* a queue pair that can't is out: its seen.status */
    return r < 0 ? r : serve_exchange(s, &x);
}
