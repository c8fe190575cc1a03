/* SPDX-License-Identifier: MIT */
/* The parts of host_read() that read files, each from one place in the tree. */
#pragma once

#include "source/reader.h"

/* Tries a device node. */
struct device_node read_node(struct reader *reader, const char *name, const char *path);

/* The GID table of a port: gids/N, gid_attrs/types/N, gid_attrs/ndevs/N. */

/* Reads values first, then type and netdev only for filled slots: the kernel answers EINVAL for empty ones.
 * With NEED_GID_SUMMARY alone it stops once nothing more can change what status shows. */
void read_gids(struct reader *reader, const struct device *device, struct root_dir *port_dir,
               struct port *port);

/* What no file says: our own environment, a trial at locking memory, the kernel log. */

/* Does a variable, or a line in a file, control an RDMA library? Others are none of our business and may be
 * secrets. */
bool variable_is_ours(const char *name);

/* The limits of this process and of daemons that start jobs, one line for each: "slurmd 812 slurmd.service". */
void read_limits(struct reader *reader);
/* How much memory may be locked, in bytes (UINT64_MAX: unlimited), according to a process's limits (NULL: not
 * read); what the text doesn't say stays as it is. */
void take_limits(const char *text, struct num *soft, struct num *hard);
void read_probes(struct reader *reader);

/* RDMA_CM's default RoCE mode and TOS: /sys/kernel/config/rdma_cm/DEVICE/ports/N. The kernel shows a device
 * there only in a directory that somebody creates (core/cma_configfs.c), so even looking needs root; roce
 * removes the directory again if it made it, and blocks signals until then. */

struct source;

/* Write and read back. Return 0 or -errno: -ENOENT if configfs isn't mounted or rdma_cm isn't loaded; -EINVAL
 * if the device doesn't have this RoCE version; -EIO if the kernel now says something else. */
int configfs_set_mode(struct source *source, const char *device, uint32_t port, enum gid_type mode);
int configfs_set_tos(struct source *source, const char *device, uint32_t port, uint8_t tos);

/* Parses a line of probe/settings, its texts in arena; false if it isn't one. Pure. */
bool settings_parse_line(const char *line, size_t len, struct arena *arena, struct setting *setting);
