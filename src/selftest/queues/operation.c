#include "selftest/queues/operation.h"

const char *operation_name(enum operation op)
{
    static const char *const names[OPERATIONS] = {
        [OP_SEND] = "send",
        [OP_WRITE] = "write",
        [OP_WRITE_IMM] = "write-imm",
        [OP_READ] = "read",
        [OP_COMPARE_SWAP] = "compare-swap",
        [OP_FETCH_ADD] = "fetch-add",
    };
    return op < OPERATIONS ? names[op] : "unknown";
}

const char *queue_kind_name(enum queue_kind kind)
{
    static const char *const names[QUEUE_KINDS] = {
        [QUEUE_RC] = "RC", [QUEUE_UC] = "UC", [QUEUE_UD] = "UD", [QUEUE_SRQ] = "SRQ"
    };
    return kind < QUEUE_KINDS ? names[kind] : "unknown";
}

bool queue_kind_can(enum queue_kind kind, enum operation op)
{
    static const bool possible[QUEUE_KINDS][OPERATIONS] = {
        [QUEUE_RC] = { true, true, true, true, true, true },
        [QUEUE_UC] = { [OP_SEND] = true, [OP_WRITE] = true, [OP_WRITE_IMM] = true },
        [QUEUE_UD] = { [OP_SEND] = true },
        [QUEUE_SRQ] = { [OP_SEND] = true, [OP_WRITE_IMM] = true },
    };
    return kind < QUEUE_KINDS && op < OPERATIONS && possible[kind][op];
}
