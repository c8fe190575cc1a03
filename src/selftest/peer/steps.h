/* SPDX-License-Identifier: MIT */
/* The steps of a session, for session.c and step_*.c, each of which has both sides of some. What protocol.h
 * calls messages stands beside what each side does about them. */
#pragma once

#include "selftest/peer/client.h"
#include "selftest/peer/path_proof.h"
#include "selftest/peer/session.h"
#include "selftest/trial/respond.h"

void side_close_set(struct side *side); /* fine twice */

/* -- the client's: each returns 0, or -errno with failure filled ---------------------------------------- */

/* What the server may take longer than a step's own time. */
enum { CLIENT_SLACK_MS = 2000 };

/* Sends side.out as this question, then waits for this answer, side.in. The server's own failure is ours. */
int client_ask(struct client *c, enum wire_type question, enum wire_type answer, struct failure *failure);
int client_ask_for(struct client *c, enum wire_type question, enum wire_type answer, uint32_t ms,
                   struct failure *failure);
/* What the server says has failed, as our own failure. */
int client_told(const struct failure *theirs, struct failure *failure);
/* Of a question's result r: -EOPNOTSUPP, and a failure that says so, where an older server took the question
 * for nonsense. what: it can't. */
int client_refused(int r, struct failure *failure, const char *what);
/* A new connection: HELLO, OFFER. from: its own address; NULL: what routing chooses. */
int client_greet(struct client *c, const struct sockaddr_storage *to, const struct sockaddr_storage *from,
                 socklen_t len, struct failure *failure);
void client_part(struct client *c); /* says goodbye where it can, and hangs up */
/* The pair of GIDs, from whose address the server is called again where that wasn't so. */
int client_agree(struct client *c, struct failure *failure);
/* Lets the server see that what it sends comes here. */
int client_prove(struct client *c, struct failure *failure);
int client_open_set(struct client *c, struct failure *failure);
/* As struct peer has them. */
int client_arm(struct peer *peer, const struct trial *trial, struct failure *failure);
int client_finish(struct peer *peer, const struct trial *trial, struct failure *failure);
int client_reopen(struct peer *peer, struct set **set, struct failure *failure);

/* -- the server's: each answers a message; 0, or -errno ends the session -------------------------------- */

struct session {
    struct side side;
    const struct session_host *host;
    uint64_t until; /* the whole session's end */
    bool yield;
    struct session_offer offer;
    struct sockaddr_storage peer; /* of the TCP connection */
    struct proof proof;
    unsigned opens, readings, countings;
    struct priority_counts first; /* at the first PRIORITIES */
    struct responder responder;
    const struct near_gid *gid; /* of the offer, that is used */
    uint8_t peer_gid[16];
    const struct host *before; /* counters at the first OPEN */
    uint64_t tested;           /* when the last test ended, as wait_now() */
    struct session_report *report;
};

/* How long something may take, never beyond the session's end. */
struct watch session_limit(const struct session *s, uint32_t ms);
/* s->side.out, as a message of this type. */
int session_say(struct session *s, enum wire_type type);
int session_say_failure(struct session *s, const struct failure *failure);
/* The next message, which has to be of this type; watch: NULL: as long as the client may be silent. */
int session_hear(struct session *s, enum wire_type type, const struct watch *watch);
void session_close_set(struct session *s); /* fine twice */

/* Tells the client which GIDs there are; before a path is proven no more than it knows already. */
int session_offer(struct session *s);
int session_on_probe(struct session *s);
int session_on_ready(struct session *s);
int session_on_nonce(struct session *s);
int session_on_open(struct session *s);
int session_on_trial(struct session *s);
int session_on_paths(struct session *s);
int session_on_exchange(struct session *s);
int session_on_counters(struct session *s);
int session_on_priorities(struct session *s);
