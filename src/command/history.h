/* SPDX-License-Identifier: MIT */
/* The flight recorder, and what is read back of it. */
#pragma once

#include "check/check.h"
#include "command/context.h"
#include "history/history.h"

/* Keeps what happens on the machine, each second, until it is interrupted. Operands: the ports, none for all.
 * Returns the exit status. */
int history_record(struct context *context, const char *directory, const struct history_limits *limits);

/* A time as people write one: "03:12", "03:12:30" (the last one before now), "2026-11-27 03:12", RFC 3339
 * ("2026-11-27T03:12:30Z", "...+01:00"; without a zone: local), "-2h" and "-90" (before now; s, m, h, d),
 * "now"; "job" and "job-end": Slurm's $SLURM_JOB_START_TIME and $SLURM_JOB_END_TIME. Returns 0 or -EINVAL. */
int time_meant(const char *text, uint64_t now_ms, uint64_t *ms);
/* A length of time: "90", "90s", "15m", "2h", "7d". Returns 0 or -EINVAL. */
int duration_meant(const char *text, uint64_t *ms);

/* What --since, --until and --around of a command name; without them the last hour. Returns 0, or -EINVAL after
 * saying what is wrong. */
struct stretch_meant {
    uint64_t since_ms, until_ms;
};
int stretch_of(const struct args *args, uint64_t now_ms, struct stretch_meant *stretch);

/* Tells the frames of [since_ms, until_ms] that were recorded on the machine that the command is about. Returns
 * 0, or -errno after saying what is wrong. */
int history_of(const struct context *context, uint64_t since_ms, uint64_t until_ms, history_seen *seen,
               void *data);

/* Readings that a recorder kept, once a minute. */
struct kept_reading {
    uint64_t time_ms;
    char *whole, *changes; /* as source_open_reading() takes them */
    bool first;            /* the one before it isn't comparable: there is none, or the clock was set */
};
struct kept_readings {
    struct kept_reading *items; /* in order; kept_readings_free() */
    size_t count;
    uint64_t apart_ms; /* those that are closer than this are passed over */
    bool clock_was_set;
    char *hostname; /* NULL: no line says it */
};
/* What they hold for the checks that compare two readings: nothing that only root may read or that is
 * somebody's configuration, as everybody may read a recorder's files. */
needs_t kept_readings_needs(const struct check_selection *selection);
int kept_readings_take(void *kept, const struct frame *frame); /* a history_seen */
/* What of it these needs name. Returns 0, and the caller frees *host; or -errno. */
int kept_reading_host(const struct kept_reading *kept, needs_t needs, struct host **host);
void kept_readings_free(struct kept_readings *kept);
