/* SPDX-License-Identifier: MIT */
/* NVIDIA ConnectX-4 and later, BlueField: hw_counters of ports; of the device in switchdev mode.
 *
 * Names and widths: Linux 7.3, drivers/infiniband/hw/mlx5/counters.c. The queue pair counters are 32-bit
 * fields of QUERY_Q_COUNTER and wrap; congestion counters, rx_icrc_encapsulated and the optional ones (off
 * until `rdma statistic set` turns them on) have 64 bits. Meanings: NVIDIA's "Understanding mlx5 Linux
 * Counters and Status Parameters" and, for the two *_retries_exceeded, the commit that added them
 * (b339e0a39dc3). */
#include "model/counters/tables.h"

/* Counters of queue pairs, once as the device counts its own, once with vport_ in front as a switchdev
 * manager sees those of the functions behind its representors. */
/* clang-format off */
#define QUEUE_COUNTERS(ROW) \
    ROW("duplicate_request", "requests received again after they were executed: an ACK was lost or late", REQUESTS, WARNING), \
    ROW("implied_nak_seq_err", "ACKs for a later packet than expected: a read response was lost", EVENTS, WARNING, RETRANSMISSIONS), \
    ROW("local_ack_timeout_err", "no ACK in time, so it was sent again: loss, congestion or a dead peer", EVENTS, WARNING, RETRANSMISSIONS), \
    ROW("out_of_buffer", "packets dropped because no receive was posted: the application is too slow", PACKETS, WARNING, RECEIVE_BUFFER_DROPS), \
    ROW("out_of_sequence", "packets received out of order: loss on the way, or adaptive routing", PACKETS, WARNING, OUT_OF_SEQUENCE), \
    ROW("packet_seq_err", "NAKs for a missing packet received, so it was sent again: loss on the way", EVENTS, WARNING, RETRANSMISSIONS), \
    ROW("req_cqe_error", "requester completions with an error", EVENTS, ERROR), \
    ROW("req_cqe_flush_error", "requests flushed because their queue pair closed or failed", EVENTS, INFO), \
    ROW("req_remote_access_errors", "requests that the peer refused: wrong key, range or permission", EVENTS, ERROR), \
    ROW("req_remote_invalid_request", "requests that the peer called invalid: opcode or length", EVENTS, ERROR), \
    ROW("req_rnr_retries_exceeded", "queue pairs failed: the peer never had a receive ready", EVENTS, ERROR, RNR_RETRIES_EXCEEDED), \
    ROW("req_transport_retries_exceeded", "queue pairs failed: the peer never answered", EVENTS, ERROR, TRANSPORT_RETRIES_EXCEEDED), \
    ROW("resp_cqe_error", "responder completions with an error", EVENTS, WARNING), \
    ROW("resp_cqe_flush_error", "receives flushed because their queue pair closed or failed", EVENTS, INFO), \
    ROW("resp_local_length_error", "messages received longer than the receive posted for them", EVENTS, ERROR), \
    ROW("resp_remote_access_errors", "requests of peers refused: wrong key, range or permission", EVENTS, ERROR), \
    ROW("rnr_nak_retry_err", "peer had no receive ready, so it was sent again", EVENTS, WARNING, RNR_NAKS_RECEIVED), \
    ROW("roce_adp_retrans", "adaptive retransmissions", EVENTS, WARNING, RETRANSMISSIONS), \
    ROW("roce_adp_retrans_to", "timeouts that adaptive retransmission waited for", EVENTS, WARNING), \
    ROW("roce_slow_restart", "times that sending restarted slowly after a pause", EVENTS, INFO), \
    ROW("roce_slow_restart_cnps", "CNPs that a slow restart brought about", PACKETS, WARNING), \
    ROW("roce_slow_restart_trans", "times that a queue pair changed to slow restart", EVENTS, INFO), \
    ROW("rx_atomic_requests", "atomic requests received", REQUESTS, INFO), \
    ROW("rx_dct_connect", "connection requests received for dynamically connected queue pairs", REQUESTS, INFO), \
    ROW("rx_read_requests", "read requests received", REQUESTS, INFO), \
    ROW("rx_write_requests", "write requests received", REQUESTS, INFO)
/* clang-format on */

/* These play no role: they are of other functions. */
#define VPORT32(NAME, MEANING, UNIT, SEVERITY, ...) TOTAL32("vport_" NAME, MEANING, UNIT, SEVERITY)

static const struct counter_def queue[] = { QUEUE_COUNTERS(TOTAL32) };
static const struct counter_def vport[] = { QUEUE_COUNTERS(VPORT32) };

/* clang-format off */
static const struct counter_def mlx5[] = {
    TOTAL("cc_rx_ce_pkts", "RoCE packets received that a switch had marked for congestion (optional)", PACKETS, INFO),
    TOTAL("cc_rx_cnp_pkts", "CNPs received (optional)", PACKETS, INFO),
    TOTAL("cc_tx_cnp_pkts", "CNPs sent (optional)", PACKETS, INFO),
    TOTAL("np_cnp_sent", "CNPs sent: asked peers to slow down after packets marked for congestion", PACKETS, INFO, CNP_SENT),
    TOTAL("np_ecn_marked_roce_packets", "RoCE packets received that a switch had marked for congestion", PACKETS, INFO, ECN_MARKED),
    TOTAL("rdma_rx_bytes", "RDMA data received (optional)", BYTES, INFO),
    TOTAL("rdma_rx_packets", "RDMA packets received (optional)", PACKETS, INFO),
    TOTAL("rdma_tx_bytes", "RDMA data sent (optional)", BYTES, INFO),
    TOTAL("rdma_tx_packets", "RDMA packets sent (optional)", PACKETS, INFO),
    TOTAL("rp_cnp_handled", "CNPs received and obeyed: this port was asked to slow down and did", PACKETS, INFO, CNP_HANDLED),
    TOTAL("rp_cnp_ignored", "CNPs received and ignored: congestion control is off here", PACKETS, ERROR, CNP_IGNORED),
    TOTAL("rx_icrc_encapsulated", "RoCE packets received with a wrong checksum (ICRC): damaged on the way", PACKETS, ERROR, ICRC_ERRORS),
};
/* clang-format on */

const struct counter_table counter_table_mlx5_queue = TABLE("mlx5", "hw_counters", queue);
const struct counter_table counter_table_mlx5_vport = TABLE("mlx5", "hw_counters", vport);
const struct counter_table counter_table_mlx5 = TABLE("mlx5", "hw_counters", mlx5);
