/* SPDX-License-Identifier: MIT */
/* What no file says: the own environment; a trial to lock memory, the kernel's log. */
#pragma once

#include <stdbool.h>

/* Does a variable, or a line of a file, steer an RDMA library? Others are none of our business, and may be
 * secrets. */
bool variable_is_ours(const char *name);

struct reader;

void read_environment(struct reader *reader);
void read_probes(struct reader *reader);
