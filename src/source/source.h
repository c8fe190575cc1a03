/* Where facts come from: the live machine, or a recording of one. The only door between the machine and the
 * rest of the program. */
#pragma once

#include <stdbool.h>

#include "model/host.h"

struct source;

/* Opens the live machine. 0 or -errno. */
int source_open_live(struct source **source);
/* Opens a recording: a directory with a sys/ in it. 0; -ENOENT or another errno of opening it; -ENOTDIR: not
 * a directory; -ENODATA: it holds no sys/. */
int source_open_recording(const char *dir, struct source **source);
void source_close(struct source *source); /* NULL is fine */
bool source_is_recording(const struct source *source);

/* From now on NEED_VERBS opens only this device, not all: opening costs a real NIC firmware commands. NULL:
 * all again. The name must live as long as the source. */
void source_open_only(struct source *source, const char *device);

/* Reads what needs names (NEED_* of model/host.h) into a new host that the caller frees. Anything that can't
 * be read stands in host->problems; 0 even then. -errno only when nothing can be read at all. */
int host_read(struct source *source, needs_t needs, struct host **host);

/* From now on every answer that host_read() gets from the live machine is also written below dir, which must
 * be new or empty
 * (-EEXIST if not); nothing in it looks whole before source_record_end(). anonymise: see anonymise.h. */
struct record_options {
    bool anonymise;
};
int source_record_begin(struct source *source, const char *dir, const struct record_options *options);
/* Completes the recording of host, which was just read. 0, or the first errno that writing met: then what was
 * written has been removed. */
int source_record_end(struct source *source, const struct host *host);
