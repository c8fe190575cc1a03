/* SPDX-License-Identifier: MIT */
/* What is done to memory, and by which kind of queue pair. */
#pragma once

#include <stdbool.h>

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
