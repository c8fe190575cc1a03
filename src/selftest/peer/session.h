/* SPDX-License-Identifier: MIT */
/* The server's side of one client, from its HELLO to its BYE. Nothing of what the client says is believed
 * before wire.c has checked it, and every wait has an end. */
#pragma once

#include "selftest/peer/connection.h"

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
