/* SPDX-License-Identifier: MIT */
/* Which port packets to an address leave by, as the routes say. Needs NEED_ADDRESSES and NEED_ROUTES. Pure. */
#pragma once

#include "model/host.h"

/* The port of the netdev that has this address ("10.0.0.1", "fd00::1"). NULL: it isn't the host's, several
 * ports or none have the netdev, or address is NULL or no number. */
const struct port *egress_of_own(const struct host *host, const char *address);
/* The port of the netdev that the route to this address names: the longest prefix of the table local, then of
 * main. NULL: as above; the routes aren't known, or a rule leads elsewhere; the route has several hops. */
const struct port *egress_towards(const struct host *host, const char *address);
/* The port that an IPoIB netdev is on; NULL: none is known. */
const struct port *egress_of_ipoib(const struct host *host, const struct netdev *netdev);
