/* SPDX-License-Identifier: MIT */
/* What `roce top` is made of: frames, where they come from and go to, the full screen. */
#pragma once

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "command/context.h"
#include "model/frame.h"
#include "view/screen.h"

/* Where `roce top` has its frames from: the live machine, or a file of them. */

struct feed;

struct feed_options {
    const char *replay; /* a file of frames, "-" for standard input; NULL: the live machine */
    double speed;       /* of a replay: how many times as fast as it was recorded */
    double interval;    /* between readings of a live machine, in seconds */
    bool people;        /* read who uses it, and hear events: only what is shown costs anything */
};

/* context must outlive the feed. 0; or -errno after saying why not. */
int feed_open(struct context *context, const struct feed_options *options, struct feed **feed);
void feed_close(struct feed *feed); /* NULL is fine */

/* The frame that is due now, which the caller frees; NULL with 0: the replay is over. The first of a live
 * machine has no rates yet. 0; or -errno after saying why not. */
int feed_next(struct feed *feed, struct frame **frame);
/* Milliseconds until the next is due; 0: it is. */
int feed_wait_ms(const struct feed *feed);
void feed_set_interval(struct feed *feed, double seconds); /* of a live machine */
/* Of this device every counter is read from the next frame on; NULL: of none. The name is copied. */
void feed_look_at(struct feed *feed, const char *device);

/* What of a live machine can be waited for besides; fills in at most room and tells how many. */
enum { FEED_FDS = 8 };
size_t feed_fds(const struct feed *feed, struct pollfd fds[static FEED_FDS]);
/* Takes what is there, without waiting. */
void feed_hear(struct feed *feed);
bool feed_is_replay(const struct feed *feed);
/* Why no events come; NULL: they do, or nobody asked. */
const char *feed_deaf(const struct feed *feed);

/* Keeps frames in a file, a JSON object a line. */

struct record;

/* path NULL: nothing is kept, and *record is NULL, which the others take. 0 or -errno, said. */
int record_open(const char *path, struct record **record);
/* 0 or -errno, said: what can't be kept must not look as if it were. A frame without rates isn't kept. */
int record_add(struct record *record, const struct frame *frame);
int record_close(struct record *record);

/* Frames from a file, a line each. */

struct replay;

/* path "-": standard input. 0 or -errno, said. */
int replay_open(const char *path, struct replay **replay);
void replay_close(struct replay *replay); /* NULL is fine */
/* The next frame, which the caller frees; NULL with 0: there are no more. -EINVAL, or -errno, after saying
 * which line is wrong. */
int replay_next(struct replay *replay, struct frame **frame);

/* The full screen of `roce top`: frames and keys in, pictures out. */

/* Runs until q, the end of the machine's patience, or *stopped. 0 or -errno; what is to be said is said once
 * the screen is closed: it takes over the screen. */
int full_run(const struct context *context, struct feed *feed, struct record *record, struct screen *screen,
             double interval, const volatile sig_atomic_t *stopped);
