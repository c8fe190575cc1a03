/* SPDX-License-Identifier: MIT */
/* The parts of `roce top`: frames, where they come from and go to, and the full screen. */
#pragma once

#include <poll.h>

#include "command/history.h"
#include "model/frame.h"
#include "view/screen.h"

/* Where `roce top` gets its frames: the live machine, or a file of them. */

struct feed;

struct feed_options {
    const struct history_place *replay; /* lines of frames; NULL: the live machine */
    uint64_t at_ms;                     /* a replay begins then; 0: at its beginning */
    double speed;                       /* of a replay, as a multiple of the recorded speed */
    double interval;                    /* between readings of a live machine, in seconds */
    bool people;   /* read users and listen for events: what isn't shown must cost nothing */
    bool recorder; /* read what only a recorder keeps: errors of links and FEC, and what cables end in */
    bool verdicts; /* ask doctor about the ports, once a minute and after events; likewise */
};

/* context must outlive the feed. Returns 0, or -errno after saying why not. */
int feed_open(struct context *context, const struct feed_options *options, struct feed **feed);
void feed_close(struct feed *feed); /* NULL is fine */

/* The frame that is due now; the caller frees it. NULL with 0 if the replay is over. A live machine's first
 * frame has no rates yet. Returns 0, or -errno after saying why not. */
int feed_next(struct feed *feed, struct frame **frame);
/* Milliseconds until the next frame is due; 0 if it is due now. */
int feed_wait_ms(const struct feed *feed);
void feed_set_interval(struct feed *feed, double seconds); /* live machine only */
/* From the next frame on every counter of this device is read; NULL for no device. The name is copied. */
void feed_look_at(struct feed *feed, const char *device);

/* What else there is to wait for on a live machine; fills in at most FEED_FDS and returns how many. */
enum { FEED_FDS = 8 };
size_t feed_fds(const struct feed *feed, struct pollfd fds[static FEED_FDS]);
/* Takes what has arrived, without waiting. */
void feed_hear(struct feed *feed);
bool feed_is_replay(const struct feed *feed);
/* Why no events arrive; NULL if they do, or if nobody asked. */
const char *feed_deaf(const struct feed *feed);

/* Keeps frames in a file, one JSON object per line. */

struct record {
    const char *path; /* NULL: nothing is kept */
    FILE *file;
};

/* These return 0, or -errno after saying why: a failure to record must not go unnoticed. */
int record_open(struct record *record);
int record_add(const struct record *record, const struct frame *frame); /* skips frames without rates */
int record_close(const struct record *record);

/* The full screen of `roce top`: frames and keys in, pictures out. */

/* Runs until q, a failure, or an interrupt, and closes the screen. Returns 0 or -errno; messages are held back
 * until the screen is closed. */
int full_run(struct context *context, struct feed *feed, const struct record *record, struct screen *screen,
             double interval);
