/* SPDX-License-Identifier: MIT */
/* Lines of NAME=VALUE, in [sections] or without: os-release(5), nfs.conf(5), systemd's units, uevents. Pure. */
#pragma once

#include <stdbool.h>

#include "base/mem.h"

/* Blanks around name and value are cut, and quotes around the value. */
struct ini_line {
    const char *section; /* what stands in brackets above it; "": nothing */
    const char *name, *value;
};

/* The next assignment at or behind *rest, in memory of arena. *line is zeroed before the first, and holds the
 * one before it. "#" and ";" at a line's beginning make it a comment, "\" at its end continues it. False:
 * there are no more. */
bool ini_next(struct arena *arena, const char **rest, struct ini_line *line);
/* The next line without its end, those that "\" continues as one; NULL: there is none. */
char *ini_next_line(struct arena *arena, const char **rest);
/* The value of the first line of that name, whatever its section; NULL: there is none. */
const char *ini_value(struct arena *arena, const char *text, const char *name);
