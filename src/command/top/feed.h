/* SPDX-License-Identifier: MIT */
/* Where `roce top` has its frames from: the live machine, or a file of them. */
#pragma once

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "command/context.h"
#include "model/frame.h"

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
