/* SPDX-License-Identifier: MIT */
/* The columns of a test's results. */
#include "selftest/diagnosis/diagnosis.h"
#include "view/results.h"
#include "view/rows.h"

static const struct result *result_of(const void *row)
{
    return row;
}

static struct value get_port(const void *row)
{
    return value_num(num_if(result_of(row)->port > 0, result_of(row)->port));
}

static struct value get_to_port(const void *row)
{
    return value_num(num_if(result_of(row)->to_device != NULL, result_of(row)->to_port));
}

static struct value get_verdict(const void *row)
{
    enum verdict verdict = result_of(row)->verdict;
    return value_with_tone(value_text(verdict_name(verdict)), verdict_tone(verdict));
}

static struct value get_size_min(const void *row)
{
    return value_num(num_if(result_of(row)->messages > 0, result_of(row)->size_min));
}

static struct value get_gbits(const void *row)
{
    return value_real(result_of(row)->mbytes_per_second * 8 / 1000);
}

static double share_of(const struct result *r)
{
    return r->rate_gbits > 0 ? r->mbytes_per_second * 0.8 / r->rate_gbits : 0;
}

static struct value make_share(const struct cell_context *context, const void *row)
{
    return value_share(context, share_of(result_of(row)));
}

static struct value get_histogram(const void *row)
{
    const struct result *r = result_of(row);
    return value_text(r->latency.count ? r->picture : NULL);
}

static const char *size_text(struct arena *arena, uint32_t size)
{
    if (size >= 1 << 20 && size % (1 << 20) == 0)
        return arena_printf(arena, "%u MiB", size >> 20);
    if (size >= 1024 && size % 1024 == 0)
        return arena_printf(arena, "%u KiB", size >> 10);
    return arena_printf(arena, "%u B", size);
}

static struct value make_size(const struct cell_context *context, const void *row)
{
    const struct result *r = result_of(row);
    if (r->size == 0)
        return NO_VALUE;
    if (!context->for_people)
        return value_unsigned(r->size);
    const char *text = size_text(context->arena, r->size);
    if (r->size_min != r->size)
        text = arena_printf(context->arena, "%s to %s", size_text(context->arena, r->size_min), text);
    return value_text(text);
}

static struct value make_note(const struct cell_context *context, const void *row)
{
    const struct result *r = result_of(row);
    if (*r->note)
        return value_text(r->note);
    if (r->verdict != VERDICT_FAIL)
        return NO_VALUE;
    struct diagnosis d;
    diagnose(&r->failure, &(struct facts){ 0 }, &d);
    return value_text(arena_strdup(context->arena, d.what));
}

static struct value get_step(const void *row)
{
    const struct result *r = result_of(row);
    return r->failure.step ? value_text(step_text(r->failure.step)) : NO_VALUE;
}

static struct value get_error(const void *row)
{
    const struct failure *f = &result_of(row)->failure;
    if (f->step == STEP_NONE)
        return NO_VALUE;
    return value_text(f->wc_status > 0 ? wc_name(f->wc_status) : f->err ? strerrorname_np(f->err) : NULL);
}

static struct value get_vendor_err(const void *row)
{
    const struct failure *f = &result_of(row)->failure;
    return f->step && f->wc_status > 0 ? value_unsigned(f->vendor_err) : NO_VALUE;
}

const struct column result_columns[] = {
    { "device", .help = "RDMA device", MEMBER(struct result, device) },
    { "port", .help = "port number, from 1", .type = VALUE_UNSIGNED, .get = get_port },
    { "gid_index", "gid", .help = "index of the GID that was used", MEMBER(struct result, gid_index) },
    { "gid", "address", .help = "its address", .flags = COLUMN_HIDDEN, MEMBER(struct result, gid) },
    { "to_device", "to", "the RDMA device of this host that it went to", .flags = COLUMN_HIDDEN,
      MEMBER(struct result, to_device) },
    { "to_port", .help = "port of that device", .flags = COLUMN_HIDDEN, .type = VALUE_UNSIGNED,
      .get = get_to_port },
    { "to_gid_index", .help = "index of the GID that it went to", .flags = COLUMN_HIDDEN,
      MEMBER(struct result, to_gid_index) },
    { "numa_node", "node", "NUMA node that memory and thread were on", .flags = COLUMN_HIDDEN,
      MEMBER(struct result, numa_node) },
    { "operation", .help = "kind of queue pair, operation, and how", .flags = COLUMN_WHOLE,
      MEMBER(struct result, operation) },
    { "size_min", .help = "smallest message, bytes", .flags = COLUMN_JSON_ONLY, .type = VALUE_UNSIGNED,
      .get = get_size_min },
    { "size", .help = "bytes of a message: the largest, or the one that failed", .type = VALUE_UNSIGNED,
      .make = make_size },
    { "verdict", .help = "pass, warn, fail, or n/a when it can't be done here", .get = get_verdict },
    { "messages", .help = "messages that came through, all their bytes compared (measurements: counted)",
      .flags = COLUMN_HIDDEN, MEMBER_AS(VALUE_UNSIGNED, struct result, messages) },
    { "lost", .help = "messages that an unreliable transport lost and that were sent again",
      .flags = COLUMN_HIDDEN, MEMBER_AS(VALUE_UNSIGNED, struct result, lost) },
    { "latency_min_us", "min µs", .help = "latency, the least: half a round trip, or a whole request",
      .flags = COLUMN_HIDDEN | COLUMN_RIGHT, MEMBER(struct result, latency.min) },
    { "latency_median_us", "median µs", .help = "latency, the median", .flags = COLUMN_RIGHT,
      MEMBER(struct result, latency.median) },
    { "latency_mean_us", "mean µs", .help = "latency, the mean", .flags = COLUMN_HIDDEN,
      MEMBER(struct result, latency.mean) },
    { "latency_p99_us", "p99 µs", .help = "latency that 99% stay below", .flags = COLUMN_RIGHT,
      MEMBER(struct result, latency.p99) },
    { "latency_p999_us", "p99.9 µs", .help = "latency that 99.9% stay below",
      .flags = COLUMN_HIDDEN | COLUMN_RIGHT, MEMBER(struct result, latency.p999) },
    { "latency_max_us", "max µs", .help = "latency, the most", .flags = COLUMN_RIGHT, .rank = 2,
      MEMBER(struct result, latency.max) },
    { "histogram",
      .help = "how latencies are spread from the least to the 99.9th percentile, on a logarithmic scale",
      .rank = 3, .get = get_histogram },
    { "gbits_per_second", "Gb/s", .help = "bandwidth in 10^9 bits per second", .flags = COLUMN_RIGHT,
      .type = VALUE_REAL, .get = get_gbits },
    { "rate_percent", "bandwidth", .help = "bandwidth as a share of the port's rate, in percent",
      .flags = COLUMN_RIGHT, .rank = 5, .type = VALUE_REAL, .make = make_share },
    { "mbytes_per_second", "MB/s", .help = "bandwidth in 10^6 bytes per second, as perftest has it",
      .flags = COLUMN_HIDDEN | COLUMN_RIGHT, MEMBER(struct result, mbytes_per_second) },
    { "messages_per_second", "messages/s", .help = "message rate", .rank = 4, .flags = COLUMN_HIDDEN,
      MEMBER(struct result, messages_per_second) },
    { "peer_received_dscp", "DSCP there", .help = "the DSCP that packets of a traffic class came there with",
      .flags = COLUMN_HIDDEN, MEMBER(struct result, dscp[0]) },
    { "received_dscp", "DSCP here", .help = "and the answers here", .flags = COLUMN_HIDDEN,
      MEMBER(struct result, dscp[1]) },
    { "sent_priority", "sent on",
      .help = "the priority on which this port counted packets of a traffic class as sent",
      .flags = COLUMN_HIDDEN, MEMBER(struct result, priority_sent[0]) },
    { "peer_received_priority", "came on", .help = "and the other host's port as received",
      .flags = COLUMN_HIDDEN, MEMBER(struct result, priority_received[0]) },
    { "peer_sent_priority", "answered on", .help = "the same of the answers: sent there",
      .flags = COLUMN_HIDDEN, MEMBER(struct result, priority_sent[1]) },
    { "received_priority", "came back on", .help = "and received here", .flags = COLUMN_HIDDEN,
      MEMBER(struct result, priority_received[1]) },
    { "step", .help = "the step that failed", .flags = COLUMN_JSON_ONLY, .get = get_step },
    { "error", .help = "errno or completion status of it", .flags = COLUMN_JSON_ONLY, .get = get_error },
    { "vendor_err", .help = "the device's own code for a completion status", .flags = COLUMN_JSON_ONLY,
      .type = VALUE_UNSIGNED, .get = get_vendor_err },
    { "note", .help = "why it failed or can't be done", .flags = COLUMN_CUT, .rank = 1, .make = make_note },
    { 0 },
};
