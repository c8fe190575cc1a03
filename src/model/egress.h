/* SPDX-License-Identifier: MIT */
/* Which port packets to an address leave by, according to the routes. Needs NEED_ADDRESSES and NEED_ROUTES.
 * Pure. */
#pragma once

#include "model/host.h"

/* The port of the netdev that has this address ("10.0.0.1", "fd00::1"). NULL if it isn't the host's, if several
 * ports or none have the netdev, or if address is NULL or not numeric. */
const struct port *egress_of_own(const struct host *host, const char *address);
/* The port of the netdev that the route to this address names: the longest prefix in table local, then in main.
 * NULL as above, or if the routes aren't known, a rule leads elsewhere, or the route has several hops. */
const struct port *egress_towards(const struct host *host, const char *address);
/* The port that an IPoIB netdev is on; NULL if none is known. */
const struct port *egress_of_ipoib(const struct host *host, const struct netdev *netdev);
