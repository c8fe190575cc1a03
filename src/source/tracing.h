/* SPDX-License-Identifier: MIT */
/* The kernel's tracepoints, live: their format files, and perf's rings of what they tell; and its log. Nothing
 * is switched on for anybody else, and nothing stays behind, however the process ends. */
#pragma once

#include "source/source.h"
#include "trace/trace.h"

struct process;
struct span;
struct tracing;

/* The text of a tracepoint's format file, which stays valid until the source is read again. Returns 0, or
 * -errno: -EACCES (only root may read tracefs), -ENODEV (tracefs isn't mounted), -ENOENT (this kernel, or the
 * modules that are loaded, have no such event), -EROFS (a recording has none). */
int tracing_format(struct source *source, const char *system, const char *name, struct span *text);
/* Does the kernel's lockdown keep secrets, tracing among them? */
bool tracing_is_locked(struct source *source);

/* Opens a ring a CPU, of so many pages (a power of two, 4 or more; where there are many CPUs, fewer, but not
 * fewer than 64), without events, of which there will be so many. Returns 0 or -errno. */
int tracing_open(struct source *source, size_t events, size_t pages, struct tracing **tracing);
/* How many descriptors so many events take on these CPUs ("0-3,8"): one each. Pure. */
size_t tracing_descriptors(const char *cpus, size_t events);
void tracing_close(struct tracing *tracing); /* NULL is fine */
/* From now on the rings get the events of the tracepoint with that id, or those that filter holds for (NULL:
 * all). Returns 0, or -errno of perf_event_open(2). */
int tracing_add(struct tracing *tracing, uint32_t id, const char *filter);
/* From now on the rings get a sample of the registers that hold a kernel function's third argument and what it
 * returns, the lower number first, when it is entered or (at_return) left: by perf's own kprobe, which is gone
 * with the descriptors. Returns 0, or -errno; -EOPNOTSUPP on processors that roce doesn't know. */
int tracing_probe(struct tracing *tracing, struct source *source, const char *function, bool at_return);
unsigned tracing_third(void); /* the index of the argument's register */
/* From now on the rings get a sample without registers of what the first two arguments of a kernel function
 * point at when it is entered: 8 bytes of zeros, and twice 16 bytes. By a BPF program, which is gone with the
 * descriptors, too; some kernels refuse it. Returns 0 or -errno. */
int tracing_probe_gids(struct tracing *tracing, struct source *source, const char *function);
/* Waits until some ring has something, at most so long. Returns 0, or -EINTR. */
int tracing_wait(struct tracing *tracing, int milliseconds);
/* Readable when that has something to wait for no more: a quarter of some ring is full. */
int tracing_fd(const struct tracing *tracing);

/* Ring i. False behind the last. */
bool tracing_ring(const struct tracing *tracing, size_t i, struct trace_ring *ring);
/* What is before tail has been read. */
void tracing_done(struct tracing *tracing, size_t i, uint64_t tail);

/* A process's name and cgroup, as they are now, in arena; NULL if it has ended. */
void source_process(struct source *source, struct arena *arena, struct process *process);

/* The kernel's log from now on: a non-blocking descriptor that the caller closes, or -errno. */
int source_log_open(struct source *source);
/* The next record of /dev/kmsg. Returns 1; 0: none has come yet; or -errno. */
struct log_record {
    uint64_t time_us; /* since boot, by a clock that drifts away from CLOCK_MONOTONIC */
    const char *text; /* "" of what is no record */
    char bytes[8192];
};
int source_log_next(int fd, struct log_record *record);

/* Puts probe/trace into a recording, between source_record_begin() and source_record_end(). */
void source_trace_keep(struct source *source, const struct bytes *text);
/* Likewise probe/history/0 and what follows: lines, of at most HISTORY_KEPT_MOST bytes, in parts that a
 * recording's files have room for. */
#define HISTORY_PATH "probe/history/%u"
enum {
    HISTORY_PATH_SIZE = 32,
    HISTORY_PARTS_MOST = 8,
    HISTORY_PART = 12 << 20,
    HISTORY_KEPT_MOST = (HISTORY_PARTS_MOST - 1) * HISTORY_PART
};
void source_history_keep(struct source *source, const struct bytes *text);
