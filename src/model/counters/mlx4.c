/* SPDX-License-Identifier: MIT */
/* NVIDIA (Mellanox) ConnectX-3: diagnostic hw_counters of the device, of ports where the firmware counts per
 * port.
 *
 * Names: Linux 7.3, drivers/infiniband/hw/mlx4/main.c; values are 32 bits wide. rq_ is the responder's side,
 * sq_ the requester's. Meanings: the commit that added them (3f85f2aaabf7) and, for those it doesn't
 * explain, the counters of the same firmware in NVIDIA's WinOF manual, "Proprietary Mellanox Adapter
 * Diagnostics Counters". */
#include "model/counters/tables.h"

/* clang-format off */
static const struct counter_def mlx4[] = {
    TOTAL32("num_cqovf", "completion queues that overflowed", EVENTS, ERROR),
    TOTAL32("rq_num_dup", "requests received again: an ACK was lost or late", REQUESTS, WARNING),
    TOTAL32("rq_num_lle", "responder: local length errors", EVENTS, ERROR),
    TOTAL32("rq_num_lpe", "responder: local protection errors (memory key or range)", EVENTS, ERROR),
    TOTAL32("rq_num_lqpoe", "responder: local queue pair operation errors", EVENTS, ERROR),
    TOTAL32("rq_num_oos", "responder: packets received out of order: loss on the way", PACKETS, WARNING, OUT_OF_SEQUENCE),
    TOTAL32("rq_num_rae", "responder: requests of peers refused: wrong key, range or permission", EVENTS, ERROR),
    TOTAL32("rq_num_rire", "responder: requests of peers that were invalid", EVENTS, ERROR),
    TOTAL32("rq_num_rnr", "responder: RNR NAKs sent, no receive was posted", EVENTS, WARNING, RNR_NAKS_SENT),
    TOTAL32("rq_num_udsdprd", "UD packets dropped because no receive was posted", PACKETS, WARNING, RECEIVE_BUFFER_DROPS),
    TOTAL32("rq_num_wrfe", "responder: receives flushed because their queue pair closed or failed", EVENTS, INFO),
    TOTAL32("sq_num_bre", "requester: bad responses received", EVENTS, ERROR),
    TOTAL32("sq_num_lle", "requester: local length errors", EVENTS, ERROR),
    TOTAL32("sq_num_lpe", "requester: local protection errors (memory key or range)", EVENTS, ERROR),
    TOTAL32("sq_num_lqpoe", "requester: local queue pair operation errors", EVENTS, ERROR),
    TOTAL32("sq_num_mwbe", "requester: memory window bind errors", EVENTS, ERROR),
    TOTAL32("sq_num_oos", "requester: NAKs for a missing packet received: loss on the way", EVENTS, WARNING, RETRANSMISSIONS),
    TOTAL32("sq_num_rae", "requester: requests that the peer refused: wrong key, range or permission", EVENTS, ERROR),
    TOTAL32("sq_num_rire", "requester: requests that the peer called invalid", EVENTS, ERROR),
    TOTAL32("sq_num_rnr", "requester: RNR NAKs received, the peer had no receive ready", EVENTS, WARNING, RNR_NAKS_RECEIVED),
    TOTAL32("sq_num_roe", "requester: requests that the peer could not carry out", EVENTS, ERROR),
    TOTAL32("sq_num_rree", "queue pairs failed: the peer never had a receive ready", EVENTS, ERROR, RNR_RETRIES_EXCEEDED),
    TOTAL32("sq_num_to", "requester: no ACK in time, so it was sent again", EVENTS, WARNING, RETRANSMISSIONS),
    TOTAL32("sq_num_tree", "queue pairs failed: the peer never answered", EVENTS, ERROR, TRANSPORT_RETRIES_EXCEEDED),
    TOTAL32("sq_num_wrfe", "requester: requests flushed because their queue pair closed or failed", EVENTS, INFO),
};

const struct counter_table counter_table_mlx4 = TABLE("mlx4", "hw_counters", mlx4);
