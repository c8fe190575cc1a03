/* SPDX-License-Identifier: MIT */
/* A recorded machine, and what doctor says of it. */
#pragma once

#include "check/check.h"
#include "source/reader.h"
#include "source/source.h"

struct says {
    struct arena *arena;
    struct host *host, *old;
    struct report report;
};

struct machine {
    const char *name;
    struct source *now, *before; /* before: NULL if there is no earlier reading */
};

/* fixtures/NAME.machine; NULL if there is none. */
struct source *open_machine(const char *name);
/* False if it can't be read. The caller forgets *says in either case. */
bool ask(const struct machine *machine, struct says *says);
void forget(struct says *says);

/* Is there a reason for this check to say something else? A change's name, or "unreadable". */
bool change_has_reason(const char *change, const char *machine, const char *check);
/* Makes one directory of a machine after the other unreadable, and prints what was judged without it that
 * should not be: a warning or failure that passes, or a new one; how many that is. */
size_t look_unreadable(const struct machine *machine, const struct says *whole);
/* Tries each change on a machine, and prints what it changed without reason; how much that is. */
size_t look_changed(const char *name);
/* Prints the machine with that change, as a recording. */
int print_changed(const char *name, const char *change);
