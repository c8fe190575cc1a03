/* SPDX-License-Identifier: MIT */
/* Operations on remote memory, and the kinds of queue pair for them. */
#pragma once

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
/* May messages get lost without anything being wrong with the queue pair? */
static inline bool queue_is_unreliable(enum queue_kind kind)
{
    return kind == QUEUE_UC || kind == QUEUE_UD;
}

/* What one end must know about the other: plain data that travels between hosts. */

/* QUEUES_MOST: queue pairs of one end, one per kind plus more RC ones for bandwidth. PATHS_MOST: RC ones, each
 * on its own path. */
enum {
    RC_QUEUES_MOST = 16,
    QUEUES_MOST = QUEUE_KINDS - 1 + RC_QUEUES_MOST,
    PATHS_MOST = 32,
    SET_QUEUES_MOST = QUEUE_KINDS - 1 + PATHS_MOST
};

struct queue_description {
    uint8_t kind; /* enum queue_kind */
    uint32_t qpn, psn;
    uint32_t qkey; /* UD; never has the highest bit set: such keys are the kernel's */
    /* for one that doesn't exist (qpn 0): enum step and errno of what went wrong; 0 if it can't exist */
    uint32_t step, err;
};

struct buffer_description {
    uint64_t address; /* of the half for receiving */
    uint64_t source;  /* and of the half to read from */
    uint32_t rkey;
    uint32_t size; /* of each half */
};

struct set_description {
    uint32_t count;
    struct queue_description queues[SET_QUEUES_MOST]; /* by kind, then the other RC ones */
    struct buffer_description buffer;
};
