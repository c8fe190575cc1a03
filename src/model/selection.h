/* SPDX-License-Identifier: MIT */
/* The ports that a user names: by device, device and port, or netdev. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "model/host.h"

struct selection {
    bool some;                 /* false: nothing was named, and everything is selected */
    const struct port **ports; /* in the order of their names */
    size_t nports;
    const struct device **devices; /* those that were named as a whole, also without ports */
    size_t ndevices;
};

/* Which name is not there. */
struct selection_error {
    const char *name;            /* of a device or netdev */
    const struct device *device; /* not NULL: the device is there, but has no such */
    const char *port;
    const char *nearest; /* what was perhaps meant; NULL: nothing is near */
};

/* Finds what operands name: DEVICE, DEVICE/PORT, or a netdev (the ports whose own it is, below or above it).
 * The arrays live in the host's arena. 0; or -ENODEV, with error filled: then what stands before the wrong
 * name is selected. */
int selection_make(struct selection *selection, const struct host *host, char *const *operands, size_t count,
                   struct selection_error *error);

bool selection_has_port(const struct selection *selection, const struct port *port);
/* Was the device, or a port of it, named? */
bool selection_has_device(const struct selection *selection, const struct device *device);
