/* SPDX-License-Identifier: MIT */
/* The tests of a run: verification first, then measurements of latency and bandwidth. */
#include "selftest/test_run.h"

enum { PROBE_ROUNDS = 16, PROBE_BYTES = 1 << 18, PROBE_MESSAGES = 256, MESSAGES_LEAST = 16 };

static const struct {
    enum queue_kind queue;
    enum operation op;
} latencies[] = {
    { QUEUE_RC, OP_SEND },      { QUEUE_RC, OP_WRITE }, { QUEUE_RC, OP_READ },
    { QUEUE_RC, OP_FETCH_ADD }, { QUEUE_UD, OP_SEND },
};
static const enum operation bandwidths[] = { OP_SEND, OP_WRITE, OP_READ };

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
    t->timeout += t->size / 1000 * FLOW_CHAIN;
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
    return 0;
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
    int r = kind == TRIAL_LATENCY ? measure_latency(run, &t, result, &failure)
                                  : measure_bandwidth(run, &t, result, &failure);
    if (r < 0) {
        bool lost = queue_is_unreliable(queue) && failure.err == ETIMEDOUT;
        result->verdict = lost ? VERDICT_WARN : VERDICT_FAIL;
        result->failure = failure;
        if (!run_stopped(result, &failure) && lost)
            snprintf(result->note, sizeof(result->note), "a message was lost: nothing to measure");
    }
    return run_end(run, r, &failure, r == 0);
}

/* The requested sizes, or the usual one. Returns their number. */
static size_t sizes_of(const struct test_options *o, const uint32_t *usual, const uint32_t **sizes)
{
    *sizes = o->nsizes ? o->sizes : usual;
    return o->nsizes ? o->nsizes : 1;
}

static int measure_latencies(struct run *run)
{
    static const uint32_t usual = 8;
    const uint32_t *sizes;
    size_t nsizes = sizes_of(run->options, &usual, &sizes);
    int r = 0;
    for (size_t i = 0; i < ARRAY_SIZE(latencies); i++)
        for (size_t s = 0; r == 0 && s < nsizes; s++) {
            bool atomic = latencies[i].op == OP_FETCH_ADD;
            if (!run_wants(run, latencies[i].op) || (atomic && s > 0) ||
                (latencies[i].queue == QUEUE_UD && sizes[s] > run->mtu))
                continue;
            r = measure(run, TRIAL_LATENCY, latencies[i].queue, latencies[i].op, atomic ? 8 : sizes[s]);
        }
    return r;
}

static int measure_bandwidths(struct run *run)
{
    static const uint32_t usual = 65536;
    const uint32_t *sizes;
    size_t nsizes = sizes_of(run->options, &usual, &sizes);
    int r = 0;
    for (size_t i = 0; i < ARRAY_SIZE(bandwidths); i++)
        for (size_t s = 0; r == 0 && s < nsizes; s++)
            if (run_wants(run, bandwidths[i]))
                r = measure(run, TRIAL_BANDWIDTH, QUEUE_RC, bandwidths[i], sizes[s]);
    return r;
}

int selftest_run(struct run *run)
{
    const struct test_options *o = run->options;
    int r = o->verify ? verify_all(run) : 0;
    if (r == 0 && o->latency)
        r = measure_latencies(run);
    if (r == 0 && o->bandwidth)
        r = measure_bandwidths(run);
    if (run->dead)
        snprintf(run_add(run, "the rest", VERDICT_NA)->note, FAILURE_TEXT_SIZE,
                 "not tried: no message comes through");
    return r;
}
