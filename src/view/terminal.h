/* What standard output is, and colour. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "command/command.h"
#include "view/column.h"

bool terminal_is(void);
/* Columns of the terminal on standard output; 0 when it isn't one (nothing is cut then). */
size_t terminal_width(void);
/* Shall output be coloured? --color, $NO_COLOR, $TERM. */
bool terminal_color(const struct args *args);
/* The escape sequences around text of a tone; "" without colour. */
const char *tone_start(enum tone tone, bool color);
const char *tone_end(enum tone tone, bool color);
