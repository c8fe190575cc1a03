/* SPDX-License-Identifier: MIT */
/* One message of each operation, every byte of it compared. */
#include "selftest/trial/respond.h"

#include <endian.h>

#include "selftest/trial/trial.h"

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

/* The scatter/gather list of a message at base; returns its length. */
static int make_list(const struct queue *q, uint8_t *base, const struct trial *t, bool pieces,
                     struct ibv_sge list[static QUEUE_PIECES])
{
    uint32_t lkey = q->end->mr->lkey;
    if (!pieces) {
        list[0] = (struct ibv_sge){ .addr = (uintptr_t)base, .length = t->size, .lkey = lkey };
        return 1;
    }
    uint32_t part = t->size / QUEUE_PIECES, done = 0;
    for (uint32_t i = 0; i < QUEUE_PIECES; i++) {
        uint32_t len = i + 1 < QUEUE_PIECES ? part : t->size - done;
        list[i] = (struct ibv_sge){ .addr = (uintptr_t)(base + done + i * GAP), .length = len, .lkey = lkey };
        done += len;
    }
    return QUEUE_PIECES;
}

static void copy_pieces(const struct ibv_sge *list, int count, uint8_t *message, bool out)
{
    for (int i = 0; i < count; message += list[i++].length) {
        void *place = (void *)(uintptr_t)list[i].addr;
        memcpy(out ? place : message, out ? (void *)message : place, list[i].length);
    }
}

int verify_pattern(const void *data, const struct trial *t, struct failure *failure)
{
    struct pattern_difference difference;
    if (pattern_compare(data, t->size, t->seed, &difference))
        return 0;
    char text[PATTERN_TEXT_SIZE];
    pattern_explain(&difference, text);
    return failure_set(failure, STEP_DATA, EBADMSG, "%s", text);
}

/* The message whose pieces lie from base on: made there, or else compared. */
static int treat_pieces(const struct queue *q, uint8_t *base, const struct trial *t, bool make,
                        struct failure *failure)
{
    struct ibv_sge list[QUEUE_PIECES];
    int count = make_list(q, base, t, true, list);
    uint8_t *message = malloc(t->size);
    if (!message)
        return failure_set(failure, STEP_DATA, ENOMEM, "%u bytes", t->size);
    if (make)
        pattern_fill(message, t->size, t->seed);
    copy_pieces(list, count, message, make);
    int r = make ? 0 : verify_pattern(message, t, failure);
    free(message);
    return r;
}

static int fill(const struct queue *q, uint8_t *base, const struct trial *t, bool pieces,
                struct failure *failure)
{
    if (pieces)
        return treat_pieces(q, base, t, true, failure);
    pattern_fill(base, t->size, t->seed);
    return 0;
}

static void blank(uint8_t *base, const struct trial *t)
{
    memset(base - GUARD, PATTERN_BLANK, t->size + 2 * GUARD + (QUEUE_PIECES - 1) * GAP);
}

/* header: what stands before the message isn't blank. */
static int compare(const struct queue *q, uint8_t *base, const struct trial *t, bool pieces, bool header,
                   struct failure *failure)
{
    int r = pieces ? treat_pieces(q, base, t, false, failure) : verify_pattern(base, t, failure);
    if (r < 0)
        return r;
    size_t span = t->size + (pieces ? (QUEUE_PIECES - 1) * GAP : 0);
    if ((!header && !pattern_is_blank(base - GUARD, GUARD)) || !pattern_is_blank(base + span, GUARD))
        return failure_set(failure, STEP_DATA, EBADMSG, "bytes next to the message were written");
    return 0;
}

/* The word that atomics work on: its low half is about to overflow. */
static uint64_t atomic_start(const struct trial *t)
{
    return (uint64_t)t->seed << 32 | 0xfffffff0u;
}
#define ATOMIC_SWAP(t) ((uint64_t)(t)->seed * 0x100000001u)
enum { ATOMIC_ADD = 0x31 };

int verify_arm(struct queue *q, const struct trial *t, struct failure *failure)
{
    uint8_t *target = target_of(q->end, t);
    blank(target, t);
    if (operation_is_atomic(t->op)) {
        uint64_t start = atomic_start(t);
        memcpy(target, &start, sizeof(start));
        return 0;
    }
    if (t->op == OP_READ)
        return fill(q, source_of(q->end, t), t, false, failure);
    if (t->op == OP_WRITE)
        return 0;
    if (q->posted) /* receives of a measurement would take the message */
        return failure_set(failure, STEP_POST, EBUSY, "tests come before measurements");
    struct ibv_sge list[QUEUE_PIECES] = { 0 };
    struct ibv_recv_wr wr = { .wr_id = t->seed, .sg_list = list };
    if (t->op == OP_SEND)
        wr.num_sge = make_list(q, target, t, in_pieces(t) && q->kind != QUEUE_UD, list);
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

static int post_and_wait(struct queue *q, const struct trial *t, struct ibv_send_wr *wr,
                         const struct watch *watch, struct failure *failure)
{
    struct ibv_wc wc;
    int r = queue_post_send(q, wr, failure);
    if (r == 0)
        r = queue_wait(q, q->send_cq, t->flags & TRIAL_EVENTS, watch, &wc, failure);
    return r;
}

/* One atomic request, and what it must have found. */
static int atomic_once(struct queue *q, const struct trial *t, uint64_t compare_add, uint64_t swap,
                       uint64_t found, const struct watch *watch, struct failure *failure)
{
    struct ibv_sge list[QUEUE_PIECES];
    struct ibv_send_wr wr;
    make_request(q, t, list, &wr);
    wr.wr.atomic.compare_add = compare_add;
    wr.wr.atomic.swap = swap;
    blank(target_of(q->end, t), t);
    int r = post_and_wait(q, t, &wr, watch, failure);
    if (r < 0)
        return r;
    uint64_t got;
    memcpy(&got, target_of(q->end, t), sizeof(got));
    if (got != found)
        return failure_set(failure, STEP_DATA, EBADMSG, "the word was 0x%016lx instead of 0x%016lx",
                           (unsigned long)got, (unsigned long)found);
    return 0;
}

static int act_atomic(struct queue *q, const struct trial *t, const struct watch *watch,
                      struct failure *failure)
{
    uint64_t start = atomic_start(t);
    bool add = t->op == OP_FETCH_ADD;
    /* first one that must change nothing (a wrong comparison) or the first of two additions */
    int r = add ? atomic_once(q, t, ATOMIC_ADD, 0, start, watch, failure)
                : atomic_once(q, t, start + 1, 0, start, watch, failure);
    if (r < 0)
        return r;
    return add ? atomic_once(q, t, ATOMIC_ADD, 0, start + ATOMIC_ADD, watch, failure)
               : atomic_once(q, t, start, ATOMIC_SWAP(t), start, watch, failure);
}

int verify_act(struct queue *q, const struct trial *t, const struct watch *watch, struct failure *failure)
{
    if (operation_is_atomic(t->op))
        return act_atomic(q, t, watch, failure);
    int r = 0;
    if (t->op == OP_READ)
        blank(target_of(q->end, t), t);
    else
        r = fill(q, source_of(q->end, t), t, in_pieces(t), failure);
    if (r < 0)
        return r;
    struct ibv_sge list[QUEUE_PIECES];
    struct ibv_send_wr wr;
    make_request(q, t, list, &wr);
    r = post_and_wait(q, t, &wr, watch, failure);
    if (r == 0 && t->op == OP_READ)
        r = compare(q, target_of(q->end, t), t, in_pieces(t), false, failure);
    return r;
}

/* The trial's message. Anybody may send a datagram: another queue pair's is as good as none. */
static int receive_message(struct queue *q, const struct trial *t, const struct watch *watch, struct ibv_wc *wc,
                           struct failure *failure)
{
    int r = queue_wait(q, q->recv_cq, t->flags & TRIAL_EVENTS, watch, wc, failure);
    while (r == 0 && q->kind == QUEUE_UD && wc->src_qp != q->remote_qpn) {
        r = watch_check(watch); /* a flood of them must not keep us */
        if (r < 0)
            return queue_wait_failed(q, r, failure);
        r = verify_arm(q, t, failure);
        if (r == 0)
            r = queue_wait(q, q->recv_cq, t->flags & TRIAL_EVENTS, watch, wc, failure);
    }
    return r;
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
        if (!grh_check(target - GRH_SIZE, peer_gid, q->end->gid.raw, text, sizeof(text)))
            return failure_set(failure, STEP_GRH, EBADMSG, "%s", text);
    }
    return compare(q, target, t, in_pieces(t) && !datagram && t->op == OP_SEND, datagram, failure);
}

/* Is what is there right, and the rest still blank? So packets of it were lost, and nothing worse. */
static bool has_only_gaps(const uint8_t *target, const struct trial *t)
{
    uint8_t *wanted = malloc(t->size);
    bool gaps = wanted != NULL;
    if (!wanted)
        return false;
    pattern_fill(wanted, t->size, t->seed);
    for (uint32_t i = 0; gaps && i < t->size; i++)
        gaps = target[i] == wanted[i] || target[i] == PATTERN_BLANK;
    free(wanted);
    return gaps;
}

/* Has the end of the message come? Nothing of it comes after that. */
static bool has_end(const uint8_t *target, const struct trial *t)
{
    size_t tail = t->size < 8 ? t->size : 8;
    return !pattern_is_blank(target + t->size - tail, tail);
}

/* A write tells nobody that it has arrived: wait until the last bytes change, then a little longer. */
static int judge_write(struct queue *q, const struct trial *t, const struct watch *watch,
                       struct failure *failure)
{
    uint8_t *target = target_of(q->end, t);
    bool loses = queue_is_unreliable(q->kind), waits = loses;
    struct spin spin = { 0 };
    struct watch grace = watch_for(GRACE_MS, -1);
    for (;;) {
        int r = compare(q, target, t, false, false, failure);
        if (r == 0) {
            q->used = true;
            return 0;
        }
        if (waits && has_end(target, t)) {
            waits = false;
            grace = watch_for(GRACE_MS, -1);
        }
        for (int i = 0; i < 65536 && !(waits && spin.nap && has_end(target, t)); i++) {
            int over = spin_wait(&spin, waits ? watch : &grace);
            if (over == -ETIMEDOUT && (loses ? has_only_gaps(target, t) : pattern_is_blank(target, t->size)))
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
    uint64_t got, want = t->op == OP_FETCH_ADD ? atomic_start(t) + 2 * ATOMIC_ADD : ATOMIC_SWAP(t);
    memcpy(&got, target_of(q->end, t), sizeof(got));
    if (got != want)
        return failure_set(failure, STEP_DATA, EBADMSG, "the word is 0x%016lx instead of 0x%016lx",
                           (unsigned long)got, (unsigned long)want);
    return 0;
}
