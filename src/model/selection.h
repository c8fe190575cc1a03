/* SPDX-License-Identifier: MIT */
/* The ports that a user names: by device, port, netdev, address or pattern. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "model/host.h"

/* How a port came to be named, for what is shown of it. */
struct selected_part {
    const struct port *port;
    const char *netdev;     /* the GIDs of this netdev above it; NULL: */
    const uint8_t *address; /* the GID of this address, 16 bytes; NULL: the whole port */
};

struct selection {
    bool some;                 /* false: nothing was named, and everything is selected */
    const struct port **ports; /* in the order of their names */
    size_t nports;
    const struct device **devices; /* those that were named as a whole, also without ports */
    size_t ndevices;
    const struct selected_part *parts;
    size_t nparts;
};

/* Which name is not there. */
struct selection_error {
    const char *name;            /* of a device or netdev */
    const struct device *device; /* not NULL: the device is there, but has no such */
    const char *port;
    const char *nearest; /* what was perhaps meant; NULL: nothing is near */
};

/* What has to be read to find what operands name, when none of them is a device's name. */
needs_t selection_needs(char *const *operands, size_t count);

/* Finds what operands name: DEVICE, DEVICE/PORT or DEVICE:PORT, a netdev (the ports whose own it is, below or
 * above it), a PCI address, an IP address or GID, or a pattern of devices or netdevs (see text_matches()); with
 * a "!" in front, what isn't meant, of those or, where there are none, of all; it need not be there.
 * The arrays live in the host's arena. 0; or -ENODEV, with error filled: then what stands before the wrong
 * name is selected. */
int selection_make(struct selection *selection, const struct host *host, char *const *operands, size_t count,
                   struct selection_error *error);

bool selection_has_port(const struct selection *selection, const struct port *port);
/* Was the device, or a port of it, named? */
bool selection_has_device(const struct selection *selection, const struct device *device);
/* Was the GID's port named, and not by a VLAN's or by an address that this GID isn't of? */
bool selection_has_gid(const struct selection *selection, const struct port *port, const struct gid *gid);

/* What of a host a text names: devices, ports, netdevs, PCI addresses, GIDs and addresses. Pure; the text is
 * anybody's bytes. */

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
