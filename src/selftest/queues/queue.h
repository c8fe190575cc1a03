/* SPDX-License-Identifier: MIT */
/* A queue pair with its completion queues, the way to its other end, and what it has on its way. */
#pragma once

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "selftest/queues/description.h"
#include "selftest/queues/endpoint.h"
#include "selftest/queues/stamps.h"
#include "selftest/queues/wait.h"

struct rdma_cm_id;

/* QUEUE_DEPTH: work requests on their way. */
enum { QUEUE_PIECES = 3, QUEUE_DEPTH = 128, QUEUE_RECEIVES = 512, GRH_SIZE = 40 };

/* How packets travel, and how long the device keeps trying. */
struct path {
    uint32_t mtu; /* bytes */
    uint8_t traffic_class, hop_limit, rd_atomic;
    uint8_t timeout;     /* 4.096 µs × 2^timeout for an ACK */
    uint8_t retry_count; /* 0 to 7; 0: nothing is sent twice, whatever the answer */
    uint32_t flow_label; /* 0: the driver chooses; see source_port.h */
    uint8_t dgid[16];
};

/* Together about a second (NICs may take four times as long): a switch's path change passes, and silence ends
 * in "transport retry counter exceeded" before a step's own deadline. Not 7 retries: soft-RoCE takes that for
 * "forever". */
enum { PATH_TIMEOUT = 15, PATH_RETRIES = 6 };
struct path path_new(uint32_t mtu, uint8_t traffic_class, uint8_t hop_limit, uint8_t rd_atomic);

struct queue {
    struct endpoint *end;
    enum queue_kind kind;
    struct ibv_qp *qp;
    struct rdma_cm_id *cm_id; /* RDMA_CM's, which owns the QP; else NULL */
    struct ibv_cq *send_cq, *recv_cq;
    struct stamps stamps;             /* of recv_cq, where it was asked for and the device has them */
    struct ibv_comp_channel *channel; /* of both */
    struct ibv_srq *srq;
    struct ibv_ah *ah;          /* UD */
    uint32_t psn, remote_qpn;   /* psn: random, of the first packet that it sends */
    uint32_t qkey, remote_qkey; /* UD; ours is random */
    uint8_t remote_gid[16];
    uint32_t inline_size;          /* bytes that fit a work request */
    uint32_t sends, receives;      /* capacity */
    uint64_t remote_rx, remote_tx; /* addresses of the other end's halves */
    uint32_t rkey;
    uint32_t posted; /* receives that wait, by queue_top_up() */
    bool used;       /* a message has come through, in either direction */
};

/* The caller frees *queue. */
int queue_new(struct endpoint *end, enum queue_kind kind, struct queue **queue, struct failure *failure);
/* The same, with time stamps of what comes where the device has them. Only queue_poll_stamped() polls it then. */
int queue_new_stamped(struct endpoint *end, enum queue_kind kind, struct queue **queue,
                      struct failure *failure);
/* The same without the QP, which RDMA_CM makes with queue_init_attr(). */
int queue_new_for_cm(struct endpoint *end, struct queue **queue, struct failure *failure);
void queue_init_attr(const struct queue *queue, struct ibv_qp_init_attr *init);
void queue_free(struct queue *queue); /* NULL is fine */

/* INIT, RTR, RTS (for UD also an address handle). */
int queue_connect(struct queue *queue, const struct path *path, const struct queue_description *peer,
                  struct failure *failure);
/* What the other end has to know of it; all 0 where there is none. */
struct queue_description queue_describe(const struct queue *queue, enum queue_kind kind);

/* Up to count completions. Their number; a bad one: -EIO with failure filled. */
int queue_poll(struct queue *queue, struct ibv_cq *cq, struct ibv_wc *wc, int count, struct failure *failure);
/* Up to count receives that have completed, well or not, and how long ago (ns; STAMPS_NO_AGE: not known).
 * Their number, or < 0. */
int queue_poll_stamped(struct queue *queue, int count, struct ibv_wc *wc, uint64_t *ages);
/* Exactly one completion, by polling or by event. 0, or -ETIMEDOUT, -EINTR, -ECONNRESET, -EIO with failure
 * filled. */
int queue_wait(struct queue *queue, struct ibv_cq *cq, bool events, const struct watch *watch,
               struct ibv_wc *wc, struct failure *failure);
/* How waiting ended badly, as a failure. Returns r. */
int queue_wait_failed(const struct queue *queue, int r, struct failure *failure);

/* Makes wr a request of this operation to the other end: what it does and where; offset: bytes behind the
 * start of the other end's half (not of SEND and atomics). */
void queue_aim(const struct queue *queue, enum operation op, size_t offset, struct ibv_send_wr *wr);
int queue_post_send(struct queue *queue, struct ibv_send_wr *wr, struct failure *failure);
int queue_post_recv(struct queue *queue, struct ibv_recv_wr *wr, struct failure *failure);

/* Receives for messages of any size, all into the same place (for measurements), until so many wait. In
 * chains: nothing is posted while fewer than a chain are missing. The caller counts queue->posted down. */
enum { QUEUE_CHAIN = 32 };
int queue_top_up(struct queue *queue, uint32_t wanted, struct failure *failure);

/* The MTU enum of so many bytes, 0 for none; and back. */
enum ibv_mtu mtu_enum(uint32_t bytes);
uint32_t mtu_bytes(enum ibv_mtu mtu);
