/* The server's side of one client, from its HELLO to its BYE. Nothing of what the client says is believed
 * before wire.c has checked it, and every wait has an end. */
#pragma once

#include "selftest/peer/connection.h"

struct host;

/* The GIDs that clients may use, and of each of them what only this end has to know. */
struct session_offer {
    struct wire_offer wire;
    char nodes[WIRE_GIDS_MOST][WIRE_NAME_SIZE]; /* of the device; "": not known */
    uint32_t ifindexes[WIRE_GIDS_MOST];         /* of the netdev */
};

/* What the program around it provides. All may be called from several threads at once. */
struct session_host {
    /* What there is now. */
    void (*offer)(void *data, struct session_offer *offer);
    /* A reading of the counters; the caller frees it with host_free(). NULL: there is none. */
    struct host *(*counters)(void *data);
    void *data;
    uint32_t idle_ms;    /* longest silence of a client between two tests */
    uint32_t session_ms; /* longest session */
};

struct session_report {
    char client[ADDRESS_TEXT_SIZE];
    char name[WIRE_NAME_SIZE]; /* what the client calls itself */
    unsigned trials, failed;
    int end; /* 0: the client said goodbye; or why it ended: -ETIMEDOUT, -ECONNRESET, -EPROTO, -EINTR */
};

/* hello: already received. yield: see struct watch. Does not close connection. */
void session_run(const struct session_host *host, struct connection *connection,
                 const struct wire_hello *hello, bool yield, struct session_report *report);
