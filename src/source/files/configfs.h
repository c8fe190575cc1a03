/* SPDX-License-Identifier: MIT */
/* RDMA_CM's default RoCE mode and TOS: /sys/kernel/config/rdma_cm/DEVICE/ports/N. The kernel shows a device
 * there only below a directory that somebody makes (core/cma_configfs.c), so even a look needs root; roce
 * removes the directory again when it was its own, and signals wait until then. */
#pragma once

#include <stdint.h>

#include "model/gid.h"

struct source;

/* Writes, and reads back. 0 or -errno: -ENOENT configfs isn't mounted or rdma_cm isn't loaded; -EINVAL the
 * device has no such RoCE version; -EIO the kernel now says something else. */
int configfs_set_mode(struct source *source, const char *device, uint32_t port, enum gid_type mode);
int configfs_set_tos(struct source *source, const char *device, uint32_t port, uint8_t tos);
