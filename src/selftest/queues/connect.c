/* SPDX-License-Identifier: MIT */
/* Takes a queue pair from RESET to RTS. */
#include "selftest/queues/queue.h"

/* 0 if there is none. */
static enum ibv_mtu mtu_enum(uint32_t bytes)
{
    for (enum ibv_mtu mtu = IBV_MTU_256; mtu <= IBV_MTU_4096; mtu++)
        if (bytes == mtu_bytes(mtu))
            return mtu;
    return 0;
}

uint32_t mtu_bytes(enum ibv_mtu mtu)
{
    return mtu >= IBV_MTU_256 && mtu <= IBV_MTU_4096 ? 128u << mtu : 0;
}

struct path path_new(uint32_t mtu, uint8_t traffic_class, uint8_t hop_limit, uint8_t rd_atomic)
{
    return (struct path){ .mtu = mtu,
                          .traffic_class = traffic_class,
                          .hop_limit = hop_limit,
                          .rd_atomic = rd_atomic,
                          .timeout = PATH_TIMEOUT,
                          .retry_count = PATH_RETRIES };
}

static bool connected(const struct queue *q)
{
    return q->kind == QUEUE_RC || q->kind == QUEUE_SRQ;
}

static void fill_ah(const struct queue *q, const struct path *path, struct ibv_ah_attr *ah)
{
    *ah = (struct ibv_ah_attr){
        .is_global = 1,
        .port_num = q->end->port,
        .grh = { .flow_label = path->flow_label,
                 .sgid_index = (uint8_t)q->end->gid_index,
                 .hop_limit = path->hop_limit,
                 .traffic_class = path->traffic_class },
    };
    memcpy(ah->grh.dgid.raw, path->dgid, sizeof(path->dgid));
}

static int modify(struct queue *q, struct ibv_qp_attr *attr, int mask, enum step step, struct failure *failure)
{
    int err = ibv_modify_qp(q->qp, attr, mask);
    return err ? failure_set(failure, step, err, "%s", "") : 0;
}

static int to_init(struct queue *q, struct failure *failure)
{
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = q->end->port };
    int mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT;
    if (q->kind == QUEUE_UD) {
        attr.qkey = q->qkey;
        mask |= IBV_QP_QKEY;
    } else {
        attr.qp_access_flags = IBV_ACCESS_REMOTE_WRITE;
        if (connected(q))
            attr.qp_access_flags |= IBV_ACCESS_REMOTE_READ | (q->end->atomics ? IBV_ACCESS_REMOTE_ATOMIC : 0);
        mask |= IBV_QP_ACCESS_FLAGS;
    }
    return modify(q, &attr, mask, STEP_INIT, failure);
}

static int to_rtr(struct queue *q, const struct path *path, const struct queue_description *peer,
                  struct failure *failure)
{
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTR };
    int mask = IBV_QP_STATE;
    if (q->kind != QUEUE_UD) {
        attr.path_mtu = mtu_enum(path->mtu);
        attr.dest_qp_num = peer->qpn;
        attr.rq_psn = peer->psn;
        fill_ah(q, path, &attr.ah_attr);
        mask |= IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
    }
    if (connected(q)) {
        attr.max_dest_rd_atomic = path->rd_atomic;
        attr.min_rnr_timer = 21; /* 15 ms, six times: a receiver that lost its CPU is not at fault */
        mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
    }
    return modify(q, &attr, mask, STEP_RTR, failure);
}

/* A soft device never loses what it sends to itself, so nothing needs to be resent; where that would do harm,
 * nothing is: the test's own deadline ends it. */
static uint8_t timeout_of(const struct queue *q, const struct path *path)
{
    return q->end->fragile && endpoint_is_at(q->end, path->dgid) ? 0 : path->timeout;
}

static int to_rts(struct queue *q, const struct path *path, struct failure *failure)
{
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTS, .sq_psn = q->psn };
    int mask = IBV_QP_STATE | IBV_QP_SQ_PSN;
    if (connected(q)) {
        attr.timeout = timeout_of(q, path);
        attr.retry_cnt = path->retry_count;
        attr.rnr_retry = path->retry_count ? 6 : 0; /* 7 means forever */
        attr.max_rd_atomic = path->rd_atomic;
        mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
    }
    return modify(q, &attr, mask, STEP_RTS, failure);
}

int queue_connect(struct queue *q, const struct path *path, const struct queue_description *peer,
                  struct failure *failure)
{
    int r = to_init(q, failure);
    if (r == 0)
        r = to_rtr(q, path, peer, failure);
    if (r == 0)
        r = to_rts(q, path, failure);
    if (r < 0)
        return r;
    q->remote_qpn = peer->qpn;
    q->remote_qkey = peer->qkey;
    memcpy(q->remote_gid, path->dgid, sizeof(q->remote_gid));
    if (q->kind != QUEUE_UD)
        return 0;
    struct ibv_ah_attr ah;
    fill_ah(q, path, &ah);
    errno = 0;
    q->ah = ibv_create_ah(q->end->pd, &ah);
    return q->ah ? 0 : failure_set(failure, STEP_AH, errno ? errno : EIO, "%s", "");
}
