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
 * or another -errno after saying why and what to do. */
struct trace_wish {
    bool records;     /* keep the stream, for trace_feed_end() */
    bool queue_pairs; /* tell their steps, too */
    bool bare;        /* steps alone: nothing is looked up for those that fail, nor is the kernel's log read */
    bool lists;       /* where it isn't allowed, or tracefs isn't mounted: tell from the kernel's lists */
    bool woken;       /* small rings: who waits for trace_feed_fd() empties them in time */
    bool behind;      /* give way to what is watched, until events would be lost */
    const char *lost; /* what there isn't without it: said as a warning; NULL: it is an error */
};
int trace_feed_open(struct context *context, const struct trace_seer *seer, const struct trace_wish *wish,
                    struct trace_feed **feed);
/* Waits at most so long, and tells what has come. Returns 0 or -errno; -EINTR: a signal came. */
int trace_feed_wait(struct trace_feed *feed, int milliseconds);
int trace_feed_fd(const struct trace_feed *feed); /* without lists: readable when rings fill */
/* Tells the rest. Returns 0, or -errno after saying that the recording could not be saved at path (NULL:
 * don't), or if it had only lists. */
int trace_feed_end(struct trace_feed *feed, const char *path);
void trace_feed_close(struct trace_feed *feed); /* NULL is fine */
/* Tells all of a recording's; all but the step lasts as long as the arena (NULL: as long as the call). Returns
 * 0 or -errno, after saying why. */
int trace_feed_replay(struct context *context, const struct trace_seer *seer, struct arena *arena);
/* Tells what several hosts recorded, whose files are the first operands, by the first one's clock, and says how
 * far the others' are from it. Returns 0 or -errno, after saying why. */
int trace_exchange(struct context *context, size_t count, const struct trace_seer *seer);

/* Is a line of the kernel's log one of trouble that doctor knows, or a service's that explain does? */
bool log_line_is_known(const char *text);
/* Is it about a device of host (NULL: none is known), or of a service that connects by itself? *line is then
 * what the stream has of it, but for the time. */
bool log_line_matters(const struct host *host, const char *text, struct trace_line *line);
/* Does a step that ends a connection, or fails, have that line beside it: of the same second, and of its device
 * or service? */
bool log_line_is_of(const struct trace_line *line, const struct trace_step *step);

/* What the kernel tells of connections and queue pairs, each with its process's name. */
struct hearing {
    struct source *source;
    struct tracing *tracing;
    struct trace_queue *queue; /* heard, and not yet taken */
    uint64_t points, lost;     /* which events there are, 1 << POINT_…; how many were lost */
    struct trace_format formats[TRACE_POINTS];
    uint8_t *scratch;
    bool is_back;
    struct task {
        uint64_t pid, read_us; /* read_us 0: not yet */
        char name[TRACE_TASK_SIZE];
    } tasks[1 << 10];
};
/* Returns 0 or -errno, as tracing_format() and tracing_add() do. */
int hearing_open(struct source *source, const struct trace_wish *wish, struct hearing **hearing);
void hearing_close(struct hearing *hearing); /* NULL is fine */
/* Empties the rings: as often as they fill, or events are lost. */
void hearing_hear(struct hearing *hearing);
