/* SPDX-License-Identifier: MIT */
/* The server's side of one client, from its HELLO to its BYE. */
#pragma once

#include "selftest/peer/gid_pair.h"
#include "selftest/peer/protocol.h"

struct host;

/* Memory that mem_reserve() must hold for a session to begin or continue: reading this host ends the program if
 * memory runs out. */
enum { SESSION_ROOM = 4 << 20 };
#define SESSION_NO_ROOM "the server has no memory for this session"

/* The GIDs that clients may use, all on active ports. */
struct session_offer {
    char host[WIRE_NAME_SIZE];
    uint32_t count;
    struct near_gid gids[WIRE_GIDS_MOST];
};

/* Provided by the surrounding program. All may be called from several threads at once. */
struct session_host {
    /* What is there now. */
    void (*offer)(void *data, struct session_offer *offer);
    /* A reading of the counters, taken after since (as wait_now()) if possible; the caller gives it back. NULL
     * if there is none. */
    const struct host *(*counters)(void *data, uint64_t since);
    void (*give_back)(void *data, const struct host *reading);
    /* What a GID's port has counted on each priority so far. NULL: nobody counts. */
    void (*priorities)(void *data, const struct near_gid *gid, struct wire_priorities *priorities);
    void *data;
    uint32_t idle_ms;    /* longest silence of a client between tests */
    uint32_t test_ms;    /* longest test, and CPU time of a whole session */
    uint32_t session_ms; /* longest session */
    bool any_gid;        /* allows tests of GIDs other than the address that the client connects from */
    bool tells_all;      /* also offers GIDs other than the address that the client connects to */
};

struct session_report {
    char client[ADDRESS_TEXT_SIZE];
    char name[WIRE_NAME_SIZE]; /* what the client calls itself */
    char program[WIRE_NAME_SIZE];
    unsigned trials, failed;
    bool proven; /* its path was: it was a client, not just anybody */
    /* 0: the client said goodbye; else why the session ended: -ETIMEDOUT, -ECONNRESET, -EPROTO, -EINTR, -EDQUOT
     * (it had used up its allowance), -ENOMEM */
    int end;
};

/* hello: already received. yield: see struct watch. Does not close connection. */
void session_run(const struct session_host *host, struct connection *connection, const struct wire_hello *hello,
                 bool yield, struct session_report *report);

/* Readings of a host shared by sessions: a client that asks again and again gets the same one. */

struct readings;

/* read: called by one thread at a time; returns NULL on failure. Free with readings_free() once all readings
 * have been given back. Returns NULL if there is no memory. */
struct readings *readings_new(struct host *(*read)(void *data), void *data);
void readings_free(struct readings *readings); /* NULL is fine */

/* The last reading, or a new one if it was taken before since (ns, as wait_now()). READINGS_BURST new ones may
 * be made at once, then one per READINGS_MS, and per READINGS_SHARE times its cost. NULL: none could be
 * made. */
enum { READINGS_BURST = 16, READINGS_SHARE = 16, READINGS_MS = 250 };
const struct host *readings_take(struct readings *readings, uint64_t since);
void readings_give_back(struct readings *readings, const struct host *reading); /* NULL is fine */
/* Pure: may another one be made now, if each costs so much time? */
struct account {
    double left;
    uint64_t counted; /* the time of that balance */
};
bool readings_afford(struct account *account, uint64_t cost, uint64_t now);
