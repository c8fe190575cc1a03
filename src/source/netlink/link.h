/* SPDX-License-Identifier: MIT */
/* Makes and deletes software RDMA devices. Live only. 0 or -errno; *text: the kernel's words for it, or NULL,
 * in arena. */
#pragma once

#include <stdint.h>

struct arena;

/* type is "rxe" or "siw". The kernel loads the module rdma-link-TYPE by itself. -EOPNOTSUPP: no NETLINK_RDMA;
 * -EINVAL: no such module, mostly. */
int nldev_add_link(const char *name, const char *type, const char *netdev, struct arena *arena,
                   const char **text);
/* Waits until no process has the device open. */
int nldev_delete_link(uint32_t index, struct arena *arena, const char **text);
