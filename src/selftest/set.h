/* The queue pairs of one end: one a kind, and more RC ones for bandwidth. */
#pragma once

#include "selftest/queue.h"
#include "selftest/wire.h"

struct set {
    struct end *end;
    struct queue
        *queues[QUEUES_MOST]; /* by kind, then the additional RC ones; NULL: the device has no such */
    unsigned count;
    struct failure why[QUEUE_KINDS]; /* there is none */
};

struct set_spec {
    struct end_spec end;
    unsigned rc_queues; /* at least 1 */
    bool other_kinds;   /* UC, UD, SRQ as well */
    uint32_t psn;
};

/* The caller frees *set. Fails only when not even an RC queue pair can be made. */
int set_open(const struct set_spec *spec, struct set **set, struct failure *failure);
void set_close(struct set *set); /* NULL is fine */

/* Number i of the RC queue pairs, and all of them as flow_begin() wants them. */
struct queue *set_rc(const struct set *set, unsigned i);
unsigned set_rcs(const struct set *set, struct queue *list[static QUEUES_MOST]);

/* Has a message come through any of them? */
bool set_used(const struct set *set);

/* What the other end has to know. */
void set_describe(const struct set *set, struct wire_queue queues[static QUEUES_MOST], uint32_t *count,
                  struct wire_keys *keys);
void set_keys(const struct set *set, struct wire_keys *keys);
/* The other end's buffer, for all queues. Messages may be as large as fits both. */
void set_learn_keys(struct set *set, const struct wire_keys *keys);
/* Connects every queue pair that both ends have; those that only one has, and those of a kind other than RC
 * that can't be connected, are closed (why says it). */
int set_connect(struct set *set, const struct path *path, const struct wire_queue *queues, uint32_t count,
                struct failure *failure);
