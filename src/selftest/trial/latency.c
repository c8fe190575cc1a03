/* SPDX-License-Identifier: MIT */
/* Latency: messages back and forth, one at a time. */
#include "selftest/trial/respond.h"

#include "selftest/trial/trial.h"

bool queue_is_from_peer(const struct queue *q, const struct ibv_wc *wc, const uint8_t *header, uint32_t size)
{
    char text[FAILURE_TEXT_SIZE];
    return q->kind != QUEUE_UD ||
           (wc->src_qp == q->remote_qpn && wc->byte_len == size + GRH_SIZE && wc->wc_flags & IBV_WC_GRH &&
            grh_check(header, q->remote_gid, q->end->gid.raw, text, sizeof(text)));
}

/* RENEW_EVERY: a limit holds for so many rounds, not for all of them. */
enum { RECEIVES = 64, SIGNAL_EVERY = 32, RENEW_EVERY = 16, SPINS_MASK = 0xfff };

/* A request that is posted as it is, every time. */
struct ball {
    struct ibv_send_wr wr;
    struct ibv_sge source;
    uint32_t thrown;        /* requests so far */
    bool owed;              /* a signalled one hasn't completed yet */
    volatile uint8_t *seen; /* WRITE: where the other's last byte appears */
    uint8_t *last;          /* WRITE: our last byte */
};

bool latency_is_round(const struct trial *t)
{
    return t->op == OP_SEND || t->op == OP_WRITE;
}

static void prepare_request(struct queue *q, const struct trial *t, struct ball *b)
{
    bool round = latency_is_round(t);
    b->source = (struct ibv_sge){ .addr = (uintptr_t)(round ? endpoint_tx(q->end) : endpoint_rx(q->end)),
                                  .length = t->size,
                                  .lkey = q->end->mr->lkey };
    b->wr = (struct ibv_send_wr){ .sg_list = &b->source, .num_sge = 1 };
    if (round && t->size <= q->inline_size)
        b->wr.send_flags = IBV_SEND_INLINE;
    if (!round)
        b->wr.send_flags = IBV_SEND_SIGNALED;
    queue_aim(q, t->op, 0, &b->wr);
    if (operation_is_atomic(t->op))
        b->wr.wr.atomic.compare_add = 1;
}

int latency_begin(struct queue *q, const struct trial *t, struct ball **out, struct failure *failure)
{
    struct ball *b = calloc(1, sizeof(*b));
    if (!b)
        return failure_set(failure, STEP_POST, ENOMEM, "%s", "");
    prepare_request(q, t, b);
    pattern_fill(endpoint_tx(q->end), t->size, t->seed);
    b->seen = endpoint_rx(q->end) + t->size - 1;
    b->last = endpoint_tx(q->end) + t->size - 1;
    *b->seen = 0;
    if (t->op == OP_SEND) {
        int r = queue_top_up(q, 2 * RECEIVES, failure);
        if (r < 0) {
            free(b);
            return r;
        }
    }
    *out = b;
    return 0;
}

/* 1: the other side's message of this round is here. */
static inline int catch_ball(struct queue *q, const struct trial *t, struct ball *b, uint64_t round,
                             struct failure *failure)
{
    if (t->op == OP_WRITE)
        return *b->seen == (uint8_t)(round % 255 + 1);
    struct ibv_wc wc;
    int n = queue_poll(q, q->recv_cq, &wc, 1, failure);
    if (n <= 0)
        return n;
    bool ours = queue_is_from_peer(q, &wc, endpoint_rx(q->end) - GRH_SIZE, t->size);
    if (--q->posted > RECEIVES)
        return ours;
    n = queue_top_up(q, 2 * RECEIVES, failure);
    return n < 0 ? n : ours;
}

/* The completion of the last signalled request, which is as good as always there already. */
static int settle(struct queue *q, struct ball *b, const struct watch *watch, struct failure *failure)
{
    struct ibv_wc wc;
    if (!b->owed)
        return 0;
    b->owed = false;
    return queue_wait(q, q->send_cq, false, watch, &wc, failure);
}

static inline int throw_ball(struct queue *q, const struct trial *t, struct ball *b, uint64_t round,
                             const struct watch *watch, struct failure *failure)
{
    bool signal = b->thrown++ % SIGNAL_EVERY == SIGNAL_EVERY - 1;
    if (signal) {
        int r = settle(q, b, watch, failure);
        if (r < 0)
            return r;
        b->owed = true;
    }
    if (t->op == OP_WRITE)
        *b->last = (uint8_t)(round % 255 + 1);
    b->wr.send_flags = signal ? b->wr.send_flags | IBV_SEND_SIGNALED
                              : b->wr.send_flags & ~(unsigned)IBV_SEND_SIGNALED;
    return queue_post_send(q, &b->wr, failure);
}

/* The other side is silent: perhaps because our own request failed. r: how waiting went. */
static int look_for_error(struct queue *q, struct ball *b, int r, struct failure *failure)
{
    struct ibv_wc wc;
    int n;
    while ((n = queue_poll(q, q->send_cq, &wc, 1, failure)) > 0) /* a good one may stand before the bad one */
        b->owed = false;
    if (n < 0)
        return n;
    return r < 0 ? queue_wait_failed(q, r, failure) : 0;
}

static int bounce(struct queue *q, const struct trial *t, struct ball *b, struct answer *other, uint64_t round,
                  const struct watch *watch, struct failure *failure)
{
    int r = throw_ball(q, t, b, round, watch, failure);
    struct spin spin = { 0 };
    while (r == 0) {
        if (other && answer_step(other, failure) < 0)
            return -EIO;
        r = catch_ball(q, t, b, round, failure);
        if (r > 0)
            q->used = true;
        if (r != 0)
            return r < 0 ? r : 0;
        r = spin_wait(&spin, watch);
        if (r < 0 || (spin.count & SPINS_MASK) == 0)
            r = look_for_error(q, b, r, failure);
    }
    return r;
}

static int request(struct queue *q, struct ball *b, const struct watch *watch, struct failure *failure)
{
    struct ibv_wc wc;
    int r = queue_post_send(q, &b->wr, failure);
    return r < 0 ? r : queue_wait(q, q->send_cq, false, watch, &wc, failure);
}

int latency_run(struct queue *q, const struct trial *t, struct ball *b, struct answer *other,
                const struct watch *watch, uint64_t *samples, struct failure *failure)
{
    bool rounds = latency_is_round(t);
    struct watch limit = *watch;
    int r = 0;
    for (uint64_t i = 0; r == 0 && i < (uint64_t)t->count + LATENCY_WARMUP; i++) {
        if (i % RENEW_EVERY == 0)
            watch_renew(&limit, t->timeout);
        if (wait_interrupted()) { /* rounds as quick as these never look at their limit */
            r = queue_wait_failed(q, -EINTR, failure);
            break;
        }
        uint64_t start = ticks_now();
        r = rounds ? bounce(q, t, b, other, i, &limit, failure) : request(q, b, &limit, failure);
        if (i >= LATENCY_WARMUP)
            samples[i - LATENCY_WARMUP] = ticks_now() - start;
    }
    if (r == 0 && rounds)
        r = settle(q, b, &limit, failure);
    free(b);
    return r;
}

int answer_begin(struct answer *a, struct queue *q, const struct trial *t, struct failure *failure)
{
    *a = (struct answer){ .queue = q, .trial = t, .patience = watch_for(t->timeout, -1) };
    if (!latency_is_round(t)) {
        pattern_fill(endpoint_tx(q->end), t->size, t->seed);
        return 0;
    }
    a->wanted = (uint64_t)t->count + LATENCY_WARMUP;
    return latency_begin(q, t, &a->ball, failure);
}

int answer_step(struct answer *a, struct failure *failure)
{
    if (a->rounds == a->wanted)
        return 0;
    int r = catch_ball(a->queue, a->trial, a->ball, a->rounds, failure);
    if (r <= 0)
        return r;
    a->queue->used = true;
    r = throw_ball(a->queue, a->trial, a->ball, a->rounds, &a->patience, failure);
    a->rounds++;
    return r < 0 ? r : 1;
}

int answer_serve(struct answer *a, const struct watch *watch, struct failure *failure)
{
    struct spin spin = { 0 };
    struct watch limit = *watch;
    a->patience = *watch;
    a->patience.fd = -1;
    unsigned looks = 0;
    while (a->rounds < a->wanted) {
        int r = answer_step(a, failure);
        if (r > 0 && watch_has_ended(&limit, &looks))
            r = -ETIMEDOUT;
        if (r > 0)
            spin_renew(&spin);
        if (r > 0 && a->rounds % RENEW_EVERY == 0) {
            watch_renew(&limit, a->trial->timeout);
            a->patience.until = limit.until;
        }
        if (r == 0)
            r = spin_wait(&spin, &limit);
        if (r == -ETIMEDOUT || r == -EINTR || r == -ECONNRESET)
            return queue_wait_failed(a->queue, r, failure);
        if (r < 0)
            return r;
    }
    return a->ball ? settle(a->queue, a->ball, &limit, failure) : 0;
}

void answer_end(struct answer *a)
{
    free(a->ball);
    a->ball = NULL;
}
