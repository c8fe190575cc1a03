/* SPDX-License-Identifier: MIT */
/* The verbs back end: libibverbs' answers, or a recording of them. Private to source/. */
#pragma once

#include "model/verbs.h"
#include "source/reader.h"

/* A slot of a GID table. */
struct gid_slot {
    uint32_t port, index;
};

/* One of these is chosen when the source is opened. Everything they return lives in the reader's arena. */
struct verbs_backend {
    /* Sets verbs_order of the devices that libibverbs lists, and host->system.verbs_err. */
    void (*list)(struct reader *reader);
    /* Returns 0 or a positive errno: ENOENT if the kernel has no node for it, EOPNOTSUPP if libibverbs doesn't
     * list it. */
    int (*query)(struct reader *reader, struct device *device, struct verbs_device **out);
    void (*end)(void); /* NULL: nothing to do */
};

extern const struct verbs_backend verbs_live, verbs_recorded;

/* Asks the uverbs node which slots of a device's GID tables are filled, for all its ports in ascending order,
 * in one go instead of slot by slot. Only for software RoCE (rxe): opening a context costs nothing there, while
 * on a NIC it costs firmware commands. Returns 0, or -errno: no such node, no permission, a kernel before 5.10,
 * another driver, or a recording; then the slots must be read one by one. */
int gid_slots_filled(struct reader *reader, const char *device, struct gid_slot **slots, size_t *count);

/* libibverbs' asynchronous events for devices that may be opened. */

struct device;
struct async;

struct async_event {
    const char *device;
    const char *what; /* libibverbs' description, "port error" for IBV_EVENT_PORT_ERR */
    struct num port;
};

/* Opens the device, whose node has been tried before (device->uverbs). Returns a handle with its file
 * descriptor in *fd, or NULL. */
struct async *async_open(const struct device *device, int *fd);
/* The next event, without waiting. Returns 1, 0 if there is none, or -errno if the device is gone or broken. */
int async_next(struct async *async, struct async_event *event);
void async_close(struct async *async); /* NULL is fine */
