/* SPDX-License-Identifier: MIT */
/* The server's side of one client, from its HELLO to its BYE. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "selftest/peer/gid_pair.h"
#include "selftest/peer/protocol.h"

struct host;

/* What mem_reserve() has to keep for a session to begin, and to go on: reading this host ends the program
 * where memory runs out. */
enum { SESSION_ROOM = 4 << 20 };
#define SESSION_NO_ROOM "the server has no memory for this session"

/* The GIDs that clients may use, all of active ports. */
struct session_offer {
    char host[WIRE_NAME_SIZE];
    uint32_t count;
    struct near_gid gids[WIRE_GIDS_MOST];
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
    void (*priorities)(void *data, const struct near_gid *gid, struct wire_priorities *priorities);
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
void session_run(const struct session_host *host, struct connection *connection, const struct wire_hello *hello,
                 bool yield, struct session_report *report);

/* Readings of a host that sessions share: a stranger who asks for one after the other gets the same one again.
 */

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
