/* SPDX-License-Identifier: MIT */
/* Frames from a file, a line each. */
#pragma once

#include "model/frame.h"

struct replay;

/* path "-": standard input. 0 or -errno, said. */
int replay_open(const char *path, struct replay **replay);
void replay_close(struct replay *replay); /* NULL is fine */
/* The next frame, which the caller frees; NULL with 0: there are no more. -EINVAL, or -errno, after saying
 * which line is wrong. */
int replay_next(struct replay *replay, struct frame **frame);
