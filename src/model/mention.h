/* SPDX-License-Identifier: MIT */
/* What of a host a text names: devices, ports, netdevs, PCI addresses, GIDs and addresses. Pure; the text is
 * anybody's bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "model/host.h"

enum { MENTIONS_MOST = 8 };

struct mention {
    const char *text;            /* as the text has it, in the arena given */
    const struct device *device; /* NULL: an address that isn't this host's */
    const struct port *port;     /* NULL: the device has several, and none was named */
    const struct gid *gid;       /* NULL: it isn't one of its GIDs that was named */
};

/* Finds them in the first len bytes of text, each port once, addresses that nobody here has besides. needs of
 * the host: NEED_NLDEV, NEED_PCI for the PCI addresses, NEED_NETDEV for netdevs, NEED_GIDS for GIDs,
 * NEED_ADDRESSES. */
size_t mention_find(const struct host *host, const char *text, size_t len, struct arena *arena,
                    struct mention mentions[static MENTIONS_MOST]);
