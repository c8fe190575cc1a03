/* SPDX-License-Identifier: MIT */
/* The tests of a run: verification first, then measurements of latency and bandwidth; several runs at once. */
#include "selftest/test_run.h"

#include <pthread.h>

enum { PROBE_ROUNDS = 16, PROBE_BYTES = 1 << 18, PROBE_MESSAGES = 256, MESSAGES_LEAST = 16 };

static const struct {
    enum trial_kind kind;
    enum queue_kind queue;
    enum operation op;
} measured[] = {
    { TRIAL_LATENCY, QUEUE_RC, OP_SEND },    { TRIAL_LATENCY, QUEUE_RC, OP_WRITE },
    { TRIAL_LATENCY, QUEUE_RC, OP_READ },    { TRIAL_LATENCY, QUEUE_RC, OP_FETCH_ADD },
    { TRIAL_LATENCY, QUEUE_UD, OP_SEND },    { TRIAL_BANDWIDTH, QUEUE_RC, OP_SEND },
    { TRIAL_BANDWIDTH, QUEUE_RC, OP_WRITE }, { TRIAL_BANDWIDTH, QUEUE_RC, OP_READ },
};

/* How many messages fill the requested time, if this many took that long. */
static uint32_t fit(const struct run *run, uint32_t messages, double seconds, uint32_t most)
{
    double wanted = seconds > 0 ? (double)run->options->duration / 1000 / seconds * messages : most;
    if (wanted > most)
        return most;
    return wanted < MESSAGES_LEAST ? MESSAGES_LEAST : (uint32_t)wanted;
}

/* As many messages as requested, or as many as fill the time, estimated from `probe` of them. */
static int timed_trial(struct run *run, struct trial *t, uint32_t probe, uint32_t most, uint64_t *samples,
                       struct failure *failure)
{
    uint32_t asked = run->options->iterations, warmup = t->kind == TRIAL_LATENCY ? LATENCY_WARMUP : 0;
    t->count = !asked ? probe : asked < most ? asked : most;
    if (run->meet)
        run->meet(run->meet_data);
    if (!asked) {
        uint64_t start = wait_now();
        int r = run_trial(run, t, samples, failure);
        if (r < 0)
            return r;
        double seconds = warmup ? (double)(wait_now() - start) / 1e9 : run->seconds;
        t->count = fit(run, t->count + warmup, seconds, most);
        t->seed = run_new_trial(run, t->kind, t->queue, t->op, t->size, 0).seed;
    }
    return run_trial(run, t, samples, failure);
}

/* Bytes of the largest message that goes within its request. */
static uint32_t inline_most(const struct run *run, const struct trial *t)
{
    struct num asked = run->options->inlined;
    uint32_t most = run->set->queues[t->queue]->inline_size;
    return asked.known && asked.value < most                            ? (uint32_t)asked.value
           : t->kind == TRIAL_BANDWIDTH && !run->options->inlined.known ? 0
                                                                        : most;
}

static int measure_latency(struct run *run, struct trial *t, struct result *result, struct failure *failure)
{
    uint64_t *samples = mem_alloc(TRIAL_SAMPLES_MOST, sizeof(*samples)), bins[HISTOGRAM_BINS];
    struct ticks_start start = ticks_start();
    int r = timed_trial(run, t, PROBE_ROUNDS, TRIAL_SAMPLES_MOST, samples, failure);
    if (r == 0) {
        /* whole rounds are halved, as perftest does; requests with their response aren't */
        double us = ticks_ns(&start) / 1000 / (latency_is_round(t) ? 2 : 1);
        stats_of(samples, t->count, us, &result->latency);
        histogram_of(samples, t->count, bins);
        histogram_picture(bins, result->picture);
        result->messages = t->count;
        result->cpu_us = run->cpu_seconds * 1e6 / (double)(t->count + LATENCY_WARMUP);
        result->post_list = 1;
        result->inlined = tri_of(latency_is_round(t) && t->size <= inline_most(run, t));
    }
    free(samples);
    return r;
}

static int measure_bandwidth(struct run *run, struct trial *t, struct result *result, struct failure *failure)
{
    uint32_t fitting = PROBE_BYTES / t->size + 1, probe = fitting < PROBE_MESSAGES ? fitting : PROBE_MESSAGES;
    unsigned queues = set_rc_count(run->set);
    t->queues = run->options->queues < queues ? run->options->queues : (uint8_t)queues;
    t->flags = run->options->both_ways ? TRIAL_BOTH_WAYS : 0;
    /* the limit is on time without progress, which comes a whole chain at a time */
    result->post_list = flow_chain(run->options->post_list, t->size);
    uint64_t timeout = t->timeout + (uint64_t)t->size / 1000 * result->post_list;
    t->timeout = timeout < TRIAL_TIMEOUT_MOST ? (uint32_t)timeout : TRIAL_TIMEOUT_MOST;
    int r = timed_trial(run, t, probe, TRIAL_COUNT_MOST, NULL, failure);
    if (r < 0)
        return r;
    if (t->queues < run->options->queues)
        snprintf(result->note, sizeof(result->note), "by one queue pair: RDMA_CM connects no more here");
    if (run->seconds <= 0)
        return 0;
    double messages = (double)t->count * (t->flags & TRIAL_BOTH_WAYS ? 2 : 1);
    result->messages_per_second = messages / run->seconds;
    result->mbytes_per_second = messages * t->size / run->seconds / 1e6;
    result->messages = (uint64_t)messages;
    result->cpu_us = run->cpu_seconds * 1e6 / messages;
    result->inlined = tri_of(t->op != OP_READ && t->size <= inline_most(run, t));
    return 0;
}

static void add_mean(double *mean, double value, uint32_t count)
{
    *mean += (value - *mean) / count;
}

static void add_interval(struct result *sum, const struct result *once)
{
    const struct stats *l = &once->latency;
    uint32_t n = ++sum->intervals;
    bool by_latency = l->count > 0;
    double figure = by_latency ? l->median : once->mbytes_per_second * 8 / 1000;
    struct range *range = by_latency ? &sum->median : &sum->gbits;
    range->least = n == 1 || figure < range->least ? figure : range->least;
    range->most = n == 1 || figure > range->most ? figure : range->most;
    if (by_latency && (n == 1 || l->min < sum->latency.min))
        sum->latency.min = l->min;
    if (by_latency && l->max > sum->latency.max)
        sum->latency.max = l->max;
    sum->latency.count += l->count;
    add_mean(&sum->latency.mean, l->mean, n);
    add_mean(&sum->latency.median, l->median, n);
    add_mean(&sum->latency.p99, l->p99, n);
    add_mean(&sum->latency.p999, l->p999, n);
    add_mean(&sum->mbytes_per_second, once->mbytes_per_second, n);
    add_mean(&sum->messages_per_second, once->messages_per_second, n);
    add_mean(&sum->cpu_us, once->cpu_us, n);
    sum->messages += once->messages;
    sum->post_list = once->post_list;
    sum->inlined = once->inlined;
    memcpy(sum->picture, once->picture, sizeof(sum->picture));
    snprintf(sum->note, sizeof(sum->note), "%s", once->note);
}

static void tell_intervals(struct result *sum)
{
    bool by_latency = sum->latency.count > 0;
    const struct range *range = by_latency ? &sum->median : &sum->gbits;
    size_t at = strlen(sum->note);
    snprintf(sum->note + at, sizeof(sum->note) - at, "%s%" PRIu32 " times: %.3g to %.3g %s", at ? "; " : "",
             sum->intervals, range->least, range->most, by_latency ? "µs" : "Gb/s");
}

static int measure_once(struct run *run, struct trial *t, struct result *result, struct failure *failure)
{
    return t->kind == TRIAL_LATENCY ? measure_latency(run, t, result, failure)
                                    : measure_bandwidth(run, t, result, failure);
}

/* Several times, if that is asked for. */
static int measure_intervals(struct run *run, const struct trial *trial, struct result *result,
                             struct failure *failure)
{
    struct trial t = *trial;
    if (run->options->repeat < 2)
        return measure_once(run, &t, result, failure);
    const struct result blank = *result;
    int r = 0;
    while (r == 0 && result->intervals < run->options->repeat) {
        struct result once = blank;
        t = run_new_trial(run, (enum trial_kind)trial->kind, (enum queue_kind)trial->queue,
                          (enum operation)trial->op, trial->size, 0);
        r = measure_once(run, &t, &once, failure);
        if (r == 0)
            add_interval(result, &once);
        if (r == 0 && run->interval)
            run->interval(run->interval_data, &once);
    }
    if (result->intervals)
        tell_intervals(result);
    return r;
}

static int measure(struct run *run, enum trial_kind kind, enum queue_kind queue, enum operation op,
                   uint32_t size)
{
    struct trial t = run_new_trial(run, kind, queue, op, size, 0);
    struct failure failure = { 0 };
    struct result *result;
    if (!run_begin(run, &t, kind == TRIAL_LATENCY ? "latency" : "bandwidth", &result))
        return 0;
    run_say(run, result->operation, size);
    int r = measure_intervals(run, &t, result, &failure);
    if (r == -EINTR && result->intervals) {
        return r;
    } else if (r < 0) {
        bool lost = queue_is_unreliable(queue) && failure.err == ETIMEDOUT;
        bool unable = failure.step == STEP_HANDSHAKE && failure.err == EOPNOTSUPP; /* either end */
        result->verdict = lost ? VERDICT_WARN : unable ? VERDICT_NA : VERDICT_FAIL;
        if (!unable)
            result->failure = failure;
        if (!run_stopped(result, &failure) && (lost || unable))
            snprintf(result->note, sizeof(result->note), "%s",
                     lost ? "a message was lost: nothing to measure" : failure.text);
    }
    return run_end(run, r, &failure, r == 0);
}

/* All of one kind, in the requested sizes, or the usual one. */
static int measure_all(struct run *run, enum trial_kind kind, uint32_t usual)
{
    const struct test_options *o = run->options;
    const uint32_t *sizes = o->nsizes ? o->sizes : &usual;
    int r = 0;
    for (size_t i = 0; i < ARRAY_SIZE(measured); i++)
        for (size_t s = 0; r == 0 && measured[i].kind == kind && s < (o->nsizes ? o->nsizes : 1); s++) {
            bool atomic = measured[i].op == OP_FETCH_ADD;
            if (!run_wants(run, measured[i].op) || (atomic && s > 0) ||
                (measured[i].queue == QUEUE_UD && sizes[s] > run->mtu))
                continue;
            r = measure(run, kind, measured[i].queue, measured[i].op, atomic ? 8 : sizes[s]);
        }
    return r;
}

int selftest_run(struct run *run)
{
    const struct test_options *o = run->options;
    int r = o->verify ? verify_all(run) : 0;
    if (r == 0 && o->latency)
        r = measure_all(run, TRIAL_LATENCY, 8);
    if (r == 0 && o->bandwidth)
        r = measure_all(run, TRIAL_BANDWIDTH, 65536);
    if (run->dead)
        snprintf(run_add(run, "the rest", VERDICT_NA)->note, FAILURE_TEXT_SIZE,
                 "not tried: no message comes through");
    return r;
}

/* -- several at once: what they move adds up, as their measurements begin together --------------------------
 */

struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t begin;
    size_t here, left, round; /* left: runs that haven't ended */
};

struct member {
    struct run *run;
    struct meeting *meeting;
    pthread_t thread;
    bool started;
    int ended;
};

static void begin_if_all_are_here(struct meeting *m)
{
    if (m->here < m->left)
        return;
    m->here = 0;
    m->round++;
    pthread_cond_broadcast(&m->begin);
}

static void meet(void *data)
{
    struct meeting *m = data;
    pthread_mutex_lock(&m->lock);
    size_t round = m->round;
    m->here++;
    begin_if_all_are_here(m);
    while (round == m->round)
        pthread_cond_wait(&m->begin, &m->lock);
    pthread_mutex_unlock(&m->lock);
}

static void leave(struct meeting *m)
{
    pthread_mutex_lock(&m->lock);
    m->left--;
    begin_if_all_are_here(m);
    pthread_mutex_unlock(&m->lock);
}

static void *run_member(void *data)
{
    struct member *member = data;
    member->ended = selftest_run(member->run);
    leave(member->meeting);
    return NULL;
}

int selftest_run_together(struct run *const *runs, size_t count)
{
    struct meeting meeting = { .left = count };
    struct member *members = mem_alloc(count + 1, sizeof(*members));
    int r = 0;
    pthread_mutex_init(&meeting.lock, NULL);
    pthread_cond_init(&meeting.begin, NULL);
    for (size_t i = 0; i < count; i++) {
        members[i] = (struct member){ .run = runs[i], .meeting = &meeting };
        runs[i]->meet = meet;
        runs[i]->meet_data = &meeting;
        int err = pthread_create(&members[i].thread, NULL, run_member, &members[i]);
        members[i].started = !err;
        if (err) {
            failure_set(&run_add(runs[i], "set up", VERDICT_FAIL)->failure, STEP_NONE, err, "no thread for it");
            leave(&meeting);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (members[i].started)
            pthread_join(members[i].thread, NULL);
        r = members[i].ended == -EINTR ? -EINTR : r;
    }
    pthread_cond_destroy(&meeting.begin);
    pthread_mutex_destroy(&meeting.lock);
    free(members);
    return r;
}
