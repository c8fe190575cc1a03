/* SPDX-License-Identifier: MIT */
#include "selftest/peer/readings.h"

#include <pthread.h>
#include <stdlib.h>

#include "model/host.h"
#include "selftest/queues/wait.h"

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
