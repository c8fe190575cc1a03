/* SPDX-License-Identifier: MIT */
/* roce ping's side of a session. */
#pragma once

#include "selftest/peer/gid_pair.h"
#include "selftest/peer/peer.h"
#include "selftest/peer/protocol.h"
#include "selftest/queues/queue.h"
#include "selftest/trial/trial.h"

enum { CLIENT_GIDS_MOST = 256 };

struct client_spec {
    struct sockaddr_storage address;
    socklen_t address_len;
    const struct near_gid *gids;
    size_t ngids;
    const char *(*node)(void *data, const char *device); /* "/dev/infiniband/uverbs0" or NULL */
    void *data;
    const char *device; /* only ours of this name; NULL: any */
    int gid;            /* --gid; -1: any */
    bool rdma_cm;
    char program[WIRE_NAME_SIZE], host[WIRE_NAME_SIZE];
    const struct test_options *options;
    uint32_t size; /* bytes of the largest message */
};

struct client {
    struct peer peer; /* first */
    const struct client_spec *spec;
    struct connection connection;
    struct wire_offer offer;
    char host[WIRE_NAME_SIZE]; /* how the other one calls itself; "": it hasn't yet */
    uint32_t test_ms;          /* the longest test there */
    struct pair pair;
    struct pair_question question; /* what led to it */
    struct far_route routes[WIRE_GIDS_MOST];
    struct set *set;
    struct cm *cm;
    struct bundle *bundle;
    uint8_t far_ports; /* enum port_rule; of the bundle's other end */
    struct path path;
    uint32_t near_mtu, far_mtu; /* active_mtu of both ports; 0: not known */
};

/* Connects, agrees on a pair of GIDs (in client->pair), lets the server prove that its packets come here, and
 * makes the queue pairs. The caller ends it with client_close(), also after a failure. */
int client_open(struct client *client, const struct client_spec *spec, struct failure *failure);
bool client_is_iwarp(const struct client *client); /* the pair is of iWARP ports; after it was chosen */
/* What the other host's counters say about the session. */
int client_counters(struct client *client, struct grown_counters *counters, struct failure *failure);
/* What the other host's port has counted on each priority since this was asked first. -EOPNOTSUPP: the server
 * is older than this, and has ended the session. */
int client_priorities(struct client *client, struct wire_priorities *priorities, struct failure *failure);
/* Queue pairs by many paths (RoCE only), in the place of all others: `count` of them; the flow labels of our
 * packets and of the other host's; 0: the drivers choose. -EOPNOTSUPP: the server is older than this. */
int client_open_bundle(struct client *client, uint32_t count, const uint32_t *near_labels,
                       const uint32_t *far_labels, uint8_t traffic_class, struct failure *failure);
/* Begins an exchange by them: both ends have posted receives. The caller ends it. */
int client_begin_exchange(struct client *client, const struct exchange_plan *plan, struct exchange *exchange,
                          struct failure *failure);
/* What the other end saw of it: plan->count of them, of datagrams one. */
int client_end_exchange(struct client *client, const struct exchange *exchange,
                        struct exchange_seen seen[static BUNDLE_MOST], struct failure *failure);
void client_close(struct client *client); /* says goodbye where it can */

/* The steps of a client, for client*.c. Each returns 0, or -errno with failure filled. */

/* What the server may take longer than a step's own time. */
enum { CLIENT_SLACK_MS = 2000 };

/* Sends, then waits for an answer of this type. The server's own failure is ours. */
int client_ask(struct client *c, const struct wire_message *question, enum wire_type answer, uint32_t ms,
               struct wire_message *in, struct failure *failure);
/* Its result r: -EOPNOTSUPP, and a failure that says so, where an older server took the question for
 * nonsense. what: it can't. */
int client_refused(int r, struct failure *failure, const char *what);
/* A new connection: HELLO, OFFER. from: its own address; NULL: what routing chooses. */
int client_greet(struct client *c, const struct sockaddr_storage *to, const struct sockaddr_storage *from,
                 socklen_t len, struct failure *failure);
void client_part(struct client *c); /* says goodbye where it can, and hangs up */

/* This end of what is tested. */
struct endpoint_spec client_end(const struct client *c);
/* The pair of GIDs. */
int client_choose(struct client *c, struct failure *failure);
/* The server sends to the address that asks only: where that isn't the GID's, the same again from the GID's address,
 * to the other GID's or else to the one that was asked for. When neither works the server decides. */
int client_come_from_gid(struct client *c, struct failure *failure);
/* Lets the server see that what it sends comes here. */
int client_prove(struct client *c, struct failure *failure);

int client_open_set(struct client *c, struct failure *failure);
void client_close_set(struct client *c); /* fine twice */
