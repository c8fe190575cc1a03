/* SPDX-License-Identifier: MIT */
/* The host at the other end, as a person names it: an address or a name, with or without a port. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "selftest/peer/client.h"
#include "selftest/peer/resolve.h"

enum { FAR_HOST_TEXT_SIZE = 512 };

struct far_host {
    char name[HOST_NAME_SIZE]; /* "": it was named by an address */
    struct resolved found;     /* of the name; none: of an address */
    size_t preferred;          /* the first so many a GID here can talk to */
    size_t taken;              /* which of them */
};

/* Fills spec->address; its gids, device, gid and options are there already. A name is looked up for as long
 * as one step may take. 0, or -errno after saying what is wrong. */
int far_host_find(const char *text, struct client_spec *spec, struct far_host *far);
/* The next address of the name, after saying why the one before was no good; -ENOENT: there is no other. */
int far_host_next(struct far_host *far, const struct failure *failure, struct client_spec *spec);
/* "node7 is 10.0.0.2 (DNS)", and of which it was chosen; false: there was no name. */
bool far_host_text(const struct far_host *far, const struct client_spec *spec,
                   char text[static FAR_HOST_TEXT_SIZE]);
