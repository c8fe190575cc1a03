/* SPDX-License-Identifier: MIT */
/* The state of a session and its steps, each the answer to a message: 0, or -errno ends the session. For
 * session*.c. */
#pragma once

#include "selftest/peer/proof.h"
#include "selftest/peer/session.h"
#include "selftest/queues/cm.h"
#include "selftest/trial/respond.h"

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
