/* SPDX-License-Identifier: MIT */
/* What is at the other end of cables: what systemd-networkd keeps, and what is heard. Private to source/. */
#pragma once

#include "source/reader.h"
#include "source/source.h"

/* Listens on the physical netdevs that have a carrier, as struct lldp_listening says, and appends what was
 * heard to text:
 *
 *     listened SECONDS          how long; "listened 12 interrupted" if it was ended early
 *     down NETDEV               without a carrier: not listened
 *     error NETDEV ERRNO        a number
 *     frame NETDEV SECONDS HEX  from the destination address on, and when; of a neighbor's, its last
 *
 * One socket a netdev with a filter in the kernel, in the multicast groups of LLDP, never promiscuous; nothing
 * is sent. Returns 0. */
int lldp_listen(const struct host *host, const struct lldp_listening *listening, struct bytes *text);
