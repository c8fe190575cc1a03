/* SPDX-License-Identifier: MIT */
/* The steps of a session, for session.c and step_*.c, each of which has both sides of some: what the messages
 * of protocol.h make either side do. */
#pragma once

#include "selftest/peer/server.h"

/* Proving a path: only one packet goes to a GID before the client has shown that it arrived. */

/* The packet that proves a path: a datagram with a nonce, or without UD a SEND that is never repeated. Its
 * queue pair, of kind UD or RC, has an endpoint of its own. The caller closes *probe. */
int probe_open(const struct endpoint_spec *spec, enum queue_kind kind, struct queue **probe,
               struct failure *failure);
void probe_close(struct queue *probe); /* NULL is fine */
/* Connects to the other end's queue pair; the packet may arrive from now on. */
int probe_connect(struct queue *probe, const uint8_t gid[static 16], uint8_t traffic_class, uint8_t hop_limit,
                  const struct queue_description *peer, struct failure *failure);
/* Ignores what comes from elsewhere or has another length. */
int probe_receive(struct queue *probe, const struct watch *watch, uint8_t nonce[static WIRE_NONCE_SIZE],
                  struct failure *failure);

/* The server's side. */

/* PROOF_PROBES: packets that a client may request in a session, as one may get lost. */
enum { PROOF_PROBES = 4 };

struct proof {
    struct queue *probe;
    unsigned probes;
    bool sent, proven;
    struct wire_pair pair;
    uint8_t nonce[WIRE_NONCE_SIZE];
    uint32_t mtu; /* of this port, bytes; 0: not known */
};

/* Makes the queue pair and connects it to the one that the client names. *queue: ours. -EDQUOT: too many. */
int proof_begin(struct proof *proof, const struct endpoint_spec *spec, const struct wire_probe *asked,
                struct queue_description *queue, struct failure *failure);
/* For an iWARP address: no packet is sent, as the server only answers whoever connects to it by TCP. -EDQUOT:
 * too many. */
int proof_by_tcp(struct proof *proof, const struct wire_probe *asked, struct failure *failure);
/* Sends the packet. -EPROTO if it was sent already, or there is no queue pair. */
int proof_send(struct proof *proof, struct failure *failure);
/* Is this the packet's nonce? Returns 0 or -EPROTO. Either way the probe is over. */
int proof_check(struct proof *proof, const uint8_t nonce[static WIRE_NONCE_SIZE]);
/* Has the path between these two been proven? */
bool proof_holds(const struct proof *proof, const struct wire_pair *pair);
void proof_end(struct proof *proof); /* may be called twice */

void side_close_set(struct side *side); /* may be called twice */

/* -- the client's: each returns 0, or -errno with failure filled ---------------------------------------- */

/* How much longer than a step's own time the server may take. */
enum { CLIENT_SLACK_MS = 2000 };

/* Sends side.out as this question, then waits for this answer in side.in. A failure of the server becomes
 * ours. */
int client_ask(struct client *c, enum wire_type question, enum wire_type answer, struct failure *failure);
int client_ask_for(struct client *c, enum wire_type question, enum wire_type answer, uint32_t ms,
                   struct failure *failure);
/* Reports a failure of the server as our own. */
int client_told(const struct failure *theirs, struct failure *failure);
/* A new connection: HELLO, OFFER. from: our address for it; NULL for routing's choice. */
int client_greet(struct client *c, const struct sockaddr_storage *to, const struct sockaddr_storage *from,
                 struct failure *failure);
void client_part(struct client *c); /* says goodbye if it can, and hangs up */
/* Agrees on the pair of GIDs; reconnects to the server from that pair's address if another was used. */
int client_agree(struct client *c, struct failure *failure);
/* Lets the server see that its packets arrive here. */
int client_prove(struct client *c, struct failure *failure);
int client_open_set(struct client *c, struct failure *failure);
/* The pair of GIDs, as described to the server. */
struct wire_pair client_pair(const struct client *c, uint8_t traffic_class);
/* As in struct peer. */
int client_arm(struct peer *peer, const struct trial *trial, struct failure *failure);
int client_finish(struct peer *peer, const struct trial *trial, struct failure *failure);
int client_reopen(struct peer *peer, struct set **set, struct failure *failure);

/* -- the server's: each answers a message; 0, or -errno ends the session -------------------------------- */

struct session {
    struct side side;
    const struct session_host *host;
    uint64_t until; /* the whole session's end */
    const struct session_terms *terms;
    uint64_t paid; /* CPU time (ns) that the client has been charged for, or that is free */
    struct session_offer offer;
    struct sockaddr_storage peer; /* on the TCP connection */
    struct proof proof;
    unsigned opens, readings, countings;
    struct priority_counts first; /* at the first PRIORITIES */
    struct responder responder;
    const struct near_gid *gid; /* the one used, in the offer */
    uint8_t peer_gid[16];
    const struct host *before; /* counters at the first OPEN */
    uint64_t tested;           /* when the last test ended, as wait_now() */
    struct session_report *report;
    const char *unread; /* why the last message can't be read; NULL: it can */
};

/* CPU time that this thread has used, in ns. */
uint64_t session_used(void);
/* How long something may take, never beyond the session's end. */
struct watch session_limit(const struct session *s, uint32_t ms);
/* Sends s->side.out as a message of this type. */
int session_say(struct session *s, enum wire_type type);
int session_say_failure(struct session *s, const struct failure *failure);
/* The next message, which must have this type (0: any); watch: NULL for the silence that clients are allowed.
 * What can't be read is -EPROTO. */
int session_hear(struct session *s, enum wire_type type, const struct watch *watch);

/* Tells the client which GIDs there are; until a path is proven, only those it knows already. */
int session_offer(struct session *s);
int session_on_probe(struct session *s);
int session_on_ready(struct session *s);
int session_on_nonce(struct session *s);
int session_on_open(struct session *s); /* OPEN and PATHS */
int session_on_trial(struct session *s);
int session_on_exchange(struct session *s);
int session_on_counters(struct session *s);
int session_on_priorities(struct session *s);
