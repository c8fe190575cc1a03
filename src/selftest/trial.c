#include "selftest/trial.h"

/* What each kind of queue pair can do by the specification. */
static const bool possible[QUEUE_KINDS][OPERATIONS] = {
    [QUEUE_RC] = { true, true, true, true, true, true },
    [QUEUE_UC] = { [OP_SEND] = true, [OP_WRITE] = true, [OP_WRITE_IMM] = true },
    [QUEUE_UD] = { [OP_SEND] = true },
    [QUEUE_SRQ] = { [OP_SEND] = true, [OP_WRITE_IMM] = true },
};

static const char *const names[QUEUE_KINDS][OPERATIONS] = {
    [QUEUE_RC] = { "RC send", "RC write", "RC write-imm", "RC read", "RC compare-swap", "RC fetch-add" },
    [QUEUE_UC] = { "UC send", "UC write", "UC write-imm" },
    [QUEUE_UD] = { "UD send" },
    [QUEUE_SRQ] = { "SRQ send", NULL, "SRQ write-imm" },
};

const char *trial_name(const struct trial *trial)
{
    const char *name =
        trial->queue < QUEUE_KINDS && trial->op < OPERATIONS ? names[trial->queue][trial->op] : NULL;
    return name ? name : "unknown";
}

const char *operation_name(enum operation op)
{
    static const char *const texts[OPERATIONS] = { "send", "write",        "write-imm",
                                                   "read", "compare-swap", "fetch-add" };
    return op < OPERATIONS ? texts[op] : "unknown";
}

bool trial_is_sane(const struct trial *t)
{
    if (t->kind >= TRIAL_KINDS || t->op >= OPERATIONS || t->queue >= QUEUE_KINDS ||
        t->flags & ~TRIAL_FLAGS_MASK)
        return false;
    if (!possible[t->queue][t->op] || t->timeout < TRIAL_TIMEOUT_LEAST || t->timeout > TRIAL_TIMEOUT_MOST)
        return false;
    if (t->size < 1 || t->size > TRIAL_SIZE_MOST || (operation_is_atomic(t->op) && t->size != 8))
        return false;
    if (t->count < 1 || t->count > TRIAL_COUNT_MOST || t->queues < 1 ||
        t->queues > QUEUES_MOST - QUEUE_KINDS + 1)
        return false;
    if (t->kind == TRIAL_LATENCY)
        return t->count <= TRIAL_SAMPLES_MOST && t->op != OP_WRITE_IMM && t->queues == 1;
    if (t->kind == TRIAL_BANDWIDTH)
        return t->queue == QUEUE_RC && (t->op == OP_SEND || t->op == OP_WRITE || t->op == OP_READ);
    return t->count == 1 && t->queues == 1;
}
