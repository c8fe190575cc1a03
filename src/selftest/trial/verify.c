/* SPDX-License-Identifier: MIT */
/* One message of each operation, every byte of it compared. */
#include "selftest/trial/respond.h"

#include <endian.h>

/* GUARD: bytes on both sides of a message that must stay as they are. GAP: between pieces. */
enum { GUARD = 64, GAP = 64, ODD_SOURCE = 13, ODD_TARGET = 29, GRACE_MS = 200 };

/* Only sends are scattered on the receiving side: RDMA writes and reads name one address. */
static bool in_pieces(const struct trial *t)
{
    return (t->flags & TRIAL_PIECES) && t->size >= QUEUE_PIECES;
}

static uint8_t *source_of(const struct endpoint *end, const struct trial *t)
{
    return endpoint_tx(end) + (t->flags & TRIAL_UNALIGNED ? ODD_SOURCE : 0);
}

static uint8_t *target_of(const struct endpoint *end, const struct trial *t)
{
    return endpoint_rx(end) + (t->flags & TRIAL_UNALIGNED ? ODD_TARGET : 0);
}

/* Where piece i begins in the message; the one after the last: where the message ends. */
static uint32_t piece_at(const struct trial *t, uint32_t i)
{
    return i < QUEUE_PIECES ? t->size / QUEUE_PIECES * i : t->size;
}

/* The scatter/gather list of a message at base; returns its length. */
static int make_list(const struct queue *q, const uint8_t *base, const struct trial *t, bool pieces,
                     struct ibv_sge list[static QUEUE_PIECES])
{
    list[0] = (struct ibv_sge){ .addr = (uintptr_t)base, .length = t->size, .lkey = q->end->mr->lkey };
    for (uint32_t i = 0; pieces && i < QUEUE_PIECES; i++)
        list[i] = (struct ibv_sge){ .addr = (uintptr_t)(base + piece_at(t, i) + i * GAP),
                                    .length = piece_at(t, i + 1) - piece_at(t, i),
                                    .lkey = q->end->mr->lkey };
    return pieces ? QUEUE_PIECES : 1;
}

/* Moves the pieces of the message at base apart, or together again. */
static void move_pieces(uint8_t *base, const struct trial *t, bool apart)
{
    for (uint32_t n = 1; n < QUEUE_PIECES; n++) {
        uint32_t i = apart ? QUEUE_PIECES - n : n; /* none is overwritten before it is moved */
        uint8_t *together = base + piece_at(t, i), *spread = together + i * GAP;
        memmove(apart ? spread : together, apart ? together : spread, piece_at(t, i + 1) - piece_at(t, i));
    }
}

static int check(const uint8_t *data, const struct trial *t, struct failure *failure)
{
    char text[PATTERN_TEXT_SIZE];
    return pattern_check(data, t->size, t->seed, text) ? 0
                                                       : failure_set(failure, STEP_DATA, EBADMSG, "%s", text);
}

int verify_pattern(const struct endpoint *end, uint8_t *data, const struct trial *t, struct failure *failure)
{
    int r = endpoint_take(end, data, t->size, failure);
    return r < 0 ? r : check(data, t, failure);
}

/* Bytes of a message in pieces, with its guards. */
static size_t span_of(const struct trial *t)
{
    return t->size + 2 * GUARD + (QUEUE_PIECES - 1) * GAP;
}

static int fill(const struct endpoint *end, const struct trial *t, bool pieces, struct failure *failure)
{
    uint8_t *base = source_of(end, t);
    pattern_fill(base, t->size, t->seed);
    if (pieces)
        move_pieces(base, t, true);
    return endpoint_give(end, base, span_of(t) - 2 * GUARD, failure);
}

/* word: to begin with; NULL: none. */
static int blank(const struct endpoint *end, const struct trial *t, const uint64_t *word,
                 struct failure *failure)
{
    uint8_t *base = target_of(end, t);
    memset(base - GUARD, PATTERN_BLANK, span_of(t));
    if (word)
        memcpy(base, word, sizeof(*word));
    return endpoint_give(end, base - GUARD, span_of(t), failure);
}

/* header: what precedes the message isn't blank. */
static int compare(const struct endpoint *end, const struct trial *t, bool pieces, bool header,
                   struct failure *failure)
{
    uint8_t *base = target_of(end, t);
    size_t span = t->size + (pieces ? (QUEUE_PIECES - 1) * GAP : 0);
    if (endpoint_take(end, base - GUARD, span_of(t), failure) < 0)
        return -EIO;
    bool guarded = (header || pattern_is_blank(base - GUARD, GUARD)) && pattern_is_blank(base + span, GUARD);
    if (pieces)
        move_pieces(base, t, false);
    int r = check(base, t, failure);
    return r < 0 || guarded
               ? r
               : failure_set(failure, STEP_DATA, EBADMSG, "bytes next to the message were written");
}

/* The word that atomics work on: its low half is about to overflow. */
static uint64_t atomic_start(const struct trial *t)
{
    return (uint64_t)t->seed << 32 | 0xfffffff0u;
}
#define ATOMIC_SWAP(t) ((uint64_t)(t)->seed * 0x100000001u)
enum { ATOMIC_ADD = 0x31 };

/* Does the word at the target have this value? tense: "was" or "is". */
static int compare_word(const struct queue *q, const struct trial *t, uint64_t want, const char *tense,
                        struct failure *failure)
{
    uint64_t got;
    if (endpoint_take(q->end, target_of(q->end, t), sizeof(got), failure) < 0)
        return -EIO;
    memcpy(&got, target_of(q->end, t), sizeof(got));
    return got == want ? 0
                       : failure_set(failure, STEP_DATA, EBADMSG, "the word %s 0x%016lx instead of 0x%016lx",
                                     tense, (unsigned long)got, (unsigned long)want);
}

int verify_arm(struct queue *q, const struct trial *t, struct failure *failure)
{
    uint64_t start = atomic_start(t);
    int r = blank(q->end, t, operation_is_atomic(t->op) ? &start : NULL, failure);
    if (r == 0 && t->op == OP_READ)
        r = fill(q->end, t, false, failure);
    if (r < 0 || (t->op != OP_SEND && t->op != OP_WRITE_IMM))
        return r;
    if (q->posted) /* receives of a measurement would take the message */
        return failure_set(failure, STEP_POST, EBUSY, "tests come before measurements");
    struct ibv_sge list[QUEUE_PIECES] = { 0 };
    struct ibv_recv_wr wr = { .wr_id = t->seed, .sg_list = list };
    if (t->op == OP_SEND)
        wr.num_sge = make_list(q, target_of(q->end, t), t, in_pieces(t) && q->kind != QUEUE_UD, list);
    if (q->kind == QUEUE_UD) {
        list[0].addr -= GRH_SIZE;
        list[0].length += GRH_SIZE;
    }
    return queue_post_recv(q, &wr, failure);
}

static void make_request(struct queue *q, const struct trial *t, struct ibv_sge *list, struct ibv_send_wr *wr)
{
    bool takes = t->op == OP_READ || operation_is_atomic(t->op);
    uint8_t *base = takes ? target_of(q->end, t) : source_of(q->end, t);
    *wr = (struct ibv_send_wr){ .wr_id = t->seed,
                                .sg_list = list,
                                .num_sge = make_list(q, base, t, in_pieces(t), list),
                                .imm_data = htobe32(t->seed),
                                .send_flags = IBV_SEND_SIGNALED |
                                              (t->flags & TRIAL_INLINE ? IBV_SEND_INLINE : 0) };
    queue_aim(q, t->op, t->flags & TRIAL_UNALIGNED ? (t->op == OP_READ ? ODD_SOURCE : ODD_TARGET) : 0, wr);
}

/* One atomic request, and a check of what it found. */
static int atomic_once(struct queue *q, const struct trial *t, uint64_t compare_add, uint64_t swap,
                       uint64_t found, const struct watch *watch, struct failure *failure)
{
    struct ibv_sge list[QUEUE_PIECES];
    struct ibv_send_wr wr;
    make_request(q, t, list, &wr);
    wr.wr.atomic.compare_add = compare_add;
    wr.wr.atomic.swap = swap;
    int r = blank(q->end, t, NULL, failure);
    if (r == 0)
        r = queue_perform(q, &wr, t->flags & TRIAL_EVENTS, watch, failure);
    return r < 0 ? r : compare_word(q, t, found, "was", failure);
}

static int act_atomic(struct queue *q, const struct trial *t, const struct watch *watch,
                      struct failure *failure)
{
    uint64_t start = atomic_start(t);
    bool add = t->op == OP_FETCH_ADD;
    /* first one that must change nothing (a wrong comparison) or the first of two additions */
    int r = atomic_once(q, t, add ? ATOMIC_ADD : start + 1, 0, start, watch, failure);
    if (r < 0)
        return r;
    return add ? atomic_once(q, t, ATOMIC_ADD, 0, start + ATOMIC_ADD, watch, failure)
               : atomic_once(q, t, start, ATOMIC_SWAP(t), start, watch, failure);
}

int verify_act(struct queue *q, const struct trial *t, const struct watch *watch, struct failure *failure)
{
    if (operation_is_atomic(t->op))
        return act_atomic(q, t, watch, failure);
    int r = t->op == OP_READ ? blank(q->end, t, NULL, failure) : fill(q->end, t, in_pieces(t), failure);
    struct ibv_sge list[QUEUE_PIECES];
    struct ibv_send_wr wr;
    make_request(q, t, list, &wr);
    if (r == 0)
        r = queue_perform(q, &wr, t->flags & TRIAL_EVENTS, watch, failure);
    return r == 0 && t->op == OP_READ ? compare(q->end, t, in_pieces(t), false, failure) : r;
}

/* The trial's message. Anybody may send a datagram: those from other queue pairs are ignored. */
static int receive_message(struct queue *q, const struct trial *t, const struct watch *watch, struct ibv_wc *wc,
                           struct failure *failure)
{
    for (;;) {
        int r = queue_wait(q, q->recv_cq, t->flags & TRIAL_EVENTS, watch, wc, failure);
        if (r < 0 || q->kind != QUEUE_UD || wc->src_qp == q->remote_qpn)
            return r;
        r = watch_check(watch); /* a flood of strays must not keep us here */
        if (r < 0)
            return queue_wait_failed(q, r, failure);
        r = verify_arm(q, t, failure);
        if (r < 0)
            return r;
    }
}

static int judge_receive(struct queue *q, const struct trial *t, const uint8_t *peer_gid,
                         const struct watch *watch, struct failure *failure)
{
    struct ibv_wc wc;
    int r = receive_message(q, t, watch, &wc, failure);
    if (r < 0)
        return r;
    uint8_t *target = target_of(q->end, t);
    bool datagram = q->kind == QUEUE_UD;
    uint32_t want = t->size + (datagram ? GRH_SIZE : 0);
    if (wc.byte_len != want && !(t->op == OP_WRITE_IMM && wc.byte_len == 0))
        return failure_set(failure, STEP_DATA, EBADMSG, "%u bytes arrived instead of %u", wc.byte_len, want);
    if (t->op == OP_WRITE_IMM && (!(wc.wc_flags & IBV_WC_WITH_IMM) || wc.imm_data != htobe32(t->seed)))
        return failure_set(failure, STEP_DATA, EBADMSG, "the immediate value is 0x%08x instead of 0x%08x",
                           be32toh(wc.imm_data), t->seed);
    if (datagram) {
        char text[FAILURE_TEXT_SIZE];
        if (!(wc.wc_flags & IBV_WC_GRH))
            return failure_set(failure, STEP_GRH, EBADMSG, "the completion says that there is none");
        if (endpoint_take(q->end, target - GRH_SIZE, GRH_SIZE, failure) < 0)
            return -EIO;
        if (!grh_check(target - GRH_SIZE, peer_gid, q->end->gid.raw, text, sizeof(text)))
            return failure_set(failure, STEP_GRH, EBADMSG, "%s", text);
    }
    return compare(q->end, t, in_pieces(t) && !datagram && t->op == OP_SEND, datagram, failure);
}

/* Has the end of the message arrived? No other part of it comes later. */
static bool has_end(const struct endpoint *end, const struct trial *t)
{
    struct failure ignored; /* the comparison fails likewise */
    size_t tail = t->size < 8 ? t->size : 8;
    uint8_t *last = target_of(end, t) + t->size - tail;
    return endpoint_take(end, last, tail, &ignored) == 0 && !pattern_is_blank(last, tail);
}

/* Nothing announces the arrival of a write: wait until the last bytes change, then a little longer. */
static int judge_write(struct queue *q, const struct trial *t, const struct watch *watch,
                       struct failure *failure)
{
    uint8_t *target = target_of(q->end, t);
    bool loses = queue_is_unreliable(q->kind), waits = loses;
    struct spin spin = { 0 };
    struct watch grace = watch_for(GRACE_MS, -1);
    for (;;) {
        int r = compare(q->end, t, false, false, failure);
        if (r == 0) {
            q->used = true;
            return 0;
        }
        if (waits && has_end(q->end, t)) {
            waits = false;
            grace = watch_for(GRACE_MS, -1);
        }
        for (int i = 0; i < 65536 && !(waits && spin.nap && has_end(q->end, t)); i++) {
            int over = spin_wait(&spin, waits ? watch : &grace);
            /* what is there is right, and the rest is still blank: packets were lost, and nothing worse */
            if (over == -ETIMEDOUT &&
                (loses ? pattern_has_only_gaps(target, t->size, t->seed) : pattern_is_blank(target, t->size)))
                return queue_wait_failed(q, over, failure);
            if (over < 0)
                return r;
        }
    }
}

int verify_judge(struct queue *q, const struct trial *t, const uint8_t *peer_gid, const struct watch *watch,
                 struct failure *failure)
{
    if (t->op == OP_READ)
        return 0;
    if (t->op == OP_WRITE)
        return judge_write(q, t, watch, failure);
    if (!operation_is_atomic(t->op))
        return judge_receive(q, t, peer_gid, watch, failure);
    uint64_t want = t->op == OP_FETCH_ADD ? atomic_start(t) + 2 * ATOMIC_ADD : ATOMIC_SWAP(t);
    return compare_word(q, t, want, "is", failure);
}
