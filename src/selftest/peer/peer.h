/* SPDX-License-Identifier: MIT */
/* The two ends of a test: this host's GIDs and the other's, and the other end of a run, which lives in this
 * process (loopback) or behind a connection to a server (client). */
#pragma once

#include "selftest/peer/protocol.h"
#include "selftest/trial/respond.h"

/* Which GID of this host talks to which GID of the other; for iWARP ports, which address. Pure. */

/* A GID of this host, or an address of an iWARP port. */
struct near_gid {
    struct wire_gid gid;
    uint32_t ifindex;             /* of its netdev, for link-local ones; 0: not known */
    bool active;                  /* its port is */
    bool soft;                    /* soft-RoCE */
    uint8_t ports;                /* enum port_rule */
    double rate_gbits;            /* of its port, 10^9 bits/s; 0: not known */
    char node[WIRE_NAME_SIZE];    /* "/dev/infiniband/uverbs0"; "": not known */
    char netdevs[WIRE_NAME_SIZE]; /* whose driver counts for its port: see struct wire_priorities */
};

/* This end of a test with it. */
struct endpoint_spec near_endpoint(const struct near_gid *near, size_t size);

/* What routing says about one GID of the other host. */
struct far_route {
    int err;            /* 0, or a positive errno if there is no route */
    uint8_t source[16]; /* the source address that the kernel chooses, as a GID */
};

/* Which of this host's GIDs may be used. */
struct near_choice {
    const struct near_gid *gids;
    size_t ngids;
    const char *device; /* only of this one; NULL: any */
    int gid;            /* --gid: its index; -1: any */
};

struct pair_question {
    struct near_choice near;
    const struct wire_gid *far;
    size_t nfar;
    const struct far_route *routes; /* nfar of them */
    uint8_t host[16];               /* the address that was asked for, as a GID */
    uint8_t peer[16], own[16];      /* both ends of the connection there */
};

enum { PAIR_TEXT_SIZE = 280 };

struct pair {
    size_t near, far;
    char why[PAIR_TEXT_SIZE]; /* also for a refusal */
};

/* Returns 0, or with why filled: -EPROTONOSUPPORT if one side has only RoCE v1 and the other only v2, or only
 * one is iWARP; -ENETUNREACH if there is no route; -ENODEV if nothing here has the address that routing
 * chooses; -EAFNOSUPPORT if there is no common address family. */
int pair_choose(const struct pair_question *question, struct pair *pair);
/* Rewrites why, once more is known about the other GID. */
void pair_say(const struct pair_question *question, struct pair *pair);

/* Addresses of a host name, by libcares: /etc/hosts, then DNS according to /etc/resolv.conf (search domains,
 * the servers in turn). Other sources in nsswitch.conf(5) aren't asked: glibc's name services need shared
 * objects of the very glibc that was linked. */

enum { RESOLVE_MOST = 8, RESOLVE_SERVERS_SIZE = 120 };

struct resolved {
    struct sockaddr_storage addresses[RESOLVE_MOST];
    size_t count;
    const char *source;                 /* "/etc/hosts" or "DNS" */
    const char *trouble;                /* for -EIO: libcares' words */
    char servers[RESOLVE_SERVERS_SIZE]; /* the DNS servers to be asked: "10.0.0.53, 2001:db8::53" */
};

/* Both families, in the order of RFC 6724, without duplicates, each with that port. ms limits the total time.
 * Returns 0, or with servers filled: -ENOENT (unknown to both), -ENODATA (the name has no address), -ETIMEDOUT,
 * -EINTR, -ENOMEM, -EIO. */
int resolve_name(const char *name, uint16_t port, uint32_t ms, struct resolved *resolved);
/* Moves those to the front that one of these GIDs can talk to, being of the same family. Returns how many there
 * are. Pure. */
size_t resolve_prefer(struct resolved *resolved, const struct near_choice *near);

/* The other end of a run. */

struct peer {
    /* Gets ready for a trial. */
    int (*arm)(struct peer *peer, const struct trial *trial, struct failure *failure);
    /* The starter has done its part (or failed): what did the other end see? Returns 0 if all was right
     * there. */
    int (*finish)(struct peer *peer, const struct trial *trial, struct failure *failure);
    /* Makes new queue pairs on both ends after a failure broke the old ones. *set replaces the starter's. */
    int (*reopen)(struct peer *peer, struct set **set, struct failure *failure);
    struct responder *local; /* loopback: our own loops step it; NULL if elsewhere */
    int fd;                  /* control connection; -1: none */
};

/* Both ends in this process, on the same port and GID or on two ports of this host. */

/* Connecting iWARP: with RDMA_CM, through TCP from an address of the netdev to itself. */
struct loopback_cm {
    uint8_t address[16]; /* as a GID */
    uint32_t ifindex;
};

struct loopback {
    struct peer peer;                /* first: from it the peer's functions find the rest */
    const struct loopback_cm *by_cm; /* NULL if without RDMA_CM */
    struct set_spec spec, far_spec;
    struct path path; /* MTU and depth that both ends can do; dgid: where near sends to */
    const struct test_options *options;
    struct set *near, *far;
    struct responder responder;
};

/* Opens and connects both ends. far: NULL for the same port and GID. path->mtu 0: the port's. by_cm: NULL, or
 * valid until the end; then there is only one RC queue pair per end, and far is NULL. The caller calls
 * loopback_close() in the end, also after a failure. */
int loopback_open(struct loopback *loopback, const struct endpoint_spec *end, const struct endpoint_spec *far,
                  const struct loopback_cm *by_cm, const struct test_options *options, struct failure *failure);
void loopback_close(struct loopback *loopback);

/* roce ping's side of a session. */

enum { CLIENT_GIDS_MOST = 256 };

struct client_spec {
    struct sockaddr_storage address;
    struct near_choice near;
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
    char host[WIRE_NAME_SIZE]; /* what the other host calls itself; "" if not known yet */
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
/* What the other host's port has counted on each priority since the first such question. */
int client_priorities(struct client *client, struct wire_priorities *priorities, struct failure *failure);
/* Replaces all queue pairs by `count` on different paths (RoCE only), with the given flow labels for our
 * packets and for the other host's; 0 leaves the choice to the drivers. */
int client_open_paths(struct client *client, uint32_t count, const uint32_t *near_labels,
                      const uint32_t *far_labels, uint8_t traffic_class, struct failure *failure);
/* Begins an exchange on them: both ends have posted receives. The caller calls client_end_exchange(). */
int client_begin_exchange(struct client *client, const struct exchange_plan *plan, struct exchange *exchange,
                          struct failure *failure);
/* What the other end saw of it: plan->count items, or one for datagrams. r: how it went here; after -EINTR and
 * -ENOMEM nothing more is asked. */
int client_end_exchange(struct client *client, const struct exchange *exchange, int r,
                        struct exchange_seen seen[static PATHS_MOST], struct failure *failure);
