/* SPDX-License-Identifier: MIT */
/* Ports of one host against each other: by which GIDs, and whether routing lets them. Pure. Needs NEAR_NEEDS
 * and NEED_ROUTES. */
#pragma once

#include "model/host.h"
#include "selftest/result.h"

struct port_pair {
    const struct port *from, *to;
    const struct gid *from_gid, *to_gid; /* NULL: none of one kind, and why says so */
    enum tristate same_network;
    const char *why; /* in the host's memory: why they can't reach each other; NULL: they may */
};

/* The best GIDs that both have of one type and kind (IPv4, IPv6, link-local). */
struct port_pair port_pair_of(const struct host *host, const struct port *from, const struct port *to);

/* A failure that only says that nothing leads from one to the other isn't one: makes it N/A, with a note. */
void port_pair_judge(const struct host *host, const struct port_pair *pair, struct result *result);
