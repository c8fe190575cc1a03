/* SPDX-License-Identifier: MIT */
#include "command/mesh/self.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool goes_by(const struct mesh_peer *peer, const struct near_gid *gid)
{
    return gid->active && memcmp(gid->gid.raw, peer->raw, sizeof(peer->raw)) == 0;
}

size_t self_gids(const struct mesh_peer *peer, const struct near_gid *gids, size_t ngids, struct near_gid *own)
{
    size_t nown = 0;
    for (size_t i = 0; i < ngids; i++)
        if (goes_by(peer, &gids[i]))
            own[nown++] = gids[i];
    return nown;
}

static bool is_self(const struct mesh_peer *peer, const struct near_gid *gids, size_t ngids)
{
    bool self = false;
    for (size_t i = 0; i < ngids && !self; i++)
        self = goes_by(peer, &gids[i]);
    return self;
}

int self_find(const struct peers *peers, const struct near_gid *gids, size_t ngids, uint32_t *selves,
              size_t most, size_t *count, char why[static SELF_WHY_SIZE])
{
    *count = 0;
    for (uint32_t peer = 0; peer < peers->count && *count < most; peer++)
        if (is_self(&peers->items[peer], gids, ngids))
            selves[(*count)++] = peer;
    if (*count == 0) {
        snprintf(why, SELF_WHY_SIZE,
                 "none of the list's addresses is one of an active RoCE or iWARP port of this host");
        return -EADDRNOTAVAIL;
    }
    const char *host = peers->items[selves[0]].host;
    for (size_t i = 1; i < *count; i++)
        if (strcmp(peers->items[selves[i]].host, host) != 0) {
            snprintf(why, SELF_WHY_SIZE, "the list calls this host both '%s' and '%s'", host,
                     peers->items[selves[i]].host);
            return -EINVAL;
        }
    return 0;
}
