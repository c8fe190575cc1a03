/* SPDX-License-Identifier: MIT */
/* The GID table of a port: gids/N, gid_attrs/types/N, gid_attrs/ndevs/N. */
#pragma once

#include "source/reader.h"

/* Reads values first, and the type and the netdev only of filled slots: the kernel answers EINVAL for the
 * empty ones. With NEED_GID_SUMMARY alone it stops where nothing can change what status shows. */
void read_gids(struct reader *reader, const struct device *device, struct root_dir *port_dir,
               struct port *port);
