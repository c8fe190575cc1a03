/* SPDX-License-Identifier: MIT */
#include "selftest/peer/session.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/host.h"
#include "selftest/diagnosis/diagnosis.h"
#include "selftest/queues/wait.h"

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

enum { MS = 1000000 };

struct reading {
    struct reading *next;
    struct host *host;
    unsigned users;
    uint64_t at;
};

struct readings {
    struct host *(*read)(void *data);
    void *data;
    pthread_mutex_t lock;
    struct reading *list; /* the newest first */
    struct account account;
    uint64_t cost; /* ns, of the last one */
};

struct readings *readings_new(struct host *(*read)(void *data), void *data)
{
    struct readings *r = calloc(1, sizeof(*r));
    if (!r)
        return NULL;
    r->read = read;
    r->data = data;
    r->account = (struct account){ READINGS_BURST, wait_now() };
    pthread_mutex_init(&r->lock, NULL);
    return r;
}

/* What nobody uses goes, all: also the newest. */
static void clean(struct readings *r, bool all)
{
    struct reading **at = &r->list;
    if (*at && !all)
        at = &(*at)->next;
    while (*at) {
        struct reading *old = *at;
        if (old->users) {
            at = &old->next;
            continue;
        }
        *at = old->next;
        host_free(old->host);
        free(old);
    }
}

void readings_free(struct readings *r)
{
    if (!r)
        return;
    clean(r, true);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

bool readings_afford(struct account *account, uint64_t cost, uint64_t now)
{
    double period = (double)cost * READINGS_SHARE, least = (double)READINGS_MS * MS;
    account->left += (double)(now - account->counted) / (period < least ? least : period);
    if (account->left > READINGS_BURST)
        account->left = READINGS_BURST;
    account->counted = now;
    if (account->left < 1)
        return false;
    account->left--;
    return true;
}

static void read_again(struct readings *r)
{
    struct reading *new = calloc(1, sizeof(*new));
    if (!new)
        return;
    uint64_t start = wait_now();
    new->host = r->read(r->data);
    new->at = start;
    r->cost = wait_now() - start;
    if (!new->host) {
        free(new);
        return;
    }
    new->next = r->list;
    r->list = new;
    clean(r, false);
}

const struct host *readings_take(struct readings *r, uint64_t since)
{
    pthread_mutex_lock(&r->lock);
    struct reading *last = r->list;
    if (!last || (last->at < since && readings_afford(&r->account, r->cost, wait_now())))
        read_again(r);
    if (r->list)
        r->list->users++;
    const struct host *host = r->list ? r->list->host : NULL;
    pthread_mutex_unlock(&r->lock);
    return host;
}

void readings_give_back(struct readings *r, const struct host *host)
{
    pthread_mutex_lock(&r->lock);
    for (struct reading *at = r->list; host && at; at = at->next)
        at->users -= at->host == host;
    clean(r, false);
    pthread_mutex_unlock(&r->lock);
}
