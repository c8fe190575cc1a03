/* SPDX-License-Identifier: MIT */
/* Proving a path: only one packet goes to a GID before the client has shown that it arrived. */
#pragma once

#include "selftest/peer/protocol.h"
#include "selftest/queues/queue.h"

/* The packet that proves a path: a datagram with a nonce, or without UD a SEND that is never repeated. */

struct probe {
    struct endpoint *end;
    struct queue *queue;
};

/* Opens a queue pair for it, of kind UD or RC. The caller closes *probe. */
int probe_open(const struct endpoint_spec *spec, enum queue_kind kind, struct probe **probe,
               struct failure *failure);
void probe_close(struct probe *probe); /* NULL is fine */
struct queue_description probe_describe(const struct probe *probe);
uint32_t probe_mtu(const struct probe *probe); /* of the port, current, in bytes; 0: not known */
/* Connects to the other end's queue pair; the packet may arrive from now on. */
int probe_connect(struct probe *probe, const uint8_t gid[static 16], uint8_t traffic_class, uint8_t hop_limit,
                  const struct queue_description *peer, struct failure *failure);
int probe_send(struct probe *probe, const uint8_t nonce[static WIRE_NONCE_SIZE], struct failure *failure);
/* Ignores what comes from elsewhere or has another length. */
int probe_receive(struct probe *probe, const struct watch *watch, uint8_t nonce[static WIRE_NONCE_SIZE],
                  struct failure *failure);

/* The server's side. */

/* PROOF_PROBES: packets that a client may request in a session, as one may get lost. */
enum { PROOF_PROBES = 4 };

struct proof {
    struct probe *probe;
    unsigned probes;
    bool sent, proven;
    uint32_t gid;    /* index into the offer */
    uint8_t raw[16]; /* the client's */
    uint8_t nonce[WIRE_NONCE_SIZE];
    uint32_t mtu; /* of this port */
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
bool proof_holds(const struct proof *proof, uint32_t gid, const uint8_t raw[static 16]);
void proof_end(struct proof *proof); /* fine twice */
