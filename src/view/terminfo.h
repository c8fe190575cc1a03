/* SPDX-License-Identifier: MIT */
/* Descriptions of the usual terminals, compiled in: for machines and containers that have none. */
#pragma once

#include <stddef.h>

struct terminfo {
    const char *name;
    const char *entry; /* as $TERMINFO takes it: "b64:…" (ncurses 6.1 and later) */
};

/* The one for a terminal of that name ($TERM), or for another that it is like; NULL: there is none. */
const struct terminfo *terminfo_find(const char *name);

/* Made by make from what infocmp(1) prints; ends with a NULL name. */
extern const struct terminfo terminfo_all[];
