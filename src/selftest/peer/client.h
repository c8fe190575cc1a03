/* SPDX-License-Identifier: MIT */
/* roce ping's side of a session. */
#pragma once

#include "selftest/peer/gid_pair.h"
#include "selftest/peer/peer.h"
#include "selftest/peer/protocol.h"

enum { CLIENT_GIDS_MOST = 256 };

struct client_spec {
    struct sockaddr_storage address;
    socklen_t address_len;
    const struct near_gid *gids;
    size_t ngids;
    const char *device; /* use only ours of this name; NULL: any */
    int gid;            /* --gid; -1: any */
    bool rdma_cm;
    char program[WIRE_NAME_SIZE], host[WIRE_NAME_SIZE];
    const struct test_options *options;
    uint32_t size; /* bytes of the largest message */
};

struct client {
    struct peer peer; /* first */
    struct side side;
    const struct client_spec *spec;
    struct connection connection;
    struct wire_offer offer;
    char host[WIRE_NAME_SIZE]; /* what the other one calls itself; "" if not known yet */
    uint32_t test_ms;          /* the longest test it allows */
    struct pair pair;
    struct pair_question question; /* what it was chosen by */
    struct far_route routes[WIRE_GIDS_MOST];
    uint8_t far_ports; /* enum port_rule, of the other end of a set for paths */
    struct path path;
    uint32_t near_mtu, far_mtu; /* active_mtu of both ports; 0: not known */
};

/* Connects, agrees on a pair of GIDs (client->pair), lets the server prove that its packets arrive here, and
 * makes the queue pairs. The caller calls client_close() in the end, also after a failure. */
int client_open(struct client *client, const struct client_spec *spec, struct failure *failure);
void client_close(struct client *client); /* says goodbye if it can */
/* Our GID of the pair, once it is chosen. */
const struct near_gid *client_near(const struct client *client);
bool client_is_iwarp(const struct client *client);
/* What the other host's counters say about the session. */
int client_counters(struct client *client, struct grown_counters *counters, struct failure *failure);
/* What the other host's port has counted on each priority since the first such question. -EOPNOTSUPP if the
 * server is too old for it, and has ended the session. */
int client_priorities(struct client *client, struct wire_priorities *priorities, struct failure *failure);
/* Replaces all queue pairs by `count` on different paths (RoCE only), with the given flow labels for our
 * packets and for the other host's; 0 leaves the choice to the drivers. -EOPNOTSUPP if the server is too old
 * for it. */
int client_open_paths(struct client *client, uint32_t count, const uint32_t *near_labels,
                      const uint32_t *far_labels, uint8_t traffic_class, struct failure *failure);
/* Begins an exchange on them: both ends have posted receives. The caller calls client_end_exchange(). */
int client_begin_exchange(struct client *client, const struct exchange_plan *plan, struct exchange *exchange,
                          struct failure *failure);
/* What the other end saw of it: plan->count items, or one for datagrams. */
int client_end_exchange(struct client *client, const struct exchange *exchange,
                        struct exchange_seen seen[static PATHS_MOST], struct failure *failure);
