/* SPDX-License-Identifier: MIT */
/* Bandwidth: as many messages on their way as the queues hold. */
#include "selftest/trial/respond.h"

#include "selftest/trial/trial.h"

enum { POLL = 32 };

struct lane {
    struct queue *queue;
    struct ibv_send_wr sends[FLOW_CHAIN]; /* a chain; only the last one is signalled */
    struct ibv_sge source;
    uint32_t on_the_way; /* posted, not completed */
};

static void prepare(struct lane *lane, struct queue *q, const struct trial *t)
{
    lane->queue = q;
    bool reads = t->op == OP_READ;
    lane->source = (struct ibv_sge){ .addr = (uintptr_t)(reads ? endpoint_rx(q->end) : endpoint_tx(q->end)),
                                     .length = t->size,
                                     .lkey = q->end->mr->lkey };
    for (unsigned i = 0; i < FLOW_CHAIN; i++) {
        bool last = i + 1 == FLOW_CHAIN;
        lane->sends[i] = (struct ibv_send_wr){
            .next = last ? NULL : &lane->sends[i + 1],
            .sg_list = &lane->source,
            .num_sge = 1,
            .send_flags = last ? IBV_SEND_SIGNALED : 0,
        };
        queue_aim(q, t->op, 0, &lane->sends[i]);
    }
}

int flow_begin(struct flow *flow, struct queue *const *queues, const struct trial *t, bool starts,
               struct failure *failure)
{
    bool both = t->flags & TRIAL_BOTH_WAYS;
    *flow = (struct flow){ .trial = t,
                           .lanes = calloc(t->queues, sizeof(struct lane)),
                           .nlanes = t->queues,
                           .to_send = starts || both ? t->count : 0,
                           .to_receive = t->op == OP_SEND && (!starts || both) ? t->count : 0 };
    if (!flow->lanes)
        return failure_set(failure, STEP_POST, ENOMEM, "%s", "");
    pattern_fill(endpoint_tx(queues[0]->end), t->size, t->seed);
    for (unsigned i = 0; i < t->queues; i++) {
        prepare(&flow->lanes[i], queues[i], t);
        int r = flow->to_receive ? queue_top_up(queues[i], queues[i]->receives, failure) : 0;
        if (r < 0)
            return r;
    }
    return 0;
}

static int send_more(struct flow *flow, struct lane *lane, struct failure *failure)
{
    uint64_t left = flow->to_send - flow->posted;
    uint32_t room = lane->queue->sends - lane->on_the_way;
    uint32_t chain = left < FLOW_CHAIN ? (uint32_t)left : FLOW_CHAIN;
    if (chain == 0 || room < FLOW_CHAIN)
        return 0;
    /* wr_id says how many the signalled one stands for */
    struct ibv_send_wr *first = &lane->sends[FLOW_CHAIN - chain];
    lane->sends[FLOW_CHAIN - 1].wr_id = chain;
    int r = queue_post_send(lane->queue, first, failure);
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

int flow_step(struct flow *flow, struct failure *failure)
{
    int moved = 0;
    for (unsigned i = 0; i < flow->nlanes; i++) {
        struct lane *lane = &flow->lanes[i];
        int sent = take_sent(flow, lane, failure);
        int more = sent < 0 ? sent : send_more(flow, lane, failure);
        int received = more < 0 ? more : take_received(flow, lane, failure);
        if (received < 0)
            return received;
        moved |= sent | more | received;
    }
    return moved;
}

int flow_run(struct flow *flow, struct flow *other, const struct watch *watch, struct failure *failure)
{
    struct spin spin = { 0 };
    struct watch limit = *watch;
    bool moved = true;
    unsigned looks = 0;
    while (!flow_is_done(flow) || (other && !flow_is_done(other))) {
        int r = flow_step(flow, failure);
        int theirs = r >= 0 && other ? flow_step(other, failure) : 0;
        if (r < 0 || theirs < 0)
            return -EIO;
        if ((r || theirs) && !wait_interrupted()) {
            moved = true;
            spin_renew(&spin);
            if (watch_has_ended(&limit, &looks))
                return queue_wait_failed(flow->lanes[0].queue, -ETIMEDOUT, failure);
            continue;
        }
        r = spin_wait(&spin, &limit);
        if (r == -ETIMEDOUT && moved) {
            watch_renew(&limit, flow->trial->timeout);
            moved = false;
            continue;
        }
        /* what came in just before the other side hung up still counts; one that is only done sooner with its
         * own direction waits for ours */
        if (r == -ECONNRESET &&
            (flow_step(flow, failure) > 0 || (flow->completed < flow->to_send && !watch_hung_up(&limit))))
            continue;
        if (r < 0)
            return queue_wait_failed(flow->lanes[0].queue, r, failure);
    }
    return 0;
}

void flow_end(struct flow *flow)
{
    free(flow->lanes);
    flow->lanes = NULL;
}
