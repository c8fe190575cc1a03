/* SPDX-License-Identifier: MIT */
/* roce serve: listens, and gives every client that speaks the protocol a place and a thread. A connection
 * that says nothing, or nonsense, costs no place: it is dropped before. What one source may have is limits.h's. */
#pragma once

#include "selftest/peer/allow.h"
#include "selftest/peer/session.h"

enum { SERVER_ADDRESSES_MOST = 64, SERVER_CLIENTS_MOST = 1024 };

struct server_spec {
    struct sockaddr_storage addresses[SERVER_ADDRESSES_MOST];
    socklen_t lengths[SERVER_ADDRESSES_MOST];
    size_t naddresses;
    bool found; /* the addresses are those of the host's GIDs, whether settled yet or not */
    unsigned max_clients, per_address;
    struct allow allow; /* others are hung up on */
    bool once;          /* ends after the first session whose path was proven, or that broke off */
    struct session_host host;
    /* May it have a session now? 0; or the errno and why that it is answered with. Called from one thread at
     * a time. NULL: everybody may. */
    int (*admits)(void *data, const struct wire_hello *hello, const char **why);
    /* Called from one thread at a time, as sessions begin (ended NULL) and end. */
    void (*log)(void *data, const char *client, const struct session_report *ended);
    void *data;
};

struct server;

/* 0; -errno, and *failed is the number of the address that can't be listened on, SERVER_ADDRESSES_MOST: of none. */
int server_open(const struct server_spec *spec, struct server **server, size_t *failed);
/* Serves until wait_interrupt(), or one session with spec->once. Sessions that still run are told and ended.
 * 0, or the end of the one session. */
int server_run(struct server *server);
/* From any thread: server_run() comes to its end, and all its sessions. */
void server_stop(struct server *server);
void server_close(struct server *server);
