/* SPDX-License-Identifier: MIT */
/* Bandwidth: as many messages in flight as the queue pairs hold. */
#include "selftest/trial/respond.h"

enum { POLL = 32 };

/* A chain of requests; only the last one is signalled. */
static void prepare(struct flow *flow, const struct queue *q)
{
    const struct trial *t = flow->trial;
    const uint8_t *data = t->op == OP_READ ? endpoint_rx(q->end) : endpoint_tx(q->end);
    flow->source = (struct ibv_sge){ .addr = (uintptr_t)data, .length = t->size, .lkey = q->end->mr->lkey };
    for (unsigned i = 0; i < FLOW_CHAIN; i++) {
        bool last = i + 1 == FLOW_CHAIN;
        flow->sends[i] = (struct ibv_send_wr){ .next = last ? NULL : &flow->sends[i + 1],
                                               .sg_list = &flow->source,
                                               .num_sge = 1,
                                               .send_flags = last ? IBV_SEND_SIGNALED : 0 };
        queue_aim(q, t->op, 0, &flow->sends[i]);
    }
}

uint32_t flow_chain(uint32_t asked, uint32_t size)
{
    uint32_t most = (uint32_t)VERIFY_SIZE_MOST * FLOW_CHAIN_USUAL / size;
    asked = asked ? asked : FLOW_CHAIN_USUAL;
    return asked < most ? asked : most ? most : 1;
}

void flow_shape(struct flow *flow, const struct test_options *options)
{
    const struct trial *t = flow->trial;
    bool within = t->op != OP_READ && options->inlined.known && t->size <= options->inlined.value &&
                  t->size <= flow->lanes[0].queue->inline_size;
    flow->chain = flow_chain(options->post_list, t->size);
    flow->pace = options->rate > 0 ? t->size * 8 / options->rate : 0;
    flow->began = wait_now();
    for (unsigned i = 0; within && i < FLOW_CHAIN; i++)
        flow->sends[i].send_flags |= IBV_SEND_INLINE;
}

int flow_begin(struct flow *flow, const struct set *set, unsigned first, const struct trial *t, bool starts,
               struct failure *failure)
{
    bool both = t->flags & TRIAL_BOTH_WAYS;
    *flow = (struct flow){ .trial = t,
                           .chain = flow_chain(FLOW_CHAIN_USUAL, t->size),
                           .to_send = starts || both ? t->count : 0,
                           .to_receive = t->op == OP_SEND && (!starts || both) ? t->count : 0 };
    pattern_fill(endpoint_tx(set->end), t->size, t->seed);
    prepare(flow, set_rc(set, first));
    int r = endpoint_give(set->end, endpoint_tx(set->end), t->size, failure);
    for (unsigned i = 0; r == 0 && i < t->queues; i++) {
        struct queue *q = set_rc(set, first + i);
        flow->lanes[i] = (struct lane){ .queue = q, .allowed = starts ? QUEUE_DEPTH : 1 };
        if (flow->to_receive)
            r = queue_top_up(q, q->receives, failure);
    }
    return r;
}

static int send_more(struct flow *flow, struct lane *lane, struct failure *failure)
{
    uint64_t left = flow->to_send - flow->posted;
    uint64_t most = lane->allowed < lane->queue->sends ? lane->allowed : lane->queue->sends;
    uint64_t whole = left < flow->chain ? left : flow->chain;
    uint32_t chain = (uint32_t)(whole < most ? whole : most);
    if (chain == 0 || most - lane->on_the_way < chain)
        return 0;
    if (flow->pace > 0 && (double)flow->posted * flow->pace > (double)(wait_now() - flow->began))
        return 0;
    /* wr_id: how many requests the signalled one stands for */
    flow->sends[FLOW_CHAIN - 1].wr_id = chain;
    int r = queue_post_send(lane->queue, &flow->sends[FLOW_CHAIN - chain], failure);
    if (r < 0)
        return r;
    flow->posted += chain;
    lane->on_the_way += chain;
    return 1;
}

static int take_sent(struct flow *flow, struct lane *lane, struct failure *failure)
{
    struct ibv_wc wc[POLL];
    if (lane->on_the_way == 0)
        return 0;
    int n = queue_poll(lane->queue, lane->queue->send_cq, wc, POLL, failure);
    for (int i = 0; i < n; i++) {
        flow->completed += wc[i].wr_id;
        lane->on_the_way -= (uint32_t)wc[i].wr_id;
        lane->allowed += wc[i].wr_id;
    }
    return n;
}

static int take_received(struct flow *flow, struct lane *lane, struct failure *failure)
{
    struct ibv_wc wc[POLL];
    if (flow->received == flow->to_receive)
        return 0;
    int n = queue_poll(lane->queue, lane->queue->recv_cq, wc, POLL, failure);
    if (n <= 0)
        return n;
    flow->received += (uint64_t)n;
    lane->queue->posted -= (uint32_t)n;
    int r = queue_top_up(lane->queue, lane->queue->receives, failure);
    return r < 0 ? r : n;
}

/* Posts what there is room for, and takes what has completed. >0: something moved; -EIO with failure filled. */
static int flow_step(struct flow *flow, struct failure *failure)
{
    int moved = 0;
    for (unsigned i = 0; i < flow->trial->queues; i++) {
        struct lane *lane = &flow->lanes[i];
        int sent = take_sent(flow, lane, failure);
        int more = sent < 0 ? sent : send_more(flow, lane, failure);
        int received = more < 0 ? more : take_received(flow, lane, failure);
        if (received < 0)
            return -EIO;
        moved |= sent | more | received;
    }
    return moved;
}

static bool is_done(const struct flow *flow)
{
    return flow->completed == flow->to_send && flow->received == flow->to_receive;
}

int flow_run(struct flow *flow, struct flow *other, const struct watch *watch, struct failure *failure)
{
    struct spin spin = { 0 };
    struct watch limit = *watch;
    bool moved = true;
    unsigned looks = 0;
    while (!is_done(flow) || (other && !is_done(other))) {
        int r = flow_step(flow, failure);
        int theirs = r >= 0 && other ? flow_step(other, failure) : 0;
        if (r < 0 || theirs < 0)
            return -EIO;
        if (r || theirs) {
            moved = true;
            spin_renew(&spin);
            r = watch_busy(&limit, &looks);
            if (r < 0)
                return queue_wait_failed(flow->lanes[0].queue, r, failure);
            continue;
        }
        r = spin_wait(&spin, &limit);
        if (r == -ETIMEDOUT && moved) {
            watch_renew(&limit, flow->trial->timeout);
            moved = false;
            continue;
        }
        /* What came in just before the other side hung up still counts. If it has merely finished its own
         * direction first, it waits for ours. */
        if (r == -ECONNRESET &&
            (flow_step(flow, failure) > 0 || (flow->completed < flow->to_send && !watch_hung_up(&limit))))
            continue;
        if (r < 0)
            return queue_wait_failed(flow->lanes[0].queue, r, failure);
    }
    return 0;
}
