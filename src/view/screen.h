/* SPDX-License-Identifier: MIT */
/* The terminal as a full screen: the thin back end of a grid. Whatever ends the program, the terminal is put back. */
#pragma once

#include <stdbool.h>

#include "view/grid.h"

struct screen;

/* The terminal on standard output, with keys from standard input or, where that is something else, /dev/tty. 0;
 * -ENOTTY: there is none; -ENOTSUP: it can't do this, or nobody knows how it does. color: it may be asked for. */
int screen_open(struct screen **screen, bool color);
void screen_close(struct screen *screen); /* NULL is fine */

void screen_size(const struct screen *screen, size_t *width, size_t *height);
void screen_show(struct screen *screen, const struct grid *grid, enum palette palette);
/* Where keys come from, to be waited for. */
int screen_fd(const struct screen *screen);

/* The next key that has been pressed (see view/key.h); PRESSED_NONE: there is none. */
int screen_key(struct screen *screen);
