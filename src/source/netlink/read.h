/* SPDX-License-Identifier: MIT */
/* The netlink part of host_read(): each function asks what the needs call for and fills its part of the host.
 * What a kernel or container doesn't offer stays absent. Private to source/. */
#pragma once

#include "source/reader.h"

struct qos_statistic;

/* device.index and whatever else a dump of the devices has; part of read_nldev. Returns 0 or -errno. */
int read_nldev_indexes(struct reader *reader);
/* Just one netdev's statistics, in the reader's arena. Returns 0 or -errno. */
int read_statistics(struct reader *reader, const char *netdev, struct qos_statistic **statistics,
                    size_t *count);

/* Creates and deletes software RDMA devices. Live only. Return 0 or -errno; *text: the kernel's error message,
 * in arena, or NULL. */

struct arena;

/* type is "rxe" or "siw". The kernel itself loads the module rdma-link-TYPE. -EOPNOTSUPP: no NETLINK_RDMA;
 * -EINVAL: usually, no such module. */
int nldev_add_link(const char *name, const char *type, const char *netdev, struct arena *arena,
                   const char **text);
/* Waits until no process has the device open. */
int nldev_delete_link(uint32_t index, struct arena *arena, const char **text);
