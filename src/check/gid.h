/* SPDX-License-Identifier: MIT */
/* What the checks of GIDs share. Private to check/. */
#pragma once

#include "check/judge.h"

#define GIDS (NEED_GIDS | NEED_STATE | NEED_NETDEV_ALL | NEED_NLDEV)

/* "/sys/class/infiniband/mlx5_0/ports/1/gids/3" */
const char *gid_path(struct judgement *judgement, const struct port *port, uint32_t index);
/* The verdict when a port has no GID table to look at, or no GID in it; VERDICTS: it has. */
enum verdict no_gid_table(const struct subject *subject, struct judgement *judgement);
enum verdict no_gids(const struct subject *subject, struct judgement *judgement);
/* The same when its netdev's addresses aren't known, or it has no netdev. */
enum verdict no_addresses(const struct subject *subject, struct judgement *judgement);
/* The GID that the kernel makes of an address: of a point-to-point one it takes the peer's. */
void kernels_gid(const struct address *address, uint8_t raw[static 16]);
/* The errno of a slot of the table that could not be read; 0: all could. */
int gid_slot_problem(const struct host *host, const struct port *port, struct arena *arena);
