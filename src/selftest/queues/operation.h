/* SPDX-License-Identifier: MIT */
/* What is done to memory, and by which kind of queue pair. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum operation { OP_SEND, OP_WRITE, OP_WRITE_IMM, OP_READ, OP_COMPARE_SWAP, OP_FETCH_ADD, OPERATIONS };

const char *operation_name(enum operation op); /* "send", "write-imm", … */
static inline bool operation_is_atomic(enum operation op)
{
    return op == OP_COMPARE_SWAP || op == OP_FETCH_ADD;
}

enum queue_kind {
    QUEUE_RC,
    QUEUE_UC,
    QUEUE_UD,
    QUEUE_SRQ, /* RC that receives from a shared receive queue */
    QUEUE_KINDS
};

const char *queue_kind_name(enum queue_kind kind); /* "RC", … */
/* What the specification lets this kind of queue pair do. */
bool queue_kind_can(enum queue_kind kind, enum operation op);
/* May messages of this kind get lost without anything being wrong with the queue pair? */
static inline bool queue_is_unreliable(enum queue_kind kind)
{
    return kind == QUEUE_UC || kind == QUEUE_UD;
}

/* What one end has to know of the other: plain data that travels between hosts. */

/* QUEUES_MOST: queue pairs of one end, one a kind and the other RC ones for bandwidth. PATHS_MOST: RC ones
 * that each take a path of their own. */
enum {
    RC_QUEUES_MOST = 16,
    QUEUES_MOST = QUEUE_KINDS - 1 + RC_QUEUES_MOST,
    PATHS_MOST = 32,
    SET_QUEUES_MOST = QUEUE_KINDS - 1 + PATHS_MOST
};

struct queue_description {
    uint8_t kind; /* enum queue_kind */
    uint32_t qpn, psn;
    uint32_t qkey; /* UD; the highest bit is never set: such keys are the kernel's */
    /* of one that there isn't (qpn 0): enum step and errno of what went wrong; 0: there can be none */
    uint32_t step, err;
};

struct buffer_description {
    uint64_t address; /* of the half that is received into */
    uint64_t source;  /* and of the one that is read from */
    uint32_t rkey;
    uint32_t size; /* of either half */
};

struct set_description {
    uint32_t count;
    struct queue_description queues[SET_QUEUES_MOST]; /* by kind, then the other RC ones */
    struct buffer_description buffer;
};
