/* SPDX-License-Identifier: MIT */
/* The ends of a test: this host's, and the other one as the user named it. */
#pragma once

#include <pthread.h>

#include "model/host.h"
#include "selftest/peer/server.h"

/* This host's end of a test: facts for judging failures, and GIDs as two-host tests use them. */

/* What host_read() must read for the functions below. */
#define NEAR_NEEDS (NEED_STATE | NEED_GIDS | NEED_NODES | NEED_NETDEV | NEED_NLDEV | NEED_ADDRESSES | NEED_PCI)

/* What the host knows of a port and one of its GIDs (NULL: of the port alone), for judging failures there. */
void near_facts(const struct host *host, const struct port *port, const struct gid *gid, struct facts *facts);
/* The same for one of the GIDs below, from the host's present state. */
void near_facts_of(const struct host *host, const struct near_gid *near, struct facts *facts);
/* The addresses by which iWARP, which only RDMA_CM connects, is reached on a port: those of its netdev except
 * link-local ones, which wouldn't identify a port. At most `most`. */
size_t near_addresses(const struct host *host, const struct port *port, struct near_gid *addresses,
                      size_t most);
/* The GIDs of all RoCE ports, except those whose netdev is in another namespace or whose address is missing,
 * and the addresses of iWARP ports; at most `most`. */
size_t near_gids(const struct host *host, struct near_gid *gids, size_t most);

/* How many packets these netdevs (listed as in struct near_gid) have counted on each priority. */
struct source;
struct priority_counts near_priorities(struct source *source, const char *netdevs);

/* The host at the other end, as the user named it: an address or a name, with or without a port. */

enum { FAR_HOST_TEXT_SIZE = 512 };

struct far_host {
    char name[HOST_NAME_SIZE]; /* "" if it was named by an address */
    struct resolved found;     /* for a name; none for an address */
    size_t preferred;          /* that a GID here can talk to; these come first */
    size_t taken;              /* index of the one in use */
};

/* Fills spec->address; its gids, device, gid and options must already be set. Looking up a name may take as
 * long as one step. Returns 0, or -errno after saying what is wrong. */
int far_host_find(const char *text, struct client_spec *spec, struct far_host *far);
/* The next address of the name, after saying why the previous one failed; -ENOENT if there is no other. */
int far_host_next(struct far_host *far, const struct failure *failure, struct client_spec *spec);
/* "node7 is 10.0.0.2 (DNS)", and what it was chosen from; false if there was no name. */
bool far_host_text(const struct far_host *far, const struct client_spec *spec,
                   char text[static FAR_HOST_TEXT_SIZE]);

/* What a server on this host needs from it: its current GIDs and counters, for many sessions at once. */

struct source;

struct hosting {
    struct source *source;
    pthread_mutex_t lock; /* lets one thread at a time read the source */
    struct readings *gids, *counters;
};

void hosting_begin(struct hosting *hosting, struct source *source);
void hosting_end(struct hosting *hosting);

/* Limits for a session on it. The caller fills in whom it is for. */
struct session_host hosting_session(struct hosting *hosting, uint32_t idle_ms, uint32_t test_ms,
                                    uint32_t session_ms);
void hosting_offer(void *data, struct session_offer *offer); /* data: a struct hosting */
/* The host as it is now; NULL: it can't be read. The caller frees it. */
struct host *hosting_read(struct hosting *hosting, needs_t needs);
