/* The columns of a test's results. */
#include <string.h>

#include "base/mem.h"
#include "selftest/diagnosis/diagnosis.h"
#include "view/results.h"

static const struct result *result_of(const void *row)
{
    return row;
}

#define GETTER(name, expression)                                                        \
    static struct value get_##name(const struct cell_context *context, const void *row) \
    {                                                                                   \
        (void)context;                                                                  \
        const struct result *r = result_of(row);                                        \
        return expression;                                                              \
    }

/* Three digits are all of a measurement that another one repeats. */
static struct value real(const struct cell_context *context, bool known, double number)
{
    if (!known)
        return (struct value){ 0 };
    if (!context->for_people)
        return (struct value){ .type = VALUE_REAL, .real = number };
    int digits = number < 10 ? 2 : number < 100 ? 1 : 0;
    return value_text(arena_printf(context->arena, "%.*f", digits, number));
}

static const enum tone tones[] = {
    [VERDICT_PASS] = TONE_GOOD, [VERDICT_WARN] = TONE_WARN, [VERDICT_FAIL] = TONE_BAD, [VERDICT_NA] = TONE_DIM
};

GETTER(device, value_text(r->device))
GETTER(port, r->port ? value_unsigned(r->port) : (struct value){ 0 })
GETTER(gid_index, value_num(r->gid_index))
GETTER(gid, value_text(r->gid))
GETTER(operation, value_text(r->operation))
GETTER(verdict, value_with_tone(value_text(verdict_name(r->verdict)), tones[r->verdict]))
GETTER(size_min, r->messages ? value_unsigned(r->size_min) : (struct value){ 0 })
GETTER(messages, value_unsigned(r->messages))
GETTER(lost, value_unsigned(r->lost))
GETTER(latency_min, real(context, r->latency.count, r->latency.min))
GETTER(latency_median, real(context, r->latency.count, r->latency.median))
GETTER(latency_mean, real(context, r->latency.count, r->latency.mean))
GETTER(latency_p99, real(context, r->latency.count, r->latency.p99))
GETTER(latency_p999, real(context, r->latency.count, r->latency.p999))
GETTER(latency_max, real(context, r->latency.count, r->latency.max))
GETTER(histogram, r->latency.count ? value_text(r->picture) : (struct value){ 0 })
GETTER(bandwidth, real(context, r->mbytes_per_second > 0, r->mbytes_per_second))
GETTER(rate, real(context, r->messages_per_second > 0, r->messages_per_second))

static const char *size_text(struct arena *arena, uint32_t size)
{
    if (size >= 1 << 20 && size % (1 << 20) == 0)
        return arena_printf(arena, "%u MiB", size >> 20);
    if (size >= 1024 && size % 1024 == 0)
        return arena_printf(arena, "%u KiB", size >> 10);
    return arena_printf(arena, "%u B", size);
}

static struct value get_size(const struct cell_context *context, const void *row)
{
    const struct result *r = result_of(row);
    if (r->size == 0)
        return (struct value){ 0 };
    if (!context->for_people)
        return value_unsigned(r->size);
    const char *text = size_text(context->arena, r->size);
    if (r->size_min != r->size)
        text = arena_printf(context->arena, "%s to %s", size_text(context->arena, r->size_min), text);
    return value_text(text);
}

static struct value get_note(const struct cell_context *context, const void *row)
{
    const struct result *r = result_of(row);
    if (*r->note)
        return value_text(r->note);
    if (r->verdict != VERDICT_FAIL)
        return (struct value){ 0 };
    struct diagnosis d;
    diagnose(&r->failure, &(struct facts){ 0 }, &d);
    return value_text(arena_strdup(context->arena, d.what));
}

static struct value get_step(const struct cell_context *context, const void *row)
{
    (void)context;
    const struct result *r = result_of(row);
    return r->failure.step ? value_text(step_text(r->failure.step)) : (struct value){ 0 };
}

static struct value get_error(const struct cell_context *context, const void *row)
{
    (void)context;
    const struct failure *f = &result_of(row)->failure;
    if (f->step == STEP_NONE)
        return (struct value){ 0 };
    return value_text(f->wc_status > 0 ? wc_name(f->wc_status) : f->err ? strerrorname_np(f->err) : NULL);
}

static struct value get_vendor_err(const struct cell_context *context, const void *row)
{
    (void)context;
    const struct failure *f = &result_of(row)->failure;
    return f->step && f->wc_status > 0 ? value_unsigned(f->vendor_err) : (struct value){ 0 };
}

const struct column result_columns[] = {
    { "device", .help = "RDMA device", .get = get_device },
    { "port", .help = "port number, from 1", .get = get_port },
    { "gid_index", "gid", .help = "index of the GID that was used", .get = get_gid_index },
    { "gid", "address", .help = "its address", .flags = COLUMN_HIDDEN, .get = get_gid },
    { "operation", .help = "kind of queue pair, operation, and how", .flags = COLUMN_WHOLE,
      .get = get_operation },
    { "size_min", .help = "smallest message, bytes", .flags = COLUMN_JSON_ONLY, .get = get_size_min },
    { "size", .help = "bytes of a message: the largest, or the one that failed", .get = get_size },
    { "verdict", .help = "pass, warn, fail, or n/a when it can't be done here", .get = get_verdict },
    { "messages", .help = "messages that came through, all their bytes compared (measurements: counted)",
      .flags = COLUMN_HIDDEN, .get = get_messages },
    { "lost", .help = "messages that an unreliable transport lost and that were sent again",
      .flags = COLUMN_HIDDEN, .get = get_lost },
    { "latency_min_us", "min µs", .help = "latency, the least: half a round trip, or a whole request",
      .flags = COLUMN_HIDDEN | COLUMN_RIGHT, .get = get_latency_min },
    { "latency_median_us", "median µs", .help = "latency, the median", .flags = COLUMN_RIGHT,
      .get = get_latency_median },
    { "latency_mean_us", "mean µs", .help = "latency, the mean", .flags = COLUMN_HIDDEN,
      .get = get_latency_mean },
    { "latency_p99_us", "p99 µs", .help = "latency that 99% stay below", .flags = COLUMN_RIGHT,
      .get = get_latency_p99 },
    { "latency_p999_us", "p99.9 µs", .help = "latency that 99.9% stay below",
      .flags = COLUMN_HIDDEN | COLUMN_RIGHT, .get = get_latency_p999 },
    { "latency_max_us", "max µs", .help = "latency, the most", .flags = COLUMN_RIGHT, .rank = 2,
      .get = get_latency_max },
    { "histogram",
      .help = "how latencies are spread from the least to the 99.9th percentile, on a logarithmic scale",
      .rank = 3, .get = get_histogram },
    { "mbytes_per_second", "MB/s", .help = "bandwidth in 10^6 bytes per second", .flags = COLUMN_RIGHT,
      .get = get_bandwidth },
    { "messages_per_second", "messages/s", .help = "message rate", .rank = 4, .flags = COLUMN_HIDDEN,
      .get = get_rate },
    { "step", .help = "the step that failed", .flags = COLUMN_JSON_ONLY, .get = get_step },
    { "error", .help = "errno or completion status of it", .flags = COLUMN_JSON_ONLY, .get = get_error },
    { "vendor_err", .help = "the device's own code beside a completion status", .flags = COLUMN_JSON_ONLY,
      .get = get_vendor_err },
    { "note", .help = "why it failed or can't be done", .flags = COLUMN_CUT, .rank = 1, .get = get_note },
    { 0 },
};
