/* SPDX-License-Identifier: MIT */
/* Where facts come from: the live machine, or a recording of one. The only door between the machine and the
 * rest of the program. */
#pragma once

#include <stdbool.h>

#include "base/mem.h"
#include "model/counters/roles.h"
#include "model/host.h"
#include "source/recording/fault.h"

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
 * -E2BIG: a recording that holds more than root_types.h allows. */
int host_read(struct source *source, needs_t needs, struct host **host);
/* host->hostname, which only NEED_SYSTEM reads besides: JSON says of which host it tells. */
void host_read_name(struct source *source, struct host *host);

/* What the driver of one netdev counts (ethtool -S), into the caller's arena, without the rest of NEED_QOS.
 * 0 or -errno: -EOPNOTSUPP, it counts nothing. */
int source_statistics(struct source *source, const char *netdev, struct arena *arena,
                      struct qos_statistic **statistics, size_t *count);

/* From now on every answer that host_read() gets is collected for a recording. */
void source_record_begin(struct source *source);
/* Appends the recording of what was just read to text. anonymise: see anonymise/tree.h. 0 or -errno. */
int source_record_end(struct source *source, bool anonymise, struct bytes *text);
