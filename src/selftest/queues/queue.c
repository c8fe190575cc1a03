/* SPDX-License-Identifier: MIT */
/* A queue pair with its completion queues: made, polled and posted to, and the time stamps of its receives. */
#include "selftest/queues/queue.h"

#include <rdma/rdma_cma.h>

#include "base/hash.h"
#include "tables.h"

static const char *const operation_names[OPERATIONS] = { OPERATION_WORDS };

static const struct {
    const char *name;
    bool can[OPERATIONS]; /* by the specification */
} kinds[QUEUE_KINDS] = {
    [QUEUE_RC] = { "RC", { true, true, true, true, true, true } },
    [QUEUE_UC] = { "UC", { [OP_SEND] = true, [OP_WRITE] = true, [OP_WRITE_IMM] = true } },
    [QUEUE_UD] = { "UD", { [OP_SEND] = true } },
    [QUEUE_SRQ] = { "SRQ", { [OP_SEND] = true, [OP_WRITE_IMM] = true } },
};

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

/* What every device that has inline data at all accepts. */
enum { INLINE_BY_CM = 64 };

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* With room for that many completions and one more. */
static struct ibv_cq *new_cq(const struct queue *q, uint32_t entries)
{
    uint32_t most = (uint32_t)q->end->attr.max_cqe;
    return ibv_create_cq(q->end->context, (int)least(entries + 1, most), NULL, q->channel, 0);
}

static int make_cqs(struct queue *q, bool stamped, struct failure *failure)
{
    const struct ibv_device_attr *attr = &q->end->attr;
    q->sends = least(QUEUE_DEPTH, (uint32_t)attr->max_qp_wr);
    q->receives = least(QUEUE_RECEIVES, (uint32_t)attr->max_qp_wr);
    if (q->kind == QUEUE_SRQ)
        q->receives = least(q->receives, (uint32_t)attr->max_srq_wr);
    q->channel = ibv_create_comp_channel(q->end->context);
    int flags = q->channel ? fcntl(q->channel->fd, F_GETFL) : -1;
    if (flags < 0 || fcntl(q->channel->fd, F_SETFL, flags | O_NONBLOCK) < 0)
        return failure_set(failure, STEP_CQ, errno, "completion channel");
    q->send_cq = new_cq(q, q->sends);
    if (q->send_cq && stamped)
        q->recv_cq = stamps_open(q->end->context, least(q->receives + 1, (uint32_t)attr->max_cqe), q->channel,
                                 &q->stamps);
    if (q->send_cq && !q->recv_cq)
        q->recv_cq = new_cq(q, q->receives);
    return q->recv_cq ? 0 : failure_set(failure, STEP_CQ, errno, "%s", "");
}

static int make_srq(struct queue *q, struct failure *failure)
{
    struct ibv_srq_init_attr init = { .attr = { .max_wr = q->receives, .max_sge = QUEUE_PIECES } };
    q->srq = ibv_create_srq(q->end->pd, &init);
    return q->srq ? 0 : failure_set(failure, STEP_SRQ, errno, "%s", "");
}

void queue_init_attr(const struct queue *q, struct ibv_qp_init_attr *init)
{
    static const enum ibv_qp_type types[QUEUE_KINDS] = {
        [QUEUE_RC] = IBV_QPT_RC, [QUEUE_UC] = IBV_QPT_UC, [QUEUE_UD] = IBV_QPT_UD, [QUEUE_SRQ] = IBV_QPT_RC
    };
    *init = (struct ibv_qp_init_attr){
        .send_cq = q->send_cq,
        .recv_cq = q->recv_cq,
        .srq = q->srq,
        .qp_type = types[q->kind],
        .cap = { .max_send_wr = q->sends,
                 .max_recv_wr = q->srq ? 0 : q->receives,
                 .max_send_sge = QUEUE_PIECES,
                 .max_recv_sge = QUEUE_PIECES,
                 .max_inline_data = q->inline_size },
    };
}

/* How much inline data a device takes isn't among its attributes: asking is the only way. */
static int make_qp(struct queue *q, struct failure *failure)
{
    static const uint32_t inline_sizes[] = { 220, 64, 0 };
    int err = 0;
    for (size_t i = 0; i < ARRAY_SIZE(inline_sizes); i++) {
        struct ibv_qp_init_attr init;
        q->inline_size = inline_sizes[i];
        queue_init_attr(q, &init);
        errno = 0;
        q->qp = ibv_create_qp(q->end->pd, &init);
        if (q->qp) {
            q->inline_size = init.cap.max_inline_data;
            return 0;
        }
        err = errno ? errno : EIO;
        if (err != EINVAL && err != ENOMEM && err != EOPNOTSUPP)
            break;
    }
    return failure_set(failure, STEP_QP, err, "%s", "");
}

/* Whoever guesses these could send to the queue pair in the peer's name. */
static int make_secrets(struct queue *q, struct failure *failure)
{
    int r = random_bytes(&q->psn, sizeof(q->psn));
    if (r == 0)
        r = random_bytes(&q->qkey, sizeof(q->qkey));
    q->psn &= 0xffffff;
    q->qkey &= 0x7fffffff;
    return r < 0 ? failure_set(failure, STEP_QP, r, "getrandom") : 0;
}

int queue_new(struct endpoint *end, enum queue_kind kind, unsigned flags, struct queue **out,
              struct failure *failure)
{
    struct queue *q = calloc(1, sizeof(*q));
    if (!q)
        return failure_set(failure, STEP_QP, ENOMEM, "%s", "");
    q->end = end;
    q->kind = kind;
    q->inline_size = INLINE_BY_CM; /* make_qp() asks what the device takes */
    int r = make_secrets(q, failure);
    if (r == 0)
        r = make_cqs(q, flags & QUEUE_STAMPED, failure);
    if (r == 0 && kind == QUEUE_SRQ)
        r = make_srq(q, failure);
    if (r == 0 && !(flags & QUEUE_BY_CM))
        r = make_qp(q, failure);
    if (r < 0)
        queue_free(q);
    else
        *out = q;
    return r;
}

void queue_free(struct queue *q)
{
    if (!q)
        return;
    if (q->ah)
        ibv_destroy_ah(q->ah);
    if (q->cm_id)
        rdma_destroy_qp(q->cm_id);
    else if (q->qp)
        ibv_destroy_qp(q->qp);
    if (q->srq)
        ibv_destroy_srq(q->srq);
    if (q->recv_cq)
        ibv_destroy_cq(q->recv_cq);
    if (q->send_cq)
        ibv_destroy_cq(q->send_cq);
    if (q->channel)
        ibv_destroy_comp_channel(q->channel);
    free(q);
}

struct queue_description queue_describe(const struct queue *q, enum queue_kind kind)
{
    struct queue_description description = { .kind = (uint8_t)kind };
    if (q) {
        description.qpn = q->qp->qp_num;
        description.psn = q->psn;
        description.qkey = kind == QUEUE_UD ? q->qkey : 0;
    }
    return description;
}

static enum step step_of(const struct queue *q)
{
    return q->used ? STEP_COMPLETION : STEP_FIRST;
}

int queue_poll(struct queue *q, struct ibv_cq *cq, struct ibv_wc *wc, int count, struct failure *failure)
{
    int n = ibv_poll_cq(cq, count, wc);
    if (n < 0)
        return failure_set(failure, step_of(q), EIO, "ibv_poll_cq");
    for (int i = 0; i < n; i++) {
        if (wc[i].status != IBV_WC_SUCCESS)
            return failure_wc(failure, step_of(q), wc[i].status, wc[i].vendor_err);
        /* unreliable sends complete whether or not they arrive */
        q->used |= cq == q->recv_cq || !queue_is_unreliable(q->kind);
    }
    return n;
}

int queue_poll_stamped(struct queue *q, int count, struct ibv_wc *wc, uint64_t *ages)
{
    if (q->stamps.cq)
        return stamps_poll(&q->stamps, count, wc, ages);
    for (int i = 0; i < count; i++)
        ages[i] = STAMPS_NO_AGE;
    return ibv_poll_cq(q->recv_cq, count, wc);
}

/* The event is requested before the poll: a completion between poll and request would raise none. */
int queue_wait(struct queue *q, struct ibv_cq *cq, bool events, const struct watch *watch, struct ibv_wc *wc,
               struct failure *failure)
{
    struct spin spin = { 0 };
    for (;;) {
        int err = events ? ibv_req_notify_cq(cq, 0) : 0;
        if (err)
            return failure_set(failure, step_of(q), err, "ibv_req_notify_cq");
        int n = queue_poll(q, cq, wc, 1, failure);
        if (n != 0)
            return n < 0 ? n : 0;
        int r = events ? watch_readable(watch, q->channel->fd) : spin_wait(&spin, watch);
        if (r < 0)
            return queue_wait_failed(q, r, failure);
        struct ibv_cq *which;
        void *data;
        while (events && ibv_get_cq_event(q->channel, &which, &data) == 0)
            ibv_ack_cq_events(which, 1);
    }
}

int queue_wait_failed(const struct queue *q, int r, struct failure *failure)
{
    failure_set(failure, step_of(q), r, "%s", "");
    return r;
}

void queue_aim(const struct queue *q, enum operation op, size_t offset, struct ibv_send_wr *wr)
{
    static const enum ibv_wr_opcode opcodes[OPERATIONS] = { OPERATION_CODES };
    const struct buffer_description *remote = &q->end->remote;
    wr->opcode = opcodes[op];
    if (q->kind == QUEUE_UD) {
        wr->wr.ud.ah = q->ah;
        wr->wr.ud.remote_qpn = q->remote_qpn;
        wr->wr.ud.remote_qkey = q->remote_qkey;
    } else if (operation_is_atomic(op)) {
        wr->wr.atomic.remote_addr = remote->address;
        wr->wr.atomic.rkey = remote->rkey;
    } else if (op != OP_SEND) {
        wr->wr.rdma.remote_addr = (op == OP_READ ? remote->source : remote->address) + offset;
        wr->wr.rdma.rkey = remote->rkey;
    }
}

int queue_post_send(struct queue *q, struct ibv_send_wr *wr, struct failure *failure)
{
    struct ibv_send_wr *bad = NULL;
    int err = ibv_post_send(q->qp, wr, &bad);
    return err ? failure_set(failure, STEP_POST, err, "ibv_post_send") : 0;
}

int queue_perform(struct queue *q, struct ibv_send_wr *wr, bool events, const struct watch *watch,
                  struct failure *failure)
{
    struct ibv_wc wc;
    int r = queue_post_send(q, wr, failure);
    return r < 0 ? r : queue_wait(q, q->send_cq, events, watch, &wc, failure);
}

int queue_knock(struct queue *q, uint32_t size, const struct watch *watch, struct failure *failure)
{
    enum { FIRST = 1024, GROWTH = 4 };
    struct ibv_sge data = { .addr = (uintptr_t)endpoint_tx(q->end), .lkey = q->end->mr->lkey };
    int r = 0;
    for (uint32_t length = 0; r == 0 && length < size; length = length ? length * GROWTH : FIRST) {
        struct ibv_send_wr wr = { .sg_list = &data, .num_sge = length > 0, .send_flags = IBV_SEND_SIGNALED };
        data.length = length;
        queue_aim(q, OP_WRITE, 0, &wr);
        r = queue_perform(q, &wr, false, watch, failure);
    }
    return r;
}

int queue_post_recv(struct queue *q, struct ibv_recv_wr *wr, struct failure *failure)
{
    struct ibv_recv_wr *bad = NULL;
    int err = q->srq ? ibv_post_srq_recv(q->srq, wr, &bad) : ibv_post_recv(q->qp, wr, &bad);
    return err ? failure_set(failure, STEP_POST, err, "ibv_post_recv") : 0;
}

int queue_send(struct queue *q, const uint8_t *from, uint32_t length, unsigned flags, struct failure *failure)
{
    struct ibv_sge place = { .addr = (uintptr_t)from, .length = length, .lkey = q->end->mr->lkey };
    struct ibv_send_wr wr = { .sg_list = &place, .num_sge = 1, .send_flags = IBV_SEND_SIGNALED | flags };
    queue_aim(q, OP_SEND, 0, &wr);
    return queue_post_send(q, &wr, failure);
}

int queue_receive(struct queue *q, uint8_t *to, uint32_t length, uint64_t id, struct failure *failure)
{
    struct ibv_sge place = { .addr = (uintptr_t)to, .length = length, .lkey = q->end->mr->lkey };
    struct ibv_recv_wr wr = { .wr_id = id, .sg_list = &place, .num_sge = 1 };
    return queue_post_recv(q, &wr, failure);
}

int queue_top_up(struct queue *q, uint32_t wanted, struct failure *failure)
{
    uint32_t header = q->kind == QUEUE_UD ? GRH_SIZE : 0;
    struct ibv_sge target = { .addr = (uintptr_t)(endpoint_rx(q->end) - header),
                              .length = (uint32_t)q->end->size + header,
                              .lkey = q->end->mr->lkey };
    struct ibv_recv_wr chain[QUEUE_CHAIN];
    for (unsigned i = 0; i < QUEUE_CHAIN; i++)
        chain[i] = (struct ibv_recv_wr){ .sg_list = &target,
                                         .num_sge = 1,
                                         .next = i + 1 < QUEUE_CHAIN ? &chain[i + 1] : NULL };
    for (; q->posted + QUEUE_CHAIN <= wanted; q->posted += QUEUE_CHAIN) {
        int r = queue_post_recv(q, chain, failure);
        if (r < 0)
            return r;
    }
    return 0;
}

/* The device's clock in cycles, which ibv_query_rt_values_ex() has in tv_nsec (mlx4, mlx5). */
static bool read_clock(struct ibv_context *context, uint64_t *cycles)
{
    struct ibv_values_ex values = { .comp_mask = IBV_VALUES_MASK_RAW_CLOCK };
    if (ibv_query_rt_values_ex(context, &values) || !(values.comp_mask & IBV_VALUES_MASK_RAW_CLOCK))
        return false;
    *cycles = (uint64_t)values.raw_clock.tv_sec * 1000000000 + (uint64_t)values.raw_clock.tv_nsec;
    return true;
}

struct ibv_cq *stamps_open(struct ibv_context *context, uint32_t cqe, struct ibv_comp_channel *channel,
                           struct stamps *stamps)
{
    struct ibv_device_attr_ex attr = { 0 };
    struct ibv_cq_init_attr_ex init = { .cqe = cqe,
                                        .channel = channel,
                                        .wc_flags = IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_SRC_QP |
                                                    IBV_WC_EX_WITH_COMPLETION_TIMESTAMP };
    uint64_t cycles;
    *stamps = (struct stamps){ .cq = NULL };
    if (ibv_query_device_ex(context, NULL, &attr) || !attr.completion_timestamp_mask || !attr.hca_core_clock ||
        !read_clock(context, &cycles))
        return NULL;
    stamps->cq = ibv_create_cq_ex(context, &init);
    stamps->mask = attr.completion_timestamp_mask;
    stamps->khz = attr.hca_core_clock;
    return stamps->cq ? ibv_cq_ex_to_cq(stamps->cq) : NULL;
}

static void take_stamped(struct ibv_cq_ex *cq, struct ibv_wc *wc, uint64_t *stamp)
{
    *wc = (struct ibv_wc){ .wr_id = cq->wr_id, .status = cq->status };
    *stamp = 0;
    if (wc->status != IBV_WC_SUCCESS) { /* nothing else is valid for a bad one */
        wc->vendor_err = ibv_wc_read_vendor_err(cq);
        return;
    }
    wc->byte_len = ibv_wc_read_byte_len(cq);
    wc->src_qp = ibv_wc_read_src_qp(cq);
    wc->wc_flags = ibv_wc_read_wc_flags(cq);
    *stamp = ibv_wc_read_completion_ts(cq);
}

/* A stamp in the future is from another clock: half of the clock's range is taken for that. */
static uint64_t age_of(const struct stamps *s, uint64_t now, uint64_t stamp)
{
    uint64_t cycles = (now - stamp) & s->mask;
    return cycles > s->mask / 2 ? STAMPS_NO_AGE : (uint64_t)((double)cycles * 1e6 / (double)s->khz);
}

int stamps_poll(const struct stamps *s, int count, struct ibv_wc *wc, uint64_t *ages)
{
    struct ibv_poll_cq_attr attr = { 0 };
    uint64_t now = 0;
    int n = 0;
    int r = ibv_start_poll(s->cq, &attr);
    if (r)
        return r == ENOENT ? 0 : -r;
    while (r == 0) {
        take_stamped(s->cq, &wc[n], &ages[n]);
        r = ++n < count ? ibv_next_poll(s->cq) : ENOENT;
    }
    ibv_end_poll(s->cq);
    bool known = read_clock(s->cq->context, &now);
    for (int i = 0; i < n; i++)
        ages[i] = known && wc[i].status == IBV_WC_SUCCESS ? age_of(s, now, ages[i]) : STAMPS_NO_AGE;
    return r == ENOENT ? n : -r;
}
