/* SPDX-License-Identifier: MIT */
/* Names of operations and of kinds of queue pairs, and which can do which. */
#include "selftest/queues/operation.h"

/* clang-format off */
static const char *const operation_names[OPERATIONS] = {
    [OP_SEND] =         "send",
    [OP_WRITE] =        "write",
    [OP_WRITE_IMM] =    "write-imm",
    [OP_READ] =         "read",
    [OP_COMPARE_SWAP] = "compare-swap",
    [OP_FETCH_ADD] =    "fetch-add",
};

static const struct {
    const char *name;
    bool can[OPERATIONS]; /* by the specification */
} kinds[QUEUE_KINDS] = {
    [QUEUE_RC] =  { "RC",  { true, true, true, true, true, true } },
    [QUEUE_UC] =  { "UC",  { [OP_SEND] = true, [OP_WRITE] = true, [OP_WRITE_IMM] = true } },
    [QUEUE_UD] =  { "UD",  { [OP_SEND] = true } },
    [QUEUE_SRQ] = { "SRQ", { [OP_SEND] = true, [OP_WRITE_IMM] = true } },
};
/* clang-format on */

const char *operation_name(enum operation op)
{
    return op < OPERATIONS ? operation_names[op] : "unknown";
}

const char *queue_kind_name(enum queue_kind kind)
{
    return kind < QUEUE_KINDS ? kinds[kind].name : "unknown";
}

bool queue_kind_can(enum queue_kind kind, enum operation op)
{
    return kind < QUEUE_KINDS && op < OPERATIONS && kinds[kind].can[op];
}
