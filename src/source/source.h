/* SPDX-License-Identifier: MIT */
/* Where facts come from: the live machine, or a recording of one. The only interface between the machine and
 * the rest of the program. */
#pragma once

#include "model/counter_roles.h"
#include "model/host.h"
#include "source/errors.h"

struct source;
struct qos_statistic; /* model/qos.h */

/* Opens the live machine. Returns 0 or -errno. */
int source_open_live(struct source **source);
/* Opens a recording: a file that record wrote ("-": standard input), or a directory with a sys/ in it. Returns
 * 0, or -errno: fault says why, or its what is "" if the errno says it all. */
int source_open_recording(const char *path, struct source **source, struct recording_fault *fault);
void source_close(struct source *source); /* NULL is fine */
bool source_is_recording(const struct source *source);

/* From now on NEED_VERBS opens only this device, not all: opening costs a real NIC firmware commands. NULL: all
 * again. The name must outlive the source. */
void source_open_only(struct source *source, const char *device);

/* From now on NEED_COUNTERS reads only counters with one of these roles, except for the device named all, where
 * it reads every one (NULL: no exception): each file in counters/ costs a command to the device. 0: all again.
 * The name must outlive the source. */
void source_count_only(struct source *source, roles_t roles, const char *all);

/* What is read from now on will be read again in a second or so: see root_keep_open(). */
void source_keep_open(struct source *source, bool keep);

/* From now on NEED_LLDP listens for so long, on a live machine. NULL: no more. It must outlive the source's
 * use. */
struct lldp_listening {
    unsigned seconds;
    void (*progress)(void *data, const char *text); /* called now and then; NULL: nobody looks */
    bool (*stopped)(void);                          /* has the user ended it? NULL: nobody can */
};
void source_listen(struct source *source, const struct lldp_listening *listening);

/* Reads what needs names (NEED_* in model/host.h) into a new host that the caller frees. Whatever can't be read
 * is listed in host->problems; returns 0 even then. -errno only if nothing at all can be read; -E2BIG: a
 * recording that holds more than root.h allows. */
int host_read(struct source *source, needs_t needs, struct host **host);
/* Reads host->hostname, as otherwise only NEED_SYSTEM does: JSON output names its host. */
void host_read_name(struct source *source, struct host *host);

/* Reads the driver statistics of one netdev (ethtool -S) into the caller's arena, without the rest of NEED_QOS.
 * Returns 0 or -errno; -EOPNOTSUPP if it has none. */
int source_statistics(struct source *source, const char *netdev, struct arena *arena,
                      struct qos_statistic **statistics, size_t *count);

/* From now on collects every answer that host_read() gets, for a recording. */
void source_record_begin(struct source *source);
/* Appends the recording of what was just read to text. anonymise: see anonymise/anonymise.h. Returns 0 or
 * -errno. */
int source_record_end(struct source *source, bool anonymise, struct bytes *text);

/* Readings of one machine, each as what changed in it. */

/* Appends what host_read() reads of these needs as the text of a recording; with before, an earlier one, only
 * the files whose content changed, and *changed says whether that was enough. anonymise: as below. Returns 0 or
 * -errno. */
int source_keep_reading(struct source *source, needs_t needs, bool anonymise, const char *before,
                        struct bytes *text, bool *changed);
/* Opens such texts: a whole one, and what changed since (NULL: nothing). Returns 0, or -EBADMSG. */
int source_open_reading(const char *whole, const char *changes, struct source **source);

/* Is it a recording that holds what a flight recorder kept, for NEED_HISTORY? */
bool source_has_history(const struct source *source);

/* The last reading of a machine, kept in a file so that the next run can say what has happened since. */

struct state;

/* Locks the state file at path, which need not exist yet, for this process alone, waiting a few seconds if
 * another one has it. Returns 0, and the caller closes *state; -EAGAIN if it is still locked; or -errno: its
 * directory isn't writable, ... The lock is on PATH.lock, which stays. */
int state_open(const char *path, struct state **state);
void state_close(struct state *state); /* NULL is fine */

/* The reading in it and its age, even if the clock was set in the meantime. Returns 0 with *before NULL if
 * there is none or it is useless: older than a day or than the machine's last boot, from the future, or not a
 * recording. */
int state_before(struct state *state, needs_t needs, struct host **before, uint64_t *age_ms);
/* Reads the machine and replaces the state with that: all or nothing, mode 0600. Returns 0 or -errno. */
int state_keep(struct state *state, struct source *source, needs_t needs);
