/* SPDX-License-Identifier: MIT */
/* libibverbs' asynchronous events of the devices that may be opened. */
#pragma once

#include <stddef.h>

#include "model/num.h"

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
