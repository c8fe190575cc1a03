/* SPDX-License-Identifier: MIT */
/* The verbs back end: what libibverbs answers, or a recording of it. Private to source/. */
#pragma once

#include <stddef.h>

#include "model/num.h"
#include "model/verbs.h"
#include "source/reader.h"

/* Of a GID table. */
struct gid_slot {
    uint32_t port, index;
};

/* One of these is chosen when the source is opened. All of what they give lives in the reader's arena. */
struct verbs_backend {
    /* Sets verbs_order of the devices that libibverbs shows, and host->system.verbs_err. */
    void (*list)(struct reader *reader);
    /* 0, or a positive errno: ENOENT the kernel has no node for it, EOPNOTSUPP libibverbs doesn't show it. */
    int (*query)(struct reader *reader, struct device *device, struct verbs_device **out);
    void (*end)(void);
    /* Which slots of a device's GID tables are filled, of all its ports in ascending order, asked in one go
     * instead of slot by slot. 0 or -errno: then the slots have to be read. */
    int (*filled_slots)(struct reader *reader, const char *device, struct gid_slot **slots, size_t *count);
};

extern const struct verbs_backend verbs_live, verbs_recorded;

/* Which slots of a GID table are filled, asked of the uverbs node. */

/* As verbs_backend.filled_slots says. Only for software RoCE (rxe): opening a context costs nothing there,
 * while it is a firmware's work on a NIC. -errno: no such node, no permission, a kernel before 5.10, another
 * driver, or the files are wanted for a recording. */
int gid_slots_filled(struct reader *reader, const char *device, struct gid_slot **slots, size_t *count);

/* libibverbs' asynchronous events of the devices that may be opened. */

struct device;
struct async;

struct async_event {
    const char *device;
    const char *what; /* "IBV_EVENT_PORT_ERR" as libibverbs says it: "port error" */
    struct num port;
};

/* Opens the device; its node has been tried before (device->uverbs). A handle with its file descriptor in
 * *fd, or NULL. */
struct async *async_open(const struct device *device, int *fd);
/* The next event, without waiting. 1: there is one, 0: none, -errno: the device is gone or broken. */
int async_next(struct async *async, struct async_event *event);
void async_close(struct async *async); /* NULL is fine */
