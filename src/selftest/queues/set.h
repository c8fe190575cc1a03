/* SPDX-License-Identifier: MIT */
/* The queue pairs of one end: one a kind, and more RC ones for bandwidth. */
#pragma once

#include "selftest/queues/queue.h"

struct set {
    struct endpoint *end;
    /* by kind, then the additional RC ones; NULL: the device has no such */
    struct queue *queues[QUEUES_MOST];
    unsigned count;
    struct failure why[QUEUE_KINDS]; /* there is none */
};

struct set_spec {
    struct endpoint_spec end;
    unsigned rc_queues; /* at least 1 */
    bool other_kinds;   /* UC, UD, SRQ as well */
    bool that_device;   /* with RDMA_CM: end.device it has to be, of those that share an address */
};

/* The caller frees *set. Fails only when not even an RC queue pair can be made. */
int set_open(const struct set_spec *spec, struct set **set, struct failure *failure);
void set_close(struct set *set); /* NULL is fine */
/* The end of making one: *out is the set, or, when r says that it went wrong, it is closed. Returns r. */
int set_hand_over(struct set *set, int r, struct set **out);

/* Number i of the RC queue pairs, and all of them as flow_begin() wants them. */
struct queue *set_rc(const struct set *set, unsigned i);
unsigned set_rcs(const struct set *set, struct queue *list[static QUEUES_MOST]);

/* Has a message come through any of them? */
bool set_used(const struct set *set);

/* What the other end has to know. */
void set_describe(const struct set *set, struct queue_description queues[static QUEUES_MOST], uint32_t *count,
                  struct buffer_description *buffer);
void set_describe_buffer(const struct set *set, struct buffer_description *buffer);
/* The other end's buffer, for all queues. Messages may be as large as fits both. */
void set_learn_buffer(struct set *set, const struct buffer_description *buffer);
/* Connects every queue pair that both ends have; those that only one has, and those of a kind other than RC
 * that can't be connected, are closed (why says it). */
int set_connect(struct set *set, const struct path *path, const struct queue_description *queues,
                uint32_t count, struct failure *failure);
