/* SPDX-License-Identifier: MIT */
/* This host's end of a test: facts to judge failures by, GIDs as two-host tests speak of them. */
#pragma once

#include "model/host.h"
#include "model/priority_counts.h"
#include "selftest/diagnosis/facts.h"
#include "selftest/peer/pair.h"

/* What host_read() must read for these. */
#define NEAR_NEEDS \
    (NEED_STATE | NEED_GIDS | NEED_NODES | NEED_NETDEV | NEED_NLDEV | NEED_ADDRESSES | NEED_PCI)

/* What the host says about a port and one of its GIDs (NULL: about the port alone), for judging failures
 * there. */
void near_facts(const struct host *host, const struct port *port, const struct gid *gid, struct facts *facts);
/* The same of one of those below, by what the host says of it now. */
void near_facts_of(const struct host *host, const struct near_gid *near, struct facts *facts);
/* What iWARP, which RDMA_CM alone connects, is reached by on a port: the addresses of its netdev, but for
 * link-local ones, which would name no port. At most so many. */
size_t near_addresses(const struct host *host, const struct port *port, struct near_gid *addresses,
                      size_t most);
/* The GIDs of all RoCE ports, those left out whose netdev is in another namespace or whose address isn't
 * there, and the addresses of iWARP ports; at most so many. */
size_t near_gids(const struct host *host, struct near_gid *gids, size_t most);

/* The netdev whose driver counts what a port sends and receives, the members of a bond separated by commas
 * (as many as fit); "": none is known. */
enum { NEAR_COUNTING_SIZE = WIRE_NAME_SIZE };
void near_counting(const struct host *host, const struct port *port, char netdevs[static NEAR_COUNTING_SIZE]);
/* Reads how many packets they have counted on each priority. */
struct source;
struct priority_counts near_priorities(struct source *source, const char *netdevs);
