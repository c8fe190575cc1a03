/* SPDX-License-Identifier: MIT */
/* The flight recorder, and what is read back of it. */
#pragma once

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
