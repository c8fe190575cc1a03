/* SPDX-License-Identifier: MIT */
/* Where `roce trace` gets its steps: the live kernel's tracepoints, or a recording of them. */
#pragma once

#include "command/context.h"
#include "view/trace.h"

struct trace_feed;

/* Sees the steps, in order of time; STEP_OF_START is the first. */
struct trace_seer {
    void (*see)(void *data, const struct trace_shown *shown);
    void *data;
};

/* Opens the live machine's. Returns 0; -ENOENT: module rdma_cm isn't loaded, so that its events may come later;
 * or another -errno after saying why and what to do. records: keep the stream, for trace_feed_end().
 * queue_pairs: tell their steps, too. */
int trace_feed_open(struct context *context, const struct trace_seer *seer, bool records, bool queue_pairs,
                    struct trace_feed **feed);
/* Waits at most so long, and tells what has come. Returns 0 or -errno; -EINTR: a signal came. */
int trace_feed_wait(struct trace_feed *feed, int milliseconds);
/* Tells the rest. Returns 0, or -errno after saying that the recording could not be saved at path (NULL:
 * don't). */
int trace_feed_end(struct trace_feed *feed, const char *path);
void trace_feed_close(struct trace_feed *feed); /* NULL is fine */
/* Tells all of a recording's. Returns 0 or -errno, after saying why. */
int trace_feed_replay(struct context *context, const struct trace_seer *seer);
