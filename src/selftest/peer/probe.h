/* SPDX-License-Identifier: MIT */
/* One packet that proves a path: a datagram with a nonce, or where there is no UD a SEND that is never repeated. */
#pragma once

#include "selftest/peer/wire.h"
#include "selftest/queues/queue.h"

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
