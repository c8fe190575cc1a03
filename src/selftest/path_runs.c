/* SPDX-License-Identifier: MIT */
/* Tests many paths between two ports: small and large messages, round trips, rates, datagrams. */
#include "selftest/paths.h"

/* MESSAGES: enough to show whether a way carries anything. ROUNDS: on each pair of ways; if these differ,
 * LOOKS more times on each way, since a process may just have had to wait. WATCH_MS: what comes and goes is
 * looked for so long, and where it was seen WATCHES times more, as a queue pair may not outlast a silence.
 * TRAIN: datagrams. */
enum {
    MESSAGES = 8,
    SMALL = 64,
    ROUNDS = 64,
    ROUNDS_MOST = 4096,
    LOOKS = 2,
    WATCH_MS = 2000,
    WATCHES = 3,
    TRAIN = 1000,
    TRAIN_MS = 3000,
    RATE_SIZE = 8192,
    RATE_PROBE = 32,
    RATE_MS = 62, /* per way; RATES_MS: for all together, at most */
    RATES_MS = 2000,
    TURNS = 2, /* of a way that looks throttled, SLICES each, of which so many would be one of those flows */
    SLICES = 12,
    SLICES_A_FLOW = 4,
    SLICE_LEAST = 4, /* messages */
    MTU_LEAST = 64
};

struct look {
    struct client *client;
    const struct paths_spec *spec;
    struct paths *paths;
    struct failure *failure;
    uint32_t labels[DIRECTIONS][PATHS_MOST];
    bool chosen;          /* both drivers derive the source port from the label, so we choose the ports */
    bool out[PATHS_MOST]; /* this pair of queue pairs has failed, at either end */
    struct round_trip *trips;
    uint32_t rounds; /* ROUNDS, or more: what the loss asked for takes */
};

static void say(const struct look *l, const char *what)
{
    if (l->spec->progress)
        l->spec->progress(NULL, what);
}

/* A time limit of that many steps. */
static struct watch patience(const struct look *l, unsigned steps)
{
    const struct test_options *o = l->client->spec->options;
    struct watch watch = watch_for(steps * o->timeout, l->client->connection.fd);
    watch.yield = o->yield;
    return watch;
}

static bool by_label(const struct look *l, enum direction d)
{
    return (d == THERE ? client_near(l->client)->ports : l->client->far_ports) == PORT_BY_LABEL;
}

static int open_ends(struct look *l, const uint32_t *near_labels, const uint32_t *far_labels)
{
    memset(l->out, 0, sizeof(l->out));
    int r = client_open_paths(l->client, l->paths->count, near_labels, far_labels, l->spec->traffic_class,
                              l->failure);
    l->chosen = by_label(l, THERE) && by_label(l, BACK);
    return r;
}

/* Way i there and way i back form a pair. */
static int open_pairs(struct look *l)
{
    int r = open_ends(l, l->labels[THERE], l->labels[BACK]);
    for (uint32_t i = 0; r == 0 && i < l->paths->count; i++)
        for (enum direction d = THERE; d < DIRECTIONS; d++) {
            struct way *w = &l->paths->ways[d][i];
            const struct queue *q = set_rc(l->client->side.set, i);
            w->port = num_if(by_label(l, d), port_of_label(l->labels[d][i]));
            w->qpn = d == THERE ? q->qp->qp_num : q->remote_qpn;
        }
    return r;
}

/* Both ends send messages on each pair, of the size given for it; 0: none. */
static int speak(struct look *l, const uint32_t *sizes, struct exchange_seen here[static PATHS_MOST],
                 struct exchange_seen there[static PATHS_MOST])
{
    struct exchange_plan plan = { .speaks = true, .messages = MESSAGES, .count = l->paths->count };
    struct exchange x;
    memcpy(plan.sizes, sizes, plan.count * sizeof(*sizes));
    int r = client_begin_exchange(l->client, &plan, &x, l->failure);
    if (r < 0)
        return r;
    exchange_speak(&x, l->failure);
    struct watch watch = patience(l, 1);
    r = exchange_wait(&x, &watch, exchange_is_settled);
    r = client_end_exchange(l->client, &x, r, there, l->failure);
    if (r < 0)
        return r;
    memcpy(here, x.seen, sizeof(x.seen));
    for (uint32_t i = 0; i < plan.count; i++)
        l->out[i] |= here[i].status || there[i].status || here[i].received < MESSAGES ||
                     there[i].received < MESSAGES;
    return 0;
}

/* Small messages, or messages of the path MTU. The better of several tries counts. */
static int reach(struct look *l, bool large)
{
    struct exchange_seen seen[DIRECTIONS][PATHS_MOST];
    uint32_t sizes[PATHS_MOST];
    for (uint32_t i = 0; i < l->paths->count; i++)
        sizes[i] = l->out[i] ? 0 : large ? l->paths->mtu : SMALL;
    int r = speak(l, sizes, seen[BACK], seen[THERE]);
    for (enum direction d = THERE; r == 0 && d < DIRECTIONS; d++)
        for (uint32_t i = 0; i < l->paths->count; i++) {
            struct way *w = &l->paths->ways[d][i];
            uint32_t *sent = large ? &w->large_sent : &w->sent;
            uint32_t *arrived = large ? &w->large_arrived : &w->arrived;
            if (!sizes[i])
                continue;
            *sent = MESSAGES;
            *arrived = seen[d][i].received > *arrived ? seen[d][i].received : *arrived;
        }
    return r;
}

static bool some_out(const struct look *l)
{
    bool some = false;
    for (uint32_t i = 0; i < l->paths->count; i++)
        some |= l->out[i];
    return some;
}

/* Failures are tried again on new queue pairs, as a single one may be transient. Not where drivers choose the
 * ports: new queue pairs would take other paths. */
static int reach_twice(struct look *l, bool large)
{
    bool before[PATHS_MOST];
    memcpy(before, l->out, sizeof(before));
    int r = reach(l, large);
    if (r < 0 || !some_out(l) || !l->chosen)
        return r;
    r = open_pairs(l);
    memcpy(l->out, before, sizeof(before));
    return r == 0 ? reach(l, large) : r;
}

/* -- rounds --------------------------------------------------------------------------------------------- */

static int by_whole(const void *a, const void *b)
{
    return number_order(((const struct round_trip *)a)->whole, ((const struct round_trip *)b)->whole);
}

/* Sorts trips. */
static void judge_slowness(struct round_trip *trips, uint32_t count, struct slowness *s)
{
    qsort(trips, count, sizeof(*trips), by_whole);
    for (uint32_t i = 0; i < count; i++) {
        const struct round_trip *t = &trips[i];
        bool slow = (double)t->whole > 4 * (double)trips[count / 2].whole + 1e6;
        s->rounds++;
        s->slow += slow;
        s->by_peer += slow && t->kept >= t->whole / 2;
        s->by_us += slow && t->kept < t->whole / 2 && t->kept + t->waited >= t->whole / 2;
        if ((double)t->kept / 1000 > s->most_peer)
            s->most_peer = (double)t->kept / 1000;
    }
}

/* Plays rounds on each pair; ways: the results. */
static int play_rounds(struct look *l, uint32_t rounds, struct way ways[static PATHS_MOST])
{
    struct exchange_plan plan = { .count = l->paths->count };
    struct exchange x;
    struct exchange_seen there[PATHS_MOST];
    uint32_t played[PATHS_MOST];
    for (uint32_t i = 0; i < plan.count; i++)
        plan.sizes[i] = l->out[i] ? 0 : EXCHANGE_STAMP;
    int r = client_begin_exchange(l->client, &plan, &x, l->failure);
    if (r < 0)
        return r;
    struct watch watch = patience(l, 1 + rounds / ROUNDS);
    r = rounds_run(&x, rounds, &watch, l->trips, played);
    r = client_end_exchange(l->client, &x, r, there, l->failure);
    for (uint32_t i = 0; r == 0 && i < plan.count; i++) {
        struct round_trip *trips = l->trips + (size_t)i * rounds;
        l->out[i] |= !exchange_lives(&x, i) || there[i].status;
        judge_slowness(trips, played[i], &l->paths->slowness);
    }
    if (r == 0)
        ways_fill(ways, plan.count, l->trips, rounds, played);
    return r;
}

/* The pair with the fewest losses, and the fastest of those. PATHS_MOST: none was measured. */
static uint32_t best_of(const struct way *ways, uint32_t count)
{
    uint32_t best = PATHS_MOST;
    for (uint32_t i = 0; i < count; i++) {
        if (ways[i].rtt <= 0)
            continue;
        if (best == PATHS_MOST || ways[i].resent < ways[best].resent ||
            (ways[i].resent == ways[best].resent && ways[i].rtt < ways[best].rtt))
            best = i;
    }
    return best;
}

static void take_rounds(struct way *to, const struct way *from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        to[i].rounds = from[i].rounds;
        to[i].resent = from[i].resent;
        to[i].tries = from[i].tries;
        to[i].tries_resent = from[i].tries_resent;
        to[i].rtt = from[i].rtt;
        to[i].late_chance = from[i].late_chance;
    }
}

/* Only what stands out in every try counts. */
static int play_tries(struct look *l, uint32_t tries, uint32_t rounds, struct way ways[static PATHS_MOST])
{
    int r = 0;
    for (uint32_t t = 0; r == 0 && t < tries; t++) {
        struct way now[PATHS_MOST] = { 0 };
        r = play_rounds(l, rounds, now);
        for (uint32_t i = 0; r == 0 && i < l->paths->count; i++)
            way_add_try(&ways[i], &now[i]);
    }
    return r;
}

/* Each way of one direction, all paired with the same way of the other. */
static int open_apart(struct look *l, enum direction d, uint32_t best)
{
    uint32_t same[PATHS_MOST];
    for (uint32_t i = 0; i < l->paths->count; i++)
        same[i] = l->labels[!d][best];
    int r = d == THERE ? open_ends(l, l->labels[THERE], same) : open_ends(l, same, l->labels[BACK]);
    for (uint32_t i = 0; i < l->paths->count; i++)
        l->out[i] = l->paths->ways[d][i].arrived == 0;
    return r;
}

static int play_apart(struct look *l, enum direction d, uint32_t best)
{
    struct way ways[PATHS_MOST] = { 0 };
    int r = open_apart(l, d, best);
    if (r == 0)
        r = play_tries(l, LOOKS, l->rounds, ways);
    if (r == 0)
        take_rounds(l->paths->ways[d], ways, l->paths->count);
    return r;
}

static bool pairs_differ(const struct look *l, const struct way *pairs)
{
    struct paths one = { .count = l->paths->count };
    bool differ = false;
    for (uint32_t i = 0; i < one.count; i++) {
        one.ways[THERE][i] = one.ways[BACK][i] = pairs[i];
        one.ways[THERE][i].sent = one.ways[THERE][i].arrived = 1;
        differ |= pairs[i].resent > 0;
    }
    paths_judge(&one);
    return differ || paths_in(&one, THERE, WAY_SLOW);
}

/* Pairs first; if one stands out, each direction separately, to find the way that is to blame. Where drivers
 * choose the ports, the pairs again instead. */
static int look_at_rounds(struct look *l)
{
    struct way pairs[PATHS_MOST] = { 0 };
    say(l, "round trips");
    int r = play_tries(l, 1, l->rounds, pairs);
    uint32_t best = best_of(pairs, l->paths->count);
    bool odd = r == 0 && best < PATHS_MOST && pairs_differ(l, pairs);
    if (odd && !l->chosen)
        r = play_tries(l, LOOKS - 1, l->rounds, pairs);
    for (enum direction d = THERE; r == 0 && d < DIRECTIONS; d++)
        take_rounds(l->paths->ways[d], pairs, l->paths->count);
    if (r < 0 || !odd || !l->chosen)
        return r;
    say(l, "round trips, each direction by itself");
    for (enum direction d = THERE; r == 0 && d < DIRECTIONS; d++)
        r = play_apart(l, d, best);
    return r == 0 ? open_pairs(l) : r;
}

/* -- silences ------------------------------------------------------------------------------------------- */

static int watch_silences(struct look *l, struct silences silences[static PATHS_MOST])
{
    struct exchange_plan plan = { .count = l->paths->count };
    struct exchange x;
    struct exchange_seen there[PATHS_MOST];
    for (uint32_t i = 0; i < plan.count; i++)
        plan.sizes[i] = l->out[i] ? 0 : EXCHANGE_STAMP;
    int r = client_begin_exchange(l->client, &plan, &x, l->failure);
    if (r < 0)
        return r;
    struct watch watch = patience(l, 2);
    watch.until += (uint64_t)WATCH_MS * 1000000;
    watch.naps = true;
    r = volleys_run(&x, WATCH_MS, &watch, silences);
    r = client_end_exchange(l->client, &x, r, there, l->failure);
    l->paths->watched_ms += r == 0 ? WATCH_MS : 0;
    for (uint32_t i = 0; r == 0 && i < plan.count; i++)
        l->out[i] |= !exchange_lives(&x, i) || there[i].status;
    return r;
}

/* One without silences, of a pair that carries. PATHS_MOST: there is none. */
static uint32_t steady_one(const struct look *l, const struct silences *silences)
{
    uint32_t i = 0;
    while (i < l->paths->count && (l->out[i] || silences[i].outages || silences[i].stalls))
        i++;
    return i < l->paths->count ? i : PATHS_MOST;
}

/* Pairs first; where one fell silent, longer, and each direction separately if there is a steady way to pair it
 * with. */
static int look_for_silences(struct look *l)
{
    struct silences seen[PATHS_MOST] = { 0 };
    bool out[PATHS_MOST], some = false;
    say(l, "what comes and goes");
    memcpy(out, l->out, sizeof(out));
    int r = watch_silences(l, seen);
    for (uint32_t i = 0; i < l->paths->count; i++)
        some |= seen[i].outages > 0;
    if (r < 0 || !some)
        return r;
    uint32_t steady = l->chosen ? steady_one(l, seen) : PATHS_MOST;
    bool apart = steady < PATHS_MOST;
    for (enum direction d = THERE; r == 0 && d < DIRECTIONS; d++) {
        if (apart || d == THERE)
            memset(seen, 0, sizeof(seen));
        for (unsigned n = 0; r == 0 && n < WATCHES && (apart || d == THERE); n++) {
            r = apart ? open_apart(l, d, steady) : open_pairs(l);
            if (r == 0)
                r = watch_silences(l, seen);
        }
        for (uint32_t i = 0; r == 0 && i < l->paths->count; i++)
            l->paths->ways[d][i].silences = seen[i];
    }
    if (r == 0)
        r = open_pairs(l);
    memcpy(l->out, out, sizeof(out));
    return r;
}

/* -- sizes ---------------------------------------------------------------------------------------------- */

/* Narrows down the largest message that gets through on way i, between `good` and `bad`: on all queue pairs at
 * once, each with its own size. */
static int narrow(struct look *l, enum direction d, uint32_t i, uint32_t *good, uint32_t *bad)
{
    struct exchange_seen seen[DIRECTIONS][PATHS_MOST];
    uint32_t sizes[PATHS_MOST], labels[DIRECTIONS][PATHS_MOST], count = l->paths->count, low = *good,
                                                                step = (*bad - low + count) / (count + 1);
    for (uint32_t n = 0; n < count; n++) {
        sizes[n] = low + (n + 1) * step;
        labels[THERE][n] = l->labels[THERE][i];
        labels[BACK][n] = l->labels[BACK][i];
        if (sizes[n] >= *bad)
            sizes[n] = 0;
    }
    int r = open_ends(l, labels[THERE], labels[BACK]);
    if (r == 0)
        r = speak(l, sizes, seen[BACK], seen[THERE]);
    for (uint32_t n = 0; r == 0 && n < count; n++) {
        if (sizes[n] && seen[d][n].received && sizes[n] > *good)
            *good = sizes[n];
        if (sizes[n] && !seen[d][n].received && sizes[n] < *bad)
            *bad = sizes[n];
    }
    return r;
}

/* To within four bytes, the granularity of packets. One way per direction stands for all that lose large
 * packets. */
static int measure_mtu(struct look *l, enum direction d)
{
    enum { TRIES = 10 };
    uint32_t i = 0, good = MTU_LEAST, bad = l->paths->mtu;
    while (i < l->paths->count && !(l->paths->ways[d][i].large_sent && !l->paths->ways[d][i].large_arrived))
        i++;
    if (i == l->paths->count || !l->chosen)
        return 0;
    say(l, "the size that comes through");
    int r = 0;
    for (unsigned tries = 0; r == 0 && good < bad && bad - good > 4 && tries < TRIES; tries++)
        r = narrow(l, d, i, &good, &bad);
    if (r == 0 && good < bad)
        l->paths->ways[d][i].mtu = good;
    return r;
}

static int look_at_sizes(struct look *l)
{
    bool out[PATHS_MOST];
    for (uint32_t i = 0; i < l->paths->count; i++)
        l->out[i] |= l->paths->ways[THERE][i].arrived == 0 || l->paths->ways[BACK][i].arrived == 0;
    say(l, "messages of the path MTU");
    int r = reach_twice(l, true);
    memcpy(out, l->out, sizeof(out));
    for (enum direction d = THERE; r == 0 && d < DIRECTIONS; d++) {
        r = measure_mtu(l, d);
        for (uint32_t i = 0; i < l->paths->count; i++) {
            struct way *w = &l->paths->ways[d][i];
            w->mtu = w->large_arrived ? l->paths->mtu : w->mtu;
        }
    }
    if (r == 0 && some_out(l) && l->chosen) /* those were for testing sizes */
        r = open_pairs(l);
    memcpy(l->out, out, sizeof(out));
    return r;
}

/* -- rates ---------------------------------------------------------------------------------------------- */

/* Transfers that many messages. Returns bits per ns; 0: none got through. */
static double carry(struct look *l, uint32_t i, enum direction d, uint32_t count)
{
    struct trial t = { .kind = TRIAL_BANDWIDTH,
                       .op = d == THERE ? OP_WRITE : OP_READ,
                       .queue = QUEUE_RC,
                       .queues = 1,
                       .size = RATE_SIZE,
                       .count = count,
                       .timeout = l->client->spec->options->timeout };
    struct flow flow;
    struct failure failure;
    struct watch watch = patience(l, 1);
    watch.end = watch.until;
    uint64_t start = wait_now();
    int r = flow_begin(&flow, l->client->side.set, i, &t, true, &failure);
    if (r == 0)
        r = flow_run(&flow, NULL, &watch, &failure);
    double bits = (double)flow.completed * RATE_SIZE * 8;
    l->out[i] |= r < 0;
    return bits / (double)(wait_now() - start + 1);
}

/* Messages that a way carries in its share of the time, or a part of that. */
static uint32_t messages_of(const struct look *l, double gbits, unsigned part, uint32_t least)
{
    unsigned share = RATES_MS / DIRECTIONS / l->paths->count;
    double count = (share < RATE_MS ? share : RATE_MS) * 1e6 * gbits / (RATE_SIZE * 8) / part;
    return count < least ? least : count < 1e6 ? (uint32_t)count : 1000000;
}

/* The first flow tells how many messages that takes, and passes what a shaper lets through at once. */
static void measure_rate(struct look *l, uint32_t i, enum direction d)
{
    struct way *w = &l->paths->ways[d][i];
    w->gbits = carry(l, i, d, RATE_PROBE);
    if (!l->out[i])
        w->gbits = carry(l, i, d, messages_of(l, w->gbits, 1, RATE_PROBE / 2));
}

/* Lossy ways are skipped: the rate would only show how long a device waits before it resends, and each loss
 * would take that long. */
static void measure_rates(struct look *l)
{
    for (enum direction d = THERE; d < DIRECTIONS; d++)
        for (uint32_t i = 0; i < l->paths->count && !wait_interrupted(); i++)
            if (l->paths->ways[THERE][i].state != WAY_LOSSY && l->paths->ways[BACK][i].state != WAY_LOSSY)
                measure_rate(l, i, d);
}

/* SLICES flows one behind the other, in ns a bit; the first isn't counted, as above. */
static void carry_slices(struct look *l, uint32_t i, enum direction d, double times[static SLICES])
{
    uint32_t count = messages_of(l, l->paths->ways[d][i].gbits, SLICES_A_FLOW, SLICE_LEAST);
    carry(l, i, d, RATE_PROBE);
    for (int s = 0; s < SLICES && !l->out[i] && !wait_interrupted(); s++)
        times[s] = 1 / carry(l, i, d, count);
}

/* The next way behind it that isn't throttled, and carries. */
static uint32_t sibling_of(const struct look *l, uint32_t i, enum direction d)
{
    const struct way *ways = l->paths->ways[d];
    uint32_t other = i;
    do
        other = (other + 1) % l->paths->count;
    while (other != i && (l->out[other] || ways[other].gbits <= 0 || ways[other].state == WAY_RATE));
    return other;
}

/* A way that looks throttled, in turn with one that doesn't: what this host was busy with shows in both. */
static void measure_beside(struct look *l, uint32_t i, enum direction d)
{
    double own[TURNS * SLICES] = { 0 }, others[TURNS * SLICES] = { 0 };
    uint32_t other = sibling_of(l, i, d);
    for (int turn = 0; turn < TURNS; turn++) {
        carry_slices(l, i, d, own + turn * SLICES);
        carry_slices(l, other, d, others + turn * SLICES);
    }
    if (!l->out[i] && !l->out[other] && !wait_interrupted())
        way_add_slices(&l->paths->ways[d][i], own, others, ARRAY_SIZE(own));
}

static int look_at_rates(struct look *l)
{
    if (!l->spec->rates || l->client->side.set->end->attr.max_qp_rd_atom == 0)
        return 0;
    say(l, "rates");
    paths_judge(l->paths);
    measure_rates(l);
    paths_judge(l->paths);
    for (enum direction d = THERE; d < DIRECTIONS; d++)
        for (uint32_t i = 0; i < l->paths->count && !wait_interrupted(); i++)
            if (l->paths->ways[d][i].state == WAY_RATE)
                measure_beside(l, i, d);
    return wait_interrupted() ? failure_set(l->failure, STEP_HANDSHAKE, EINTR, "%s", "") : 0;
}

/* -- datagrams ------------------------------------------------------------------------------------------ */

static int run_train(struct client *c, uint32_t count, struct round_trip *trips, struct datagrams *g,
                     struct failure *failure)
{
    struct exchange_plan plan = { .datagrams = true, .count = 1 };
    struct exchange x;
    struct exchange_seen there[PATHS_MOST];
    *g = (struct datagrams){ .traffic_class = { EXCHANGE_NO_CLASS, EXCHANGE_NO_CLASS } };
    if (!c->side.set->queues[QUEUE_UD])
        return 0;
    int r = client_begin_exchange(c, &plan, &x, failure);
    if (r < 0)
        return r;
    struct watch watch = watch_for(TRAIN_MS, c->connection.fd);
    watch.yield = c->spec->options->yield;
    r = datagrams_run(&x, count, &watch, trips, &g->sent, &g->answered);
    r = client_end_exchange(c, &x, r, there, failure);
    if (r < 0)
        return r;
    g->arrived = there[0].received < g->sent ? there[0].received : g->sent;
    if (g->answered > g->arrived)
        g->arrived = g->answered;
    g->by_device[THERE] = g->answered && !x.peer_host_clock;
    g->by_device[BACK] = g->answered && !x.host_clock;
    g->reordered[THERE] = there[0].reordered;
    g->reordered[BACK] = x.seen[0].reordered;
    g->duplicated = x.seen[0].duplicated;
    g->traffic_class[THERE] = there[0].traffic_class;
    g->traffic_class[BACK] = x.seen[0].traffic_class;
    judge_slowness(trips, g->answered, &g->slowness);
    return 0;
}

int paths_datagrams(struct client *client, uint8_t traffic_class, struct datagrams *datagrams,
                    struct failure *failure)
{
    const uint32_t chosen = 0;
    struct round_trip *trips = mem_alloc(TRAIN, sizeof(*trips));
    int r = client_open_paths(client, 1, &chosen, &chosen, traffic_class, failure);
    if (r == 0)
        r = run_train(client, TRAIN, trips, datagrams, failure);
    free(trips);
    return r;
}

/* A train for each source port. */
static int look_at_datagrams(struct look *l)
{
    struct paths *p = l->paths;
    int r = 0;
    say(l, "datagrams by each source port");
    for (uint32_t i = 0; r == 0 && i < p->count; i++) {
        struct datagrams port;
        r = client_open_paths(l->client, 1, &l->labels[THERE][i], &l->labels[BACK][i], l->spec->traffic_class,
                              l->failure);
        if (r == 0)
            r = run_train(l->client, TRAIN / p->count, l->trips, &port, l->failure);
        if (r == 0)
            datagrams_add(&p->datagrams, &port, l->spec->traffic_class);
    }
    return r;
}

/* -- everything ----------------------------------------------------------------------------------------- */

static int look_at_all(struct look *l)
{
    int r = look_at_datagrams(l);
    say(l, "small messages by each source port");
    if (r == 0)
        r = open_pairs(l);
    if (r == 0)
        r = reach_twice(l, false);
    if (r == 0)
        r = look_at_rounds(l);
    if (r == 0)
        r = look_for_silences(l);
    if (r == 0)
        r = look_at_sizes(l);
    return r == 0 ? look_at_rates(l) : r;
}

int paths_run(struct client *client, const struct paths_spec *spec, struct paths *paths,
              struct failure *failure)
{
    struct look l = { .client = client, .spec = spec, .paths = paths, .failure = failure };
    l.rounds = (uint32_t)paths_rounds(spec->loss, ROUNDS, ROUNDS_MOST);
    size_t most = (size_t)PATHS_MOST * l.rounds;
    *paths = (struct paths){ .count = spec->count < PATHS_MOST ? spec->count : PATHS_MOST,
                             .mtu = client->path.mtu,
                             .traffic_class = spec->traffic_class,
                             .datagrams.traffic_class = { EXCHANGE_NO_CLASS, EXCHANGE_NO_CLASS } };
    if (client_is_iwarp(client))
        return failure_set(failure, STEP_HANDSHAKE, EOPNOTSUPP, "iWARP is TCP, which has no such source ports");
    for (enum direction d = THERE; d < DIRECTIONS; d++)
        for (uint32_t i = 0; i < paths->count; i++)
            l.labels[d][i] = label_of_port(port_to_try(i));
    l.trips = mem_alloc(most > TRAIN ? most : TRAIN, sizeof(*l.trips));
    int r = look_at_all(&l);
    free(l.trips);
    paths_judge(paths);
    return r;
}
