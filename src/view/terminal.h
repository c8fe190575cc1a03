/* SPDX-License-Identifier: MIT */
/* What standard output is, and colour. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

bool terminal_is(void);
/* Columns of the terminal on standard output; 0 when it isn't one (nothing is cut then). */
size_t terminal_width(void);
size_t terminal_error_width(void); /* of that on standard error */

enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
/* Shall output be coloured? With COLOR_AUTO $NO_COLOR and $TERM decide. */
bool terminal_color(enum color_mode mode);

enum tone { TONE_PLAIN, TONE_GOOD, TONE_WARN, TONE_BAD, TONE_DIM, TONE_BOLD };
/* The escape sequences around text of a tone; "" without colour. */
const char *tone_start(enum tone tone, bool color);
const char *tone_end(enum tone tone, bool color);
