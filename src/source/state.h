/* SPDX-License-Identifier: MIT */
/* The last reading of a machine, kept in a file, so that the next run can say what has happened since. */
#pragma once

#include <stdint.h>

#include "source/source.h"

struct state;

/* Takes the state in the file at path, which need not be there yet, for this process alone: another one that
 * has it is waited for, a few seconds. 0, and the caller closes *state; -EAGAIN: it is still taken; -errno:
 * its directory can't be written, ... Locked is PATH.lock, which stays. */
int state_open(const char *path, struct state **state);
void state_close(struct state *state); /* NULL is fine */

/* The reading in it, and how long ago it was made, whatever the clock was set to meanwhile. *before is NULL,
 * and the status 0, when there is none, or it is of no use: older than a day, or than the machine's last
 * start, from the future, or no recording. */
int state_before(struct state *state, needs_t needs, struct host **before, uint64_t *age_ms);
/* Reads the machine and puts that in place of what is there: all of it or nothing, mode 0600. 0 or -errno. */
int state_keep(struct state *state, struct source *source, needs_t needs);
