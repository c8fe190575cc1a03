/* SPDX-License-Identifier: MIT */
/* The flight recorder, and what is read back of it. */
#pragma once

#include <jansson.h>

#include "check/check.h"
#include "command/context.h"
#include "history/history.h"

/* Keeps what happens on the machine, each second, until it is interrupted. Operands: the ports, none for all.
 * Returns the exit status. */
int history_record(struct context *context, const char *directory, const struct history_limits *limits);

/* The line of a frame: whole, or only what isn't as in *last, which becomes this one, and what there is more;
 * NULL: nothing. The caller frees it. Pure. */
char *recorder_line(json_t **last, bool whole, json_t *more, const struct frame *frame);

/* A time as people write one: "03:12", "03:12:30" (the last one before now), "2026-11-27 03:12", RFC 3339
 * ("2026-11-27T03:12:30Z", "...+01:00"; without a zone: local), "-2h" and "-90" (before now; s, m, h, d),
 * "now"; "job" and "job-end": Slurm's $SLURM_JOB_START_TIME and $SLURM_JOB_END_TIME. Returns 0 or -EINVAL. */
int time_meant(const char *text, uint64_t now_ms, uint64_t *ms);

/* The time that an option names, if it is given: else *ms stays. Returns 0, or -EINVAL after saying so. */
int option_time(const struct args *args, const char *option, uint64_t now_ms, uint64_t *ms);
/* What --since, --until and --around of a command name; without them the last hour. Returns 0, or -EINVAL after
 * saying what is wrong. */
struct stretch_meant {
    uint64_t since_ms, until_ms;
};
int stretch_of(const struct args *args, uint64_t now_ms, struct stretch_meant *stretch);
/* Do they name one? 1, 0, or -EINVAL after saying that --directory alone doesn't. */
int stretch_is_named(const struct args *args);

/* Where what was recorded is read. */
struct history_place {
    const char *path;  /* of a recorder's directory or file; NULL: what the recording of a machine holds, */
    struct bytes text; /* which is the host's */
    uint64_t now_ms;   /* what times are relative to: the recording's own, if it holds it */
};

/* Sets the place without saying anything. Returns 0, or -ENODATA: the recording holds no history; or -errno. */
int place_look(struct context *context, const char *path, struct history_place *place);
/* The place called path; NULL: what the recording holds that the command is about, or what is recorded here.
 * Returns 0, or -errno after saying why not. */
int place_find(struct context *context, const char *path, struct history_place *place);
const char *place_name(const struct context *context, const struct history_place *place);
int place_tell(const struct history_place *place, const struct stretch_meant *stretch, history_seen *seen,
               void *data, struct history_tally *tally); /* as history_read() */
/* The same; says what went wrong, and what was passed over. */
int place_read(const struct context *context, const struct history_place *place,
               const struct stretch_meant *stretch, history_seen *seen, void *data);
/* As history_stream(). */
FILE *place_stream(const struct history_place *place, uint64_t since_ms);
int place_say_unread(const struct context *context, const struct history_place *place, int r);
enum { PLACE_SPAN_SIZE = 96 };
/* " (recorded is from 03:00:00 to 05:00:00)", or "" of nothing. */
const char *place_span_text(const struct history_place *place, char text[static PLACE_SPAN_SIZE]);

/* Readings that a recorder kept, once a minute. */
struct kept_reading {
    uint64_t time_ms;
    char *whole, *changes; /* as source_open_reading() takes them */
    bool first; /* the one before it isn't comparable: there is none, the clock was set, or a recorder
                 * began */
};
struct kept_readings {
    struct kept_reading *items; /* in order; kept_readings_free() */
    size_t count;
    uint64_t apart_ms; /* those that are closer than this are passed over */
    bool is_cut;       /* what comes isn't comparable with what was */
    char *hostname;    /* NULL: no line says it */
};
/* What they hold for the checks that compare two readings: nothing that only root may read or that is
 * somebody's configuration, as everybody may read a recorder's files. */
needs_t kept_readings_needs(const struct check_selection *selection);
int kept_readings_take(void *kept, const struct frame *frame); /* a history_seen */
/* What of it these needs name. Returns 0, and the caller frees *host; or -errno. */
int kept_reading_host(const struct kept_reading *kept, needs_t needs, struct host **host);
void kept_readings_free(struct kept_readings *kept);

/* What doctor finds between them. */

/* A time in which each reading found the same things. */
struct past_stretch {
    uint64_t begin_ms, end_ms;
    struct host *before, *host;
    struct report report;
};

struct judged_past {
    uint64_t since_ms, until_ms; /* of the first and the last reading */
    size_t readings;
    struct past_stretch *stretches; /* where something was found; if nothing was, all of it as one */
    size_t count;
    enum verdict verdict; /* what stops the gate of them: the worst */
};

/* Judges the stretch by the interval checks that are selected. context->host and ->selection are those of the
 * last stretch afterwards, whose end past_free() is. Returns 0, or -errno after saying what is missing. */
int past_judge(struct context *context, const struct history_place *place, const struct stretch_meant *stretch,
               const struct check_selection *selection, const struct gate *gate, struct arena *arena,
               struct judged_past *past);
void past_free(struct judged_past *past);
