/* SPDX-License-Identifier: MIT */
#include "selftest/trial/rounds.h"

#include <errno.h>
#include <stdlib.h>

/* One round by queue pair i. 0: played, or the queue pair is out. */
static int play(struct exchange *x, unsigned i, uint64_t number, const struct watch *watch,
                struct round_trip *trip)
{
    struct spin spin = { 0 };
    x->answered = false;
    trip->whole = 0;
    uint64_t start = wait_now();
    if (exchange_send(x, i, number) < 0)
        return 0;
    while (exchange_lives(x, i)) {
        exchange_step(x);
        if (x->answered && x->answered_by == i && x->answer == number) {
            *trip = (struct round_trip){ .whole = wait_now() - start,
                                         .kept = x->answer_held,
                                         .waited = x->waited };
            return 0;
        }
        int r = spin_wait(&spin, watch);
        if (r < 0)
            return r;
    }
    return 0;
}

int rounds_run(struct exchange *x, uint32_t rounds, const struct watch *watch, struct round_trip *trips,
               uint32_t played[static BUNDLE_MOST])
{
    for (unsigned i = 0; i < BUNDLE_MOST; i++)
        played[i] = 0;
    for (uint32_t n = 0; n < rounds; n++)
        for (unsigned i = 0; i < x->plan->count; i++) {
            if (!exchange_lives(x, i))
                continue;
            struct round_trip trip;
            int r = wait_interrupted() ? -EINTR : play(x, i, n, watch, &trip);
            if (r < 0)
                return r;
            if (trip.whole)
                trips[i * rounds + played[i]++] = trip;
        }
    return 0;
}

struct train {
    struct exchange *x;
    struct round_trip *trips;
    uint64_t *began; /* by number; 0: answered, given up, or not sent */
    uint32_t count, sent, answered, open;
    uint64_t start;
};

static void on_answer(void *data, uint64_t number, uint64_t held)
{
    struct train *t = data;
    if (number >= t->sent || !t->began[number])
        return;
    t->trips[t->answered++] = (struct round_trip){ .whole = wait_now() - t->began[number],
                                                   .kept = held,
                                                   .waited = t->x->waited };
    t->began[number] = 0;
    t->open--;
}

static void give_up(struct train *t, uint64_t now)
{
    for (uint32_t i = 0; t->open && i < t->sent; i++)
        if (t->began[i] && now - t->began[i] > (uint64_t)LOST_MS * 1000000) {
            t->began[i] = 0;
            t->open--;
        }
}

static void send_more(struct train *t)
{
    while (t->sent < t->count && t->open < EXCHANGE_WINDOW && exchange_lives(t->x, 0)) {
        uint64_t now = wait_now();
        if (t->sent >= ENOUGH && now - t->start > (uint64_t)ENOUGH_MS * 1000000) {
            t->count = t->sent;
            return;
        }
        t->began[t->sent] = now;
        if (exchange_send(t->x, 0, t->sent) < 0) {
            t->began[t->sent] = 0;
            return;
        }
        t->sent++;
        t->open++;
    }
}

int datagrams_run(struct exchange *x, uint32_t count, const struct watch *watch, struct round_trip *trips,
                  uint32_t *sent, uint32_t *answered)
{
    struct train t = {
        .x = x, .trips = trips, .count = count, .began = calloc(count, sizeof(uint64_t)), .start = wait_now()
    };
    struct spin spin = { 0 };
    int r = t.began ? 0 : -ENOMEM;
    x->on_answer = on_answer;
    x->data = &t;
    while (r == 0 && (t.sent < t.count || t.open) && exchange_lives(x, 0)) {
        send_more(&t);
        if (exchange_step(x) && !wait_interrupted() && wait_now() < watch->until)
            continue;
        if ((spin.count & 255) == 0)
            give_up(&t, wait_now());
        r = spin_wait(&spin, watch);
    }
    x->on_answer = NULL;
    *sent = t.sent;
    *answered = t.answered;
    free(t.began);
    return r == -ETIMEDOUT ? 0 : r;
}
