/* SPDX-License-Identifier: MIT */
/* Where facts come from: the live machine, or a recording of one. The only door between the machine and the
 * rest of the program. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "model/counters/roles.h"
#include "model/host.h"
#include "source/errors.h"

struct source;
struct qos_statistic; /* model/qos.h */

/* Opens the live machine. 0 or -errno. */
int source_open_live(struct source **source);
/* Opens a recording: a file that record wrote ("-": standard input), or a directory with a sys/ in it. 0;
 * -errno: fault says why, or its what is "" when the errno says it all. */
int source_open_recording(const char *path, struct source **source, struct recording_fault *fault);
void source_close(struct source *source); /* NULL is fine */
bool source_is_recording(const struct source *source);

/* From now on NEED_VERBS opens only this device, not all: opening costs a real NIC firmware commands. NULL:
 * all again. The name must live as long as the source. */
void source_open_only(struct source *source, const char *device);

/* From now on NEED_COUNTERS reads only counters that play one of these roles, of the device named all every
 * one (NULL: of none): each file of counters/ is a command to the device. 0: all again. The name must live as
 * long as the source. */
void source_count_only(struct source *source, roles_t roles, const char *all);

/* Reads what needs names (NEED_* of model/host.h) into a new host that the caller frees. Anything that can't
 * be read stands in host->problems; 0 even then. -errno only when nothing can be read at all;
 * -E2BIG: a recording that holds more than root.h allows. */
int host_read(struct source *source, needs_t needs, struct host **host);
/* host->hostname, which only NEED_SYSTEM reads besides: JSON says of which host it tells. */
void host_read_name(struct source *source, struct host *host);

/* What the driver of one netdev counts (ethtool -S), into the caller's arena, without the rest of NEED_QOS.
 * 0 or -errno: -EOPNOTSUPP, it counts nothing. */
int source_statistics(struct source *source, const char *netdev, struct arena *arena,
                      struct qos_statistic **statistics, size_t *count);

/* From now on every answer that host_read() gets is collected for a recording. */
void source_record_begin(struct source *source);
/* Appends the recording of what was just read to text. anonymise: see anonymise/anonymise.h. 0 or -errno. */
int source_record_end(struct source *source, bool anonymise, struct bytes *text);

/* The last reading of a machine, kept in a file, so that the next run can say what has happened since. */

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
