/* SPDX-License-Identifier: MIT */
/* What standard output is, and colour. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "model/value.h"

bool terminal_is(void);
/* Columns of the terminal on standard output; 0 when it isn't one (nothing is cut then). */
size_t terminal_width(void);
size_t terminal_error_width(void); /* of that on standard error */

enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
/* Shall output be coloured? With COLOR_AUTO $NO_COLOR and $TERM decide. */
bool terminal_color(enum color_mode mode);

/* The escape sequences around text of a tone; "" without colour. */
const char *tone_start(enum tone tone, bool color);
const char *tone_end(enum tone tone, bool color);

/* Long output for a person, a screen at a time. */

/* From here on what is printed goes through $ROCE_PAGER, else $PAGER, else less, where standard output is a
 * terminal, and what is said on standard error, where that is one too; "" and "cat" mean none, as does a dumb
 * terminal. less leaves at once when all fits the screen (-F), unless $LESS says
 * otherwise. Without a pager to be had nothing changes. At the program's end it is waited for. */
void pager_start(void);
/* Was one started? Then it is no failure that the reader has left before the end. */
bool pager_is_on(void);

/* What is going on, on the terminal's last line; nothing elsewhere. */

/* One line that the next one replaces. data isn't used: the shape is that of struct run.progress. */
void progress_show(void *data, const char *text);
void progress_end(void);
