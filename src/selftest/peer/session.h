/* SPDX-License-Identifier: MIT */
/* The server's side of one client, from its HELLO to its BYE. Nothing of what the client says is believed
 * before protocol.c has checked it, and every wait has an end. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "selftest/peer/path_proof.h"
#include "selftest/peer/protocol.h"
#include "selftest/queues/queue.h"
#include "selftest/trial/respond.h"

struct host;

/* What mem_reserve() has to keep for a session to begin, and to go on: reading this host ends the program
 * where memory runs out. */
enum { SESSION_ROOM = 4 << 20 };
#define SESSION_NO_ROOM "the server has no memory for this session"

/* The GIDs that clients may use, and of each of them what only this end has to know. */
struct session_offer {
    struct wire_offer wire;
    char host[WIRE_NAME_SIZE];
    char nodes[WIRE_GIDS_MOST][WIRE_NAME_SIZE]; /* of the device; "": not known */
    uint32_t ifindexes[WIRE_GIDS_MOST];         /* of the netdev */
    bool soft[WIRE_GIDS_MOST];                  /* soft-RoCE */
    enum port_rule ports[WIRE_GIDS_MOST];
};

/* What the program around it provides. All may be called from several threads at once. */
struct session_host {
    /* What there is now. */
    void (*offer)(void *data, struct session_offer *offer);
    /* A reading of the counters, taken after since (as wait_now()) if it may be; the caller gives it back.
     * NULL: there is none. */
    const struct host *(*counters)(void *data, uint64_t since);
    void (*give_back)(void *data, const struct host *reading);
    /* What the port of a GID has counted by now on each priority. NULL: nobody counts. */
    void (*priorities)(void *data, const struct wire_gid *gid, struct wire_priorities *priorities);
    void *data;
    uint32_t idle_ms;    /* longest silence of a client between two tests */
    uint32_t test_ms;    /* longest test, and all CPU time of a session */
    uint32_t session_ms; /* longest session */
    bool any_gid;        /* tests GIDs that aren't the address that the client connects from */
    bool tells_all;      /* offers also GIDs that aren't the address that the client connects to */
};

struct session_report {
    char client[ADDRESS_TEXT_SIZE];
    char name[WIRE_NAME_SIZE]; /* what the client calls itself */
    char program[WIRE_NAME_SIZE];
    unsigned trials, failed;
    bool proven; /* the way to it was: it was a client, not just anybody */
    /* 0: the client said goodbye; or why it ended: -ETIMEDOUT, -ECONNRESET, -EPROTO, -EINTR, -EDQUOT (it had
     * used up what a session may), -ENOMEM */
    int end;
};

/* hello: already received. yield: see struct watch. Does not close connection. */
void session_run(const struct session_host *host, struct connection *connection,
                 const struct wire_hello *hello, bool yield, struct session_report *report);

/* The state of a session and its steps, each the answer to a message: 0, or -errno ends the session. For
 * session*.c. */

struct session {
    const struct session_host *host;
    struct connection *connection;
    uint64_t until; /* the whole session's end */
    bool yield;
    struct session_offer offer;
    struct sockaddr_storage peer; /* of the TCP connection */
    struct proof proof;
    unsigned opens, readings, countings;
    struct priority_counts first; /* at the first PRIORITIES */

    struct set *set; /* NULL: not opened */
    struct bundle *bundle;
    struct cm *cm;
    struct responder responder;
    struct wire_gid gid; /* of ours, that is used */
    uint8_t peer_gid[16];
    const struct host *before; /* counters at the first OPEN */
    uint64_t tested;           /* when the last test ended, as wait_now() */
    struct session_report *report;
    struct wire_message in, out;
};

/* How long something may take, never beyond the session's end. */
struct watch session_limit(const struct session *s, uint32_t ms);
/* s->out, as a message of this type. */
int session_say(struct session *s, enum wire_type type);
int session_say_failure(struct session *s, const struct failure *failure);

/* Leaves of the offer what a client is told before a path to it is proven. */
void session_shorten_offer(struct session *s);
/* The proof of a path: PROBE, READY, NONCE. */
int session_on_probe(struct session *s);
int session_on_ready(struct session *s);
int session_on_nonce(struct session *s);

/* This end of what is tested through a GID of the offer. */
struct endpoint_spec session_end(const struct session *s, uint32_t gid, size_t size);
int session_on_open(struct session *s);
/* A client may make queue pairs so many times. 0, or -EPROTO: nothing is proven; -EDQUOT. */
int session_may_open(struct session *s, uint32_t gid, const uint8_t raw[static 16]);
void session_close_set(struct session *s); /* fine twice */

int session_on_trial(struct session *s);
/* Many paths: the queue pairs, and what is sent by them. */
int session_on_paths(struct session *s);
int session_on_exchange(struct session *s);

/* Readings of a host that sessions share: a stranger who asks for one after the other gets the same one again. */

struct host;
struct readings;

/* read: called by one thread at a time; NULL when it fails. The caller frees it with readings_free() when all
 * readings have been given back. NULL: no memory. */
struct readings *readings_new(struct host *(*read)(void *data), void *data);
void readings_free(struct readings *readings); /* NULL is fine */

/* The last reading, or a new one when it is older than since (ns, as wait_now()). READINGS_BURST new ones are
 * made at once, then one in READINGS_MS and in so many times what it costs. NULL: none could be made. */
enum { READINGS_BURST = 16, READINGS_SHARE = 16, READINGS_MS = 250 };
const struct host *readings_take(struct readings *readings, uint64_t since);
void readings_give_back(struct readings *readings, const struct host *reading); /* NULL is fine */
/* Pure: may another one be made now, when each costs so much time? */
struct account {
    double left;
    uint64_t counted; /* when that was so */
};
bool readings_afford(struct account *account, uint64_t cost, uint64_t now);
