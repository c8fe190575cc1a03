/* SPDX-License-Identifier: MIT */
/* The ports that a user names: by device, port, netdev, address or pattern. Pure. */
#pragma once

#include "model/host.h"

/* How a port was named, which decides what is shown of it. */
struct selected_part {
    const struct port *port;
    const char *netdev;     /* the GIDs of this netdev above it; NULL: */
    const uint8_t *address; /* the GID of this address, 16 bytes; NULL: the whole port */
};

struct selection {
    bool some;                   /* false: nothing was named, and everything is selected */
    struct selected_part *parts; /* the ports that were named, in that order */
    size_t nparts;
    const struct device **devices; /* those named as a whole, even without ports */
    size_t ndevices;
};

/* The name that doesn't exist. */
struct selection_error {
    const char *name;            /* of a device or netdev */
    const struct device *device; /* not NULL: the device exists, but has no such port */
    const char *port;
    const char *nearest; /* what was probably meant; NULL: nothing similar */
};

/* What must be read to resolve operands, when none of them is a device's name. */
needs_t selection_needs(char *const *operands, size_t count);

/* Finds what operands name: DEVICE, DEVICE/PORT or DEVICE:PORT, a netdev (the ports that it belongs to, below
 * or above it), a PCI address, an IP address or GID, or a pattern of devices or netdevs (see text_matches());
 * with a leading "!", what to exclude from those or, if there are none, from everything; it needn't exist. The
 * arrays live in the host's arena. Returns 0, or -ENODEV with error filled; then everything before the wrong
 * name is selected. */
int selection_make(struct selection *selection, const struct host *host, char *const *operands, size_t count,
                   struct selection_error *error);

bool selection_has_port(const struct selection *selection, const struct port *port);
/* Was the device, or a port of it, named? */
bool selection_has_device(const struct selection *selection, const struct device *device);
/* Was the GID's port named, and not by a VLAN or an address that isn't this GID's? */
bool selection_has_gid(const struct selection *selection, const struct port *port, const struct gid *gid);

/* What a text mentions on a host: devices, ports, netdevs, PCI addresses, GIDs and addresses. Pure; the text
 * may be any bytes. */

enum { MENTIONS_MOST = 8 };

struct mention {
    const char *text;            /* as in the text; lives in the given arena */
    const struct device *device; /* NULL: an address that isn't this host's */
    const struct port *port;     /* NULL: the device has several, and none was named */
    const struct gid *gid;       /* NULL: what was named isn't one of its GIDs */
};

/* Finds them in the first len bytes of text, each port once, and addresses that this host doesn't have. The
 * host must have been read with NEED_NLDEV, NEED_PCI for the PCI addresses, NEED_NETDEV for netdevs, NEED_GIDS
 * for GIDs, and NEED_ADDRESSES. */
size_t mention_find(const struct host *host, const char *text, size_t len, struct arena *arena,
                    struct mention mentions[static MENTIONS_MOST]);
