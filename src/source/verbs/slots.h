/* SPDX-License-Identifier: MIT */
/* Which slots of a GID table are filled, asked of the uverbs node. */
#pragma once

#include "source/verbs/verbs.h"

/* As verbs_backend.filled_slots says. Only for software RoCE (rxe): opening a context costs nothing there,
 * while it is a firmware's work on a NIC. -errno: no such node, no permission, a kernel before 5.10, another
 * driver, or the files are wanted for a recording. */
int gid_slots_filled(struct reader *reader, const char *device, struct gid_slot **slots, size_t *count);
