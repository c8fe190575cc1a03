/* SPDX-License-Identifier: MIT */
/* This host's end of a test: facts to judge failures by, GIDs as two-host tests speak of them. */
#pragma once

#include "model/host.h"
#include "selftest/diagnosis/facts.h"
#include "selftest/peer/pair.h"

/* What host_read() must read for these. */
#define NEAR_NEEDS \
    (NEED_STATE | NEED_GIDS | NEED_NODES | NEED_NETDEV | NEED_NLDEV | NEED_ADDRESSES | NEED_PCI)

/* What the host says about a port and one of its GIDs (NULL: about the port alone), for judging failures
 * there. */
void near_facts(const struct host *host, const struct port *port, const struct gid *gid, struct facts *facts);
/* The GIDs of all RoCE ports, those left out whose address isn't there; at most so many. */
size_t near_gids(const struct host *host, struct near_gid *gids, size_t most);
