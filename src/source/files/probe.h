/* SPDX-License-Identifier: MIT */
/* What no file says: the own environment; a trial to lock memory, the kernel's log. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "model/num.h"

/* Does a variable, or a line of a file, steer an RDMA library? Others are none of our business, and may be
 * secrets. */
bool variable_is_ours(const char *name);

struct reader;
struct root;

/* For fetchers: a regular file's text, which no recording gets; the caller frees it. NULL: there is none, or
 * it can't be read. path is below root's top. */
char *probe_read(struct root *root, const char *path, size_t *len);

struct bytes;
/* For fetchers: a file, as far as it isn't too long, with a NUL behind; what is read isn't recorded. false:
 * it can't be. The caller frees text. */
bool read_unrecorded(struct reader *reader, const char *path, struct bytes *text);

/* This process's limits, and those of daemons that start jobs: a line "slurmd 812 slurmd.service" each. */
void read_limits(struct reader *reader);
/* How much memory may be locked, in bytes (UINT64_MAX: as much as there is), by the text of a process's
 * limits (NULL: not read); what it doesn't tell stays as it is. */
void take_limits(const char *text, struct num *soft, struct num *hard);
void read_environment(struct reader *reader);
void read_probes(struct reader *reader);
/* A user namespace, and marks of a runtime, a line each: "pid-namespace other" than the machine's first;
 * "init lxc", the variable container of process 1; "path docker", a control group's or a mount's; "path pod",
 * of Kubernetes; "variable kubernetes"; "file .dockerenv"; "kernel wsl". */
void read_container(struct reader *reader);
