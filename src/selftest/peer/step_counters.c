/* SPDX-License-Identifier: MIT */
/* COUNTERS, PRIORITIES: what the server's port has counted, and readings of its host shared by sessions. */
#include <pthread.h>

#include "model/host.h"
#include "selftest/peer/steps.h"

/* Counters are read once per run; those of priorities around each traffic class, until they catch up. */
enum { READINGS_MOST = 64, COUNTINGS_MOST = 1024, MS = 1000000 };

int client_counters(struct client *c, struct grown_counters *counters, struct failure *failure)
{
    c->side.out.counters.ncounters = 0;
    int r = client_ask(c, WIRE_COUNTERS, WIRE_COUNTERS, failure);
    if (r == 0)
        *counters = c->side.in.counters;
    return r;
}

int session_on_counters(struct session *s)
{
    if (!s->before)
        return -EPROTO;
    if (s->readings++ == READINGS_MOST)
        return -EDQUOT;
    const struct host *after = s->host->counters(s->host->data, s->tested);
    counters_grown(s->before, after, s->gid->gid.device, s->gid->gid.port, &s->side.out.counters);
    s->host->give_back(s->host->data, after);
    return session_say(s, WIRE_COUNTERS);
}

int client_priorities(struct client *c, struct wire_priorities *priorities, struct failure *failure)
{
    c->side.out.priorities = (struct wire_priorities){ .netdevs = "" };
    int r = client_ask(c, WIRE_PRIORITIES, WIRE_PRIORITIES, failure);
    if (r == 0)
        *priorities = c->side.in.priorities;
    return r;
}

/* A client is told what was counted since it first asked, not what this host does all day. */
int session_on_priorities(struct session *s)
{
    struct wire_priorities *p = &s->side.out.priorities;
    if (!s->opens)
        return -EPROTO;
    if (s->countings == COUNTINGS_MOST)
        return -EDQUOT;
    *p = (struct wire_priorities){ .netdevs = "" };
    if (s->host->priorities)
        s->host->priorities(s->host->data, s->gid, p);
    if (s->countings++ == 0)
        s->first = p->counts;
    p->counts = priority_counts_since(&p->counts, &s->first);
    return session_say(s, WIRE_PRIORITIES);
}

/* -- readings ------------------------------------------------------------------------------------------ */

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
    struct reading *list; /* newest first */
    struct account account;
    uint64_t cost; /* ns, of the last one */
};

struct readings *readings_new(struct host *(*read)(void *data), void *data)
{
    struct readings *r = mem_alloc(1, sizeof(*r));
    r->read = read;
    r->data = data;
    r->account = (struct account){ READINGS_BURST, wait_now() };
    pthread_mutex_init(&r->lock, NULL);
    return r;
}

/* Frees the readings that nobody uses; all: even the newest. */
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
