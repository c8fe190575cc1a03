/* SPDX-License-Identifier: MIT */
/* What is measured: latency and bandwidth. */
#include "selftest/test_run.h"

enum { PROBE_ROUNDS = 16, PROBE_BYTES = 1 << 18, PROBE_MESSAGES = 256, LATENCY_SIZE = 8, MESSAGES_LEAST = 16 };

static const struct {
    enum queue_kind queue;
    enum operation op;
} latencies[] = {
    { QUEUE_RC, OP_SEND },      { QUEUE_RC, OP_WRITE }, { QUEUE_RC, OP_READ },
    { QUEUE_RC, OP_FETCH_ADD }, { QUEUE_UD, OP_SEND },
};
static const enum operation bandwidths[] = { OP_SEND, OP_WRITE, OP_READ };
static const uint32_t bandwidth_sizes[] = { 65536 };

/* How many messages fill the time that was asked for, when so many took that long. */
static uint32_t fit(const struct run *run, uint32_t messages, double seconds, uint32_t most)
{
    double wanted = seconds > 0 ? (double)run->options->duration / 1000 / seconds * messages : most;
    if (wanted > most)
        return most;
    return wanted < MESSAGES_LEAST ? MESSAGES_LEAST : (uint32_t)wanted;
}

static void fill_latency(struct result *result, const struct trial *t, uint64_t *samples, double ns)
{
    /* Whole rounds are halved, as perftest does; requests with their response aren't. */
    double scale = ns / 1000 / (latency_is_round(t) ? 2 : 1);
    uint64_t bins[HISTOGRAM_BINS];
    stats_of(samples, t->count, scale, &result->latency);
    histogram_of(samples, t->count, bins);
    histogram_picture(bins, result->picture);
    result->messages = t->count;
}

static int timed_latency(struct run *run, struct trial *t, struct result *result, struct failure *failure)
{
    uint64_t *samples = mem_alloc(TRIAL_SAMPLES_MOST, sizeof(*samples));
    int r = 0;
    t->count = run->options->iterations ? run->options->iterations : PROBE_ROUNDS;
    if (t->count > TRIAL_SAMPLES_MOST)
        t->count = TRIAL_SAMPLES_MOST;
    if (!run->options->iterations) {
        uint64_t start = wait_now();
        r = run_trial(run, t, samples, NULL, failure);
        if (r == 0)
            t->count = fit(run, t->count + LATENCY_WARMUP, (double)(wait_now() - start) / 1e9,
                           TRIAL_SAMPLES_MOST);
        t->seed = run_new_trial(run, TRIAL_LATENCY, 0, 0, 0, 0).seed;
    }
    if (r == 0) {
        struct ticks_start start = ticks_start();
        r = run_trial(run, t, samples, NULL, failure);
        if (r == 0)
            fill_latency(result, t, samples, ticks_ns(&start));
    }
    free(samples);
    return r;
}

static int timed_bandwidth(struct run *run, struct trial *t, struct result *result, struct failure *failure)
{
    double seconds = 0;
    int r = 0;
    uint32_t fitting = PROBE_BYTES / t->size + 1, probe = fitting < PROBE_MESSAGES ? fitting : PROBE_MESSAGES;
    t->count = run->options->iterations ? run->options->iterations : probe;
    if (!run->options->iterations) {
        r = run_trial(run, t, NULL, &seconds, failure);
        if (r == 0)
            t->count = fit(run, t->count, seconds, TRIAL_COUNT_MOST);
        t->seed = run_new_trial(run, TRIAL_BANDWIDTH, 0, 0, 0, 0).seed;
    }
    if (r == 0)
        r = run_trial(run, t, NULL, &seconds, failure);
    if (r < 0 || seconds <= 0)
        return r;
    double messages = (double)t->count * (t->flags & TRIAL_BOTH_WAYS ? 2 : 1);
    result->messages_per_second = messages / seconds;
    result->mbytes_per_second = messages * t->size / seconds / 1e6;
    result->messages = (uint64_t)messages;
    return 0;
}

/* RDMA_CM connects one. */
static uint8_t queues_of(const struct run *run)
{
    unsigned count = set_rc_count(run->set);
    return count < run->options->queues ? (uint8_t)count : run->options->queues;
}

static int measure(struct run *run, enum trial_kind kind, enum queue_kind queue, enum operation op,
                   uint32_t size)
{
    struct trial t = run_new_trial(run, kind, queue, op, size, 0);
    /* what is limited is how long nothing moves: of BANDWIDTH a whole chain */
    if (kind == TRIAL_BANDWIDTH)
        t.timeout += size / 1000 * FLOW_CHAIN;
    if (kind == TRIAL_BANDWIDTH) {
        t.queues = queues_of(run);
        t.flags = run->options->both_ways ? TRIAL_BOTH_WAYS : 0;
    }
    char text[FAILURE_TEXT_SIZE];
    const char *why = run_impossible(run, &t, text);
    struct result *result = run_result(run, &t, kind == TRIAL_LATENCY ? "latency" : "bandwidth");
    const struct failure *broken = run_broken(run, &t);
    if (broken) {
        result->verdict = VERDICT_FAIL;
        result->failure = *broken;
        return 0;
    }
    if (why) {
        result->verdict = VERDICT_NA;
        snprintf(result->note, sizeof(result->note), "%s", why);
        return 0;
    }
    run_say(run, result->operation, size);
    struct failure failure = { 0 };
    int r = kind == TRIAL_LATENCY ? timed_latency(run, &t, result, &failure)
                                  : timed_bandwidth(run, &t, result, &failure);
    if (r == 0) {
        if (t.queues < run->options->queues && kind == TRIAL_BANDWIDTH)
            snprintf(result->note, sizeof(result->note), "by one queue pair: RDMA_CM connects no more here");
        run->deaths = 0;
        return 0;
    }
    bool lost = queue_is_unreliable(queue) && failure.err == ETIMEDOUT;
    result->verdict = lost ? VERDICT_WARN : VERDICT_FAIL;
    result->failure = failure;
    if (!run_stopped(result, &failure) && lost)
        snprintf(result->note, sizeof(result->note), "a message was lost: nothing to measure");
    return r == -EINTR || r == -ECONNRESET ? r : run_recover(run, &failure, false);
}

static int measure_latencies(struct run *run)
{
    static const uint32_t usual[] = { LATENCY_SIZE };
    const struct test_options *o = run->options;
    const uint32_t *sizes = o->nsizes ? o->sizes : usual;
    size_t nsizes = o->nsizes ? o->nsizes : ARRAY_SIZE(usual);
    for (size_t i = 0; i < ARRAY_SIZE(latencies); i++)
        for (size_t s = 0; s < nsizes; s++) {
            bool atomic = latencies[i].op == OP_FETCH_ADD;
            if (!run_wants(run, latencies[i].op) || (atomic && s > 0) ||
                (latencies[i].queue == QUEUE_UD && sizes[s] > run->mtu))
                continue;
            int r = measure(run, TRIAL_LATENCY, latencies[i].queue, latencies[i].op, atomic ? 8 : sizes[s]);
            if (r < 0)
                return r;
        }
    return 0;
}

int measure_all(struct run *run)
{
    const struct test_options *o = run->options;
    int r = o->latency ? measure_latencies(run) : 0;
    const uint32_t *sizes = o->nsizes ? o->sizes : bandwidth_sizes;
    size_t nsizes = o->nsizes ? o->nsizes : ARRAY_SIZE(bandwidth_sizes);
    for (size_t i = 0; r == 0 && o->bandwidth && i < ARRAY_SIZE(bandwidths); i++)
        for (size_t s = 0; r == 0 && s < nsizes; s++)
            if (run_wants(run, bandwidths[i]))
                r = measure(run, TRIAL_BANDWIDTH, QUEUE_RC, bandwidths[i], sizes[s]);
    return r;
}
