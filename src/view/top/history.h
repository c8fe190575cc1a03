/* SPDX-License-Identifier: MIT */
/* What ports carried in the last minutes. Pure. */
#pragma once

#include "model/frame.h"

struct history;

struct history *history_new(void);
void history_free(struct history *history);
/* Takes over what a frame says of its ports, and of all together. A port that hasn't been seen for the whole
 * time is forgotten. */
void history_add(struct history *history, const struct frame *frame);

enum { HISTORY_CELLS_MOST = 256 };

/* A line of width (at most HISTORY_CELLS_MOST) characters, the newest last: the highest of each piece of the
 * time, both ways together, relative to the highest of all. A blank is a piece nothing is known of. device
 * NULL: all ports together. The caller frees it. */
char *history_line(const struct history *history, const char *device, uint32_t port, size_t width);
