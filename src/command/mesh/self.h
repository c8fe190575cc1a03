/* SPDX-License-Identifier: MIT */
/* Which peers of the list this host is: those whose address an active port here has. It needs no rank, and no
 * name that others would know it by. Pure. */
#pragma once

#include "command/near.h"
#include "fleet/mesh/peers.h"

/* Numbers of its peers, at most so many, as the list has them; gids: what near_gids() found. 0;
 * -EADDRNOTAVAIL: it is none of them; -EINVAL: the list has two names for this host. why says so. */
enum { SELF_WHY_SIZE = 200 };
int self_find(const struct peers *peers, const struct near_gid *gids, size_t ngids, uint32_t *selves,
              size_t most, size_t *count, char why[static SELF_WHY_SIZE]);
/* Those of the GIDs that a peer goes by; own: room for all of them. How many. */
size_t self_gids(const struct mesh_peer *peer, const struct near_gid *gids, size_t ngids,
                 struct near_gid *own);
