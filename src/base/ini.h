/* SPDX-License-Identifier: MIT */
/* Lines of NAME=VALUE, with or without [sections]: os-release(5), nfs.conf(5), systemd's units, uevents.
 * Pure. */
#pragma once

/* Without the blanks around name and value, and the quotes around value. */
struct ini_line {
    const char *section; /* the one in brackets above it, or "" */
    const char *name, *value;
};

/* The next assignment at or after *rest, in arena. Zero *line before the first call, and pass the previous one
 * afterwards. "#" or ";" at the start of a line makes it a comment, "\" at its end continues it. Returns false
 * if there are no more. */
bool ini_next(struct arena *arena, const char **rest, struct ini_line *line);
/* The next line without its newline, with continued lines ("\") joined; NULL if there is none. */
char *ini_next_line(struct arena *arena, const char **rest);
/* The value of the first line with that name, whatever its section; NULL if there is none. */
const char *ini_value(struct arena *arena, const char *text, const char *name);
