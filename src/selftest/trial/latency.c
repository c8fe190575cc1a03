/* SPDX-License-Identifier: MIT */
/* Latency: messages back and forth, one at a time. */
#include "selftest/trial/respond.h"

bool queue_is_from_peer(const struct queue *q, const struct ibv_wc *wc, const uint8_t *header, uint32_t size)
{
    char text[FAILURE_TEXT_SIZE];
    return q->kind != QUEUE_UD ||
           (wc->src_qp == q->remote_qpn && wc->byte_len == size + GRH_SIZE && wc->wc_flags & IBV_WC_GRH &&
            grh_check(header, q->remote_gid, q->end->gid.raw, text, sizeof(text)));
}

/* RENEW_EVERY: the time limit is for this many rounds of messages smaller than RENEW_ALWAYS, where reading the
 * clock each time would be felt; not for all of them. */
enum { RECEIVES = 64, SIGNAL_EVERY = 32, RENEW_EVERY = 16, RENEW_ALWAYS = 4096, SPINS_MASK = 0xfff };

bool latency_renews(const struct trial *t, uint64_t round)
{
    return t->size >= RENEW_ALWAYS || round % RENEW_EVERY == 0;
}

bool latency_is_round(const struct trial *t)
{
    return t->op == OP_SEND || t->op == OP_WRITE;
}

int pingpong_begin(struct pingpong *p, struct queue *q, const struct trial *t, struct failure *failure)
{
    bool round = latency_is_round(t);
    uint8_t *ours = endpoint_tx(q->end), *theirs = endpoint_rx(q->end);
    *p = (struct pingpong){
        .queue = q,
        .trial = t,
        .source = { .addr = (uintptr_t)(round ? ours : theirs), .length = t->size, .lkey = q->end->mr->lkey },
        .request = { .sg_list = &p->source, .num_sge = 1 },
        .seen = theirs + t->size - 1,
        .last = ours + t->size - 1,
        .wanted = round ? (uint64_t)t->count + LATENCY_WARMUP : 0,
        .patience = watch_for(t->timeout, -1)
    };
    if (!round)
        p->request.send_flags = IBV_SEND_SIGNALED;
    else if (t->size <= q->inline_size)
        p->request.send_flags = IBV_SEND_INLINE;
    queue_aim(q, t->op, 0, &p->request);
    if (operation_is_atomic(t->op))
        p->request.wr.atomic.compare_add = 1;
    pattern_fill(ours, t->size, t->seed);
    *p->seen = 0;
    if (t->op == OP_WRITE && endpoint_is_remote(q->end))
        return failure_set(failure, STEP_HANDSHAKE, EOPNOTSUPP,
                           "the latency of writes shows in a byte that changes, and a GPU's can't be watched");
    if (endpoint_give(q->end, ours, t->size, failure) < 0)
        return -EIO;
    return t->op == OP_SEND ? queue_top_up(q, 2 * RECEIVES, failure) : 0;
}

/* 1: the other side's message of this round is here. */
static inline int receive_one(struct pingpong *p, uint64_t round, struct failure *failure)
{
    struct queue *q = p->queue;
    if (p->trial->op == OP_WRITE)
        return *p->seen == (uint8_t)(round % 255 + 1);
    struct ibv_wc wc;
    int n = queue_poll(q, q->recv_cq, &wc, 1, failure);
    if (n <= 0)
        return n;
    if (q->kind == QUEUE_UD && endpoint_take(q->end, endpoint_rx(q->end) - GRH_SIZE, GRH_SIZE, failure) < 0)
        return -EIO;
    bool ours = queue_is_from_peer(q, &wc, endpoint_rx(q->end) - GRH_SIZE, p->trial->size);
    if (--q->posted > RECEIVES)
        return ours;
    n = queue_top_up(q, 2 * RECEIVES, failure);
    return n < 0 ? n : ours;
}

/* Waits for the completion of the last signalled request, which has nearly always come already. */
static int settle(struct pingpong *p, const struct watch *watch, struct failure *failure)
{
    struct ibv_wc wc;
    if (!p->owed)
        return 0;
    p->owed = false;
    return queue_wait(p->queue, p->queue->send_cq, false, watch, &wc, failure);
}

static inline int send_one(struct pingpong *p, uint64_t round, const struct watch *watch,
                           struct failure *failure)
{
    bool signal = p->sent++ % SIGNAL_EVERY == SIGNAL_EVERY - 1;
    if (signal) {
        int r = settle(p, watch, failure);
        if (r < 0)
            return r;
        p->owed = true;
    }
    if (p->trial->op == OP_WRITE)
        *p->last = (uint8_t)(round % 255 + 1);
    p->request.send_flags &= ~(unsigned)IBV_SEND_SIGNALED;
    p->request.send_flags |= signal ? IBV_SEND_SIGNALED : 0;
    return queue_post_send(p->queue, &p->request, failure);
}

/* The other side is silent: perhaps because our own request failed. r: how waiting went. */
static int look_for_error(struct pingpong *p, int r, struct failure *failure)
{
    struct ibv_wc wc;
    int n;
    while ((n = queue_poll(p->queue, p->queue->send_cq, &wc, 1, failure)) > 0)
        p->owed = false; /* a good one may precede the bad one */
    if (n < 0)
        return n;
    return r < 0 ? queue_wait_failed(p->queue, r, failure) : 0;
}

static int play_round(struct pingpong *p, struct pingpong *other, uint64_t round, const struct watch *watch,
                      struct failure *failure)
{
    int r = send_one(p, round, watch, failure);
    struct spin spin = { 0 };
    while (r == 0) {
        if (other && pingpong_answer(other, failure) < 0)
            return -EIO;
        r = receive_one(p, round, failure);
        if (r > 0)
            p->queue->used = true;
        if (r != 0)
            return r < 0 ? r : 0;
        r = spin_wait(&spin, watch);
        if (r < 0 || (spin.count & SPINS_MASK) == 0)
            r = look_for_error(p, r, failure);
    }
    return r;
}

int pingpong_run(struct pingpong *p, struct pingpong *other, const struct watch *watch, uint64_t *samples,
                 struct failure *failure)
{
    bool rounds = latency_is_round(p->trial);
    struct watch limit = *watch;
    int r = 0;
    for (uint64_t i = 0; r == 0 && i < (uint64_t)p->trial->count + LATENCY_WARMUP; i++) {
        if (latency_renews(p->trial, i))
            watch_renew(&limit, p->trial->timeout);
        if (wait_interrupted()) /* rounds this quick never check their limit */
            return queue_wait_failed(p->queue, -EINTR, failure);
        uint64_t start = ticks_now();
        r = rounds ? play_round(p, other, i, &limit, failure)
                   : queue_perform(p->queue, &p->request, false, &limit, failure);
        if (i >= LATENCY_WARMUP)
            samples[i - LATENCY_WARMUP] = ticks_now() - start;
    }
    return r == 0 && rounds ? settle(p, &limit, failure) : r;
}

int pingpong_answer(struct pingpong *p, struct failure *failure)
{
    if (p->rounds == p->wanted)
        return 0;
    int r = receive_one(p, p->rounds, failure);
    if (r <= 0)
        return r;
    p->queue->used = true;
    r = send_one(p, p->rounds++, &p->patience, failure);
    return r < 0 ? r : 1;
}

int pingpong_serve(struct pingpong *p, const struct watch *watch, struct failure *failure)
{
    struct spin spin = { 0 };
    struct watch limit = *watch;
    p->patience = *watch;
    p->patience.fd = -1;
    unsigned looks = 0;
    while (p->rounds < p->wanted) {
        int r = pingpong_answer(p, failure);
        if (r > 0 && latency_renews(p->trial, p->rounds)) {
            watch_renew(&limit, p->trial->timeout);
            p->patience.until = limit.until;
        }
        if (r > 0) {
            spin_renew(&spin);
            r = watch_busy(&limit, &looks);
        } else if (r == 0) {
            r = spin_wait(&spin, &limit);
        }
        if (r == -ETIMEDOUT || r == -EINTR || r == -ECONNRESET)
            return queue_wait_failed(p->queue, r, failure);
        if (r < 0)
            return r;
    }
    return settle(p, &limit, failure);
}
