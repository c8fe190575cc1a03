/* SPDX-License-Identifier: MIT */
/* What standard output is, and colour. */
#pragma once

#include "model/value.h"

bool terminal_is(void);
/* Columns of the terminal on standard output; 0 if it isn't one (then nothing is cut). */
size_t terminal_width(void);
size_t terminal_error_width(void); /* standard error's */

enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
/* Should output be coloured? With COLOR_AUTO, $NO_COLOR and $TERM decide. */
bool terminal_color(enum color_mode mode);

/* The escape sequences around text with a tone; "" without colour. */
const char *tone_start(enum tone tone, bool color);
const char *tone_end(enum tone tone, bool color);

/* Long output for a person, one screen at a time. */

/* From here on output goes through $ROCE_PAGER, else $PAGER, else less, if standard output is a terminal, as do
 * messages on standard error if that is one too; "" and "cat" mean no pager, as does a dumb terminal. less
 * exits at once if everything fits the screen (-F), unless $LESS says otherwise. If no pager can be started,
 * nothing changes. The program waits for it before it exits. */
void pager_start(void);
/* Was one started? Then the reader quitting early isn't a failure. */
bool pager_is_on(void);

/* Progress on the terminal's last line; nothing elsewhere. */

/* One line that the next one replaces. data is unused, but struct run.progress has this signature. */
void progress_show(void *data, const char *text);
void progress_end(void);
