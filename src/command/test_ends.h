/* SPDX-License-Identifier: MIT */
/* The ends of a test: this host's, and the other one as a person names it. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "model/host.h"
#include "model/qos.h"
#include "selftest/diagnosis/diagnosis.h"
#include "selftest/peer/client.h"
#include "selftest/peer/gid_pair.h"
#include "selftest/peer/session.h"

/* This host's end of a test: facts to judge failures by, GIDs as two-host tests speak of them. */

/* What host_read() must read for these. */
#define NEAR_NEEDS (NEED_STATE | NEED_GIDS | NEED_NODES | NEED_NETDEV | NEED_NLDEV | NEED_ADDRESSES | NEED_PCI)

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

/* How many packets these netdevs (as struct near_gid has them) have counted on each priority. */
struct source;
struct priority_counts near_priorities(struct source *source, const char *netdevs);

/* The host at the other end, as a person names it: an address or a name, with or without a port. */

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

/* What a server of this host needs from it: its GIDs and counters as they are now, for many sessions at once.
 */

struct source;

struct hosting {
    struct source *source;
    pthread_mutex_t lock; /* of the offer, and the source reads for one thread at a time */
    uint64_t offered;     /* when the offer was read, as wait_now(); 0: not yet */
    uint64_t cost;        /* ns that this took */
    struct account account;
    struct session_offer offer;
    struct readings *readings; /* of counters */
};

/* 0, or -ENOMEM; hosting_end() in any case. */
int hosting_begin(struct hosting *hosting, struct source *source);
void hosting_end(struct hosting *hosting);

/* What a session on it may take. The caller fills in whom it is for. */
struct session_host hosting_session(struct hosting *hosting, uint32_t idle_ms, uint32_t test_ms,
                                    uint32_t session_ms);
void hosting_offer(void *data, struct session_offer *offer); /* data: a struct hosting */
