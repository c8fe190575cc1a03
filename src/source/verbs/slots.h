/* Which slots of a GID table are filled, asked of the uverbs node in one go instead of slot by slot. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "source/reader.h"

/* Only for software RoCE (rxe), live: opening a context costs nothing there, while it is a firmware's work on
 * a NIC. *slots, of all ports, in ascending order, lives in the reader's arena. 0, or -errno: no such node,
 * no permission, a kernel before 5.10, a recording, another driver: then the slots have to be read. */
struct gid_slot {
    uint32_t port, index;
};
int gid_slots_filled(struct reader *reader, const char *device, struct gid_slot **slots, size_t *count);
