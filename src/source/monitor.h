/* SPDX-License-Identifier: MIT */
/* Watches the live machine: netlink groups for netdevs, addresses and the RDMA core's own notices, the files
 * of /sys for ports and GID tables, libibverbs' asynchronous events where asked for. */
#pragma once

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

#include "model/event.h"

struct source;
struct monitor;

struct monitor_options {
    unsigned idle_ms; /* how long what nobody announces may stay unseen; 0: half a second */
    bool async; /* open the devices and hear libibverbs' events; soft devices can't be deleted meanwhile */
};

/* 0 or -errno; -EROFS: a recording has nothing to watch. */
int monitor_open(struct source *source, const struct monitor_options *options, event_listener *listener,
                 void *data, struct monitor **monitor);
/* Waits for at most milliseconds and tells the listener what happened. 0; -EINTR: a signal came; else
 * -errno. */
int monitor_wait(struct monitor *monitor, int milliseconds);
/* What monitor_wait() waits for, with poll(2): at most room of them. How many. */
size_t monitor_fds(const struct monitor *monitor, struct pollfd *fds, size_t room);
void monitor_close(struct monitor *monitor); /* NULL is fine */
