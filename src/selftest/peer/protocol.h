/* SPDX-License-Identifier: MIT */
/* The protocol between client and server, over TCP. Every message is a header (magic, version, type, length)
 * and a body of big-endian fields; lengths and ranges are checked before anything is used. Pure.
 *
 *   client               server
 *   HELLO            →           who I am
 *                    ←  OFFER    the GIDs (and addresses of iWARP ports) that can be used here
 *   PROBE            →           this pair of GIDs, and my queue pair for one packet
 *                    ←  PROBED   mine
 *   READY            →           send it
 *                    ←           (one packet with a nonce, by RDMA; nothing else before the answer)
 *   NONCE            →           what it said
 *                    ←  PROVEN   what else there is to know about my end
 *   OPEN             →           the same pair of GIDs, MTU, my queue pairs and buffer
 *                    ←  OPENED   mine (with RDMA_CM: the port to connect to, then KEYS both ways)
 *   TRIAL            →           this test is next
 *                    ←  READY    buffers are filled, receives posted
 *   FINISH           →           my part is over
 *                    ←  OUTCOME  what I saw
 *   COUNTERS         →           none: four bytes of zero
 *                    ←  COUNTERS what changed since OPEN
 *   BYE              →
 *   PATHS            →           the same pair of GIDs, many queue pairs, the flow label of each of yours
 *                    ←  PATHED   mine, and how my driver chooses source ports
 *   EXCHANGE         →           these messages are next (answered by READY, ended by FINISH)
 *                    ←  EXCHANGED what I saw of each queue pair
 *   PRIORITIES       →           no name, and zeros
 *                    ←  PRIORITIES what my port has counted on each priority since you first asked
 * FAILURE may replace any answer. PROBE and OPEN may be repeated: the old queue pairs are then closed. iWARP,
 * which is TCP that the client connects, needs no packet as proof: PROBE is answered by PROVEN, and OPEN is
 * always with RDMA_CM. */
#pragma once

#include "model/gid.h"
#include "model/qos.h"
#include "selftest/trial/exchange.h"

enum {
    WIRE_VERSION = 3,
    WIRE_HEADER_SIZE = 12,
    WIRE_BODY_MOST = 24 * 1024,
    WIRE_GIDS_MOST = 64,
    WIRE_NAME_SIZE = 64, /* with the NUL */
    WIRE_NONCE_SIZE = 16,
};

enum wire_type {
    WIRE_HELLO = 1,
    WIRE_OFFER,
    WIRE_PROBE,
    WIRE_PROBED,
    WIRE_NONCE,
    WIRE_PROVEN,
    WIRE_OPEN,
    WIRE_OPENED,
    WIRE_KEYS,
    WIRE_TRIAL,
    WIRE_READY,
    WIRE_FINISH,
    WIRE_OUTCOME,
    WIRE_COUNTERS,
    WIRE_FAILURE,
    WIRE_BYE,
    WIRE_PATHS,
    WIRE_PATHED,
    WIRE_EXCHANGE,
    WIRE_EXCHANGED,
    WIRE_PRIORITIES,
    WIRE_TYPES
};

struct wire_hello {
    char program[WIRE_NAME_SIZE]; /* the version of roce, shown to people only */
    char host[WIRE_NAME_SIZE];
};

/* Follows enum gid_type: not a GID, but an address for iWARP to connect to. */
enum { WIRE_GID_IWARP = GID_TYPE_ROCE_V2 + 1 };

/* An OFFER has raw and type; PROVEN adds the rest. */
struct wire_gid {
    uint8_t raw[16];
    uint8_t type; /* enum gid_type or WIRE_GID_IWARP */
    uint32_t port;
    uint32_t index; /* iWARP: 0 */
    uint32_t mtu;   /* active_mtu, bytes; 0: not known */
    char device[WIRE_NAME_SIZE];
};

struct wire_offer {
    uint32_t ngids;
    struct wire_gid gids[WIRE_GIDS_MOST];
};

/* Which two GIDs talk, and how packets travel between them. */
struct wire_pair {
    uint32_t gid;    /* index into the offer */
    uint8_t raw[16]; /* the client's */
    uint8_t type;    /* PROBE and OPEN */
    uint8_t traffic_class, hop_limit;
};

struct wire_probe {
    struct wire_pair pair;
    struct queue_description queue; /* of kind UD, or RC if there is no UD */
};

struct wire_proven {
    char host[WIRE_NAME_SIZE];
    struct wire_gid gid;
    uint32_t test_ms; /* the longest test */
};

/* OPEN and PATHS. */
struct wire_open {
    struct wire_pair pair;
    uint32_t mtu; /* of the path, in bytes */
    struct set_description ends;
    uint8_t rd_atomic; /* from here on: OPEN */
    bool rdma_cm;
    uint32_t timeout;            /* ms per step */
    uint32_t labels[PATHS_MOST]; /* PATHS: for the server's packets; 0 lets its driver choose */
};

/* OPENED and PATHED. */
struct wire_opened {
    struct set_description ends;
    uint16_t cm_port; /* OPENED, if rdma_cm */
    uint8_t rd_atomic;
    bool atomics;
    uint8_t port_rule; /* PATHED: enum port_rule */
};

struct wire_exchanged {
    uint32_t count;
    struct exchange_seen seen[PATHS_MOST];
};

struct wire_priorities {
    char netdevs[WIRE_NAME_SIZE]; /* whose driver counts; members of a bond separated by commas; "" if none */
    struct priority_counts counts;
};

struct wire_outcome {
    bool good;
    uint64_t messages; /* that got through */
    struct failure failure;
};

struct wire_message {
    enum wire_type type;
    union {
        struct wire_hello hello;
        struct wire_offer offer;
        struct wire_probe probe;
        struct queue_description probed;
        uint8_t nonce[WIRE_NONCE_SIZE];
        struct wire_proven proven;
        struct wire_open open;     /* also PATHS */
        struct wire_opened opened; /* also PATHED */
        struct buffer_description keys;
        struct trial trial;
        struct wire_outcome outcome;
        struct grown_counters counters;
        struct failure failure;
        struct exchange_plan exchange;
        struct wire_exchanged exchanged;
        struct wire_priorities priorities;
    };
};

static inline bool wire_gid_is_iwarp(const struct wire_gid *gid)
{
    return gid->type == WIRE_GID_IWARP;
}
/* "RoCE v2", …, "iWARP"; NULL if the type isn't known. */
const char *wire_gid_kind(const struct wire_gid *gid);

/* Writes header and body to buffer. Returns their length, or -EMSGSIZE. */
int wire_encode(const struct wire_message *message, uint8_t *buffer, size_t size);
/* Returns 0 and what follows; -EPROTO: not ours; -EPROTONOSUPPORT: another version; -EMSGSIZE: too long. */
int wire_decode_header(const uint8_t header[static WIRE_HEADER_SIZE], enum wire_type *type, size_t *length);
/* Returns 0 or -EPROTO. */
int wire_decode(enum wire_type type, const uint8_t *body, size_t length, struct wire_message *message);

/* Messages over TCP, each with a deadline. */

enum { CONNECTION_PORT = 18517 };

struct connection {
    int fd; /* non-blocking; -1: closed */
    uint8_t buffer[WIRE_HEADER_SIZE + WIRE_BODY_MOST];
};

/* Returns 0, -ETIMEDOUT, -EINTR, -ECONNRESET (the peer is gone), or what wire_decode() returns. watch->fd is
 * ignored. */
int connection_send(struct connection *connection, const struct wire_message *message,
                    const struct watch *watch);
int connection_receive(struct connection *connection, struct wire_message *message, const struct watch *watch);
void connection_close(struct connection *connection);

/* 0 or -errno; *fd is non-blocking. from: the address to connect from, of the same family; NULL: any. */
int connection_open(const struct sockaddr_storage *address, const struct sockaddr_storage *from,
                    const struct watch *watch, int *fd);
/* Sends small messages at once, and notices within half a minute when a host is gone. */
void connection_tune(int fd);
/* early: even on an address that the host doesn't have yet, such as one still being probed for duplicates. */
int connection_listen(const struct sockaddr_storage *address, bool early, int *fd);

/* What either side of a session has. */
struct side {
    struct connection *connection;
    struct wire_message in, out; /* the last ones */
    struct set *set;             /* NULL: not opened */
};
