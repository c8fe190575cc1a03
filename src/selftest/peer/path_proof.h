/* SPDX-License-Identifier: MIT */
/* Proving a path: nothing but one packet goes to a GID before the client has shown that it came there. */
#pragma once

#include "selftest/peer/protocol.h"
#include "selftest/queues/queue.h"

/* One packet that proves a path: a datagram with a nonce, or where there is no UD a SEND that is never
 * repeated. */

struct probe {
    struct endpoint *end;
    struct queue *queue;
};

/* A queue pair for it, of kind UD or RC. The caller closes *probe. */
int probe_open(const struct endpoint_spec *spec, enum queue_kind kind, struct probe **probe,
               struct failure *failure);
void probe_close(struct probe *probe); /* NULL is fine */
struct queue_description probe_describe(const struct probe *probe);
uint32_t probe_mtu(const struct probe *probe); /* of the port, now, in bytes; 0: not known */
/* To the other end's queue pair; from now on the packet can come. */
int probe_connect(struct probe *probe, const uint8_t gid[static 16], uint8_t traffic_class, uint8_t hop_limit,
                  const struct queue_description *peer, struct failure *failure);
int probe_send(struct probe *probe, const uint8_t nonce[static WIRE_NONCE_SIZE], struct failure *failure);
/* What comes from elsewhere, or is of another length, is passed over. */
int probe_receive(struct probe *probe, const struct watch *watch, uint8_t nonce[static WIRE_NONCE_SIZE],
                  struct failure *failure);

/* The server's side. */

/* PROOF_PROBES: packets that a client may ask for in a session: one may get lost. */
enum { PROOF_PROBES = 4 };

struct proof {
    struct probe *probe;
    unsigned probes;
    bool sent, proven;
    uint32_t gid;    /* index into the offer */
    uint8_t raw[16]; /* the client's */
    uint8_t nonce[WIRE_NONCE_SIZE];
    uint32_t mtu; /* of the port here */
};

/* Makes the queue pair and connects it to the one that the client asks for. *queue: ours. -EDQUOT: too many. */
int proof_begin(struct proof *proof, const struct endpoint_spec *spec, const struct wire_probe *asked,
                struct queue_description *queue, struct failure *failure);
/* iWARP's address: no packet goes anywhere, as the server only ever answers who connects to it by TCP.
 * -EDQUOT: too many. */
int proof_by_tcp(struct proof *proof, const struct wire_probe *asked, struct failure *failure);
/* The packet. -EPROTO: it was sent already, or there is no queue pair. */
int proof_send(struct proof *proof, struct failure *failure);
/* Is this what the packet said? 0 or -EPROTO. The probe is over then. */
int proof_check(struct proof *proof, const uint8_t nonce[static WIRE_NONCE_SIZE]);
/* Has the path between these two been proven? */
bool proof_holds(const struct proof *proof, uint32_t gid, const uint8_t raw[static 16]);
void proof_end(struct proof *proof); /* fine twice */
