/* SPDX-License-Identifier: MIT */
/* SMC-R: sockets of TCP whose data go by RDMA. What the kernel says of its link groups, and of connections
 * that stayed with TCP and why. Filled with NEED_SERVICES, where the module smc is loaded. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/num.h"

struct arena;
struct services;

/* A link: a queue pair to one peer. A link group has up to three, and all sockets between two hosts (of one
 * role) share it. */
struct smc_link {
    uint32_t group;             /* the link group's id, as smcr prints it: 8 hex digits */
    struct num id;              /* within the group */
    const char *role;           /* "server", "client": who began the link group; NULL: not told */
    const char *redundancy;     /* of the group: "single", "symmetric", …; NULL: not told */
    const char *pnet_id;        /* name of the physical network; NULL: none */
    const char *device;         /* RDMA device */
    struct num port;            /* its port */
    const char *gid, *peer_gid; /* as addresses: "10.0.0.1", "fe80::1"; NULL: not told */
    struct num state;           /* SMC_LNK_*: smc_link_state_text() */
    struct num connections;     /* that use it now */
};

/* A port of an RDMA device as SMC sees it. */
struct smc_port {
    const char *device;
    uint32_t port;
    const char *pnet_id; /* NULL: none */
    enum tristate active;
};

/* How often connections stayed with TCP for one reason, since the module was loaded. */
struct smc_fallback {
    uint32_t code;
    bool server; /* this host took the connection; else it made it */
    uint64_t count;
};

struct smc_socket {
    struct num state; /* SMC_LISTEN and others: smc_socket_listens() */
    enum smc_mode {
        SMC_MODE_RDMA,
        SMC_MODE_TCP,
        SMC_MODE_ISM,
        SMC_MODE_UNKNOWN
    } mode;                   /* uapi/linux/smc_diag.h */
    const char *local, *peer; /* "10.0.0.1:5000"; peer NULL: not connected */
    struct num code;          /* why it goes by TCP; 0: it doesn't */
    struct num peer_code;     /* what the peer said of it; 0: nothing */
    const char *device;       /* of its link; NULL: it has none */
    struct num port, link;
};

struct smc {
    struct smc_link *links;
    size_t nlinks;
    struct smc_port *ports;
    size_t nports;
    struct smc_fallback *fallbacks;
    size_t nfallbacks;
    struct smc_socket *sockets;
    size_t nsockets;
    bool sockets_known; /* the module smc_diag was there to tell of them */
    /* Since the module was loaded: connections by RDMA, handshakes that went wrong, bytes. */
    struct num by_rdma, handshake_errors, sent, received;
};

/* "ACTIVE"; NULL: roce doesn't know this state. */
const char *smc_link_state_text(struct num state);
bool smc_socket_listens(const struct smc_socket *socket);
/* Why a connection stayed with TCP, in words ("the peer does not offer SMC"); NULL: roce doesn't know the code. */
const char *smc_reason_text(uint32_t code);
/* The peer gave the reason (SMC_CLC_DECL_PEERDECL): it is the peer's code that tells it. */
bool smc_reason_is_peers(uint32_t code);

/* Adds to services what SMC says: each link, each listener, and each reason to stay with TCP. Pure. */
void smc_add_services(const struct smc *smc, struct arena *arena, struct services *services);
