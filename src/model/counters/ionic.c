/* SPDX-License-Identifier: MIT */
/* AMD Pensando (Pollara and other DSCs): hw_counters of ports; this driver has no counters/.
 *
 * The device itself supplies the names, and the driver passes them on (Linux 7.3, drivers/infiniband/hw/ionic):
 * which ones exist is up to the firmware. Names: those listed by AMD's own tools that read them,
 * ROCm/rocm-systems (RCCL's telemetry) and amd/node-scraper (RdmaAnalyzer), which also say which are errors.
 * Meanings: from the names, and from their long forms (rdma_req_rx_pkt_seq_err, rdma_resp_rx_out_of_seq_pkts,
 * …) in drivers/net/ethernet/pensando/ionic/ionic_if.h; AMD publishes no descriptions. It isn't documented
 * whether *_rnr_retry_err counts RNR NAKs or queue pairs that gave up, so it has no role. 64 bits. */
#include "model/counters/tables.h"

/* clang-format off */
static const struct counter_def ionic[] = {
    TOTAL("req_rx_cqe_err", "requester completions with an error", EVENTS, ERROR),
    TOTAL("req_rx_cqe_flush", "requester completions flushed: the queue pair was torn down with work left", EVENTS, INFO),
    TOTAL("req_rx_dup_response", "responses received again", PACKETS, WARNING),
    TOTAL("req_rx_impl_nak_seq_err", "ACKs for a later packet than expected: a read response was lost", EVENTS, WARNING, RETRANSMISSIONS),
    TOTAL("req_rx_inval_pkts", "requester: invalid packets received", PACKETS, ERROR, PACKET_ERRORS),
    TOTAL("req_rx_oper_err", "requests that the peer could not carry out", EVENTS, ERROR),
    TOTAL("req_rx_pkt_seq_err", "NAKs for a missing packet received, so it was sent again: loss on the way", EVENTS, WARNING, RETRANSMISSIONS),
    TOTAL("req_rx_rmt_acc_err", "requests that the peer refused: wrong key, range or permission", EVENTS, ERROR),
    TOTAL("req_rx_rmt_req_err", "requests that the peer called invalid: opcode or length", EVENTS, ERROR),
    TOTAL("req_rx_rnr_retry_err", "requester: the peer had no receive ready", EVENTS, WARNING),
    TOTAL("req_tx_loc_acc_err", "requester: local access errors (memory key or range)", EVENTS, ERROR),
    TOTAL("req_tx_loc_oper_err", "requester: local queue pair operation errors", EVENTS, ERROR),
    TOTAL("req_tx_loc_sgl_inv_err", "requester: lists of memory pieces that are invalid", EVENTS, ERROR),
    TOTAL("req_tx_mem_mgmt_err", "requester: memory management errors (bind, fast registration, invalidate)", EVENTS, ERROR),
    TOTAL("req_tx_retry_excd_err", "queue pairs failed: the peer never answered", EVENTS, ERROR, TRANSPORT_RETRIES_EXCEEDED),
    TOTAL("resp_rx_ccl_cts_outouf_seq", "clear-to-send messages of collectives received out of order: loss on the way", PACKETS, WARNING),
    TOTAL("resp_rx_cqe_err", "responder completions with an error", EVENTS, ERROR),
    TOTAL("resp_rx_cqe_flush", "responder completions flushed: the queue pair was torn down with work left", EVENTS, INFO),
    TOTAL("resp_rx_dup_request", "requests received again: an ACK was lost or late", REQUESTS, WARNING),
    TOTAL("resp_rx_inval_request", "responder: invalid requests received", EVENTS, ERROR),
    TOTAL("resp_rx_loc_len_err", "responder: local length errors", EVENTS, ERROR),
    TOTAL("resp_rx_loc_oper_err", "responder: local queue pair operation errors", EVENTS, ERROR),
    TOTAL("resp_rx_outof_atomic", "responder: more reads and atomics at once than the queue pair allows", EVENTS, ERROR),
    TOTAL("resp_rx_outof_buf", "packets dropped because no receive was posted: the application is too slow", PACKETS, WARNING, RECEIVE_BUFFER_DROPS),
    TOTAL("resp_rx_outouf_seq", "packets received out of order: loss on the way", PACKETS, WARNING, OUT_OF_SEQUENCE),
    TOTAL("resp_rx_s0_table_err", "responder: errors of the device's own tables", EVENTS, ERROR),
    TOTAL("resp_tx_loc_sgl_inv_err", "responder: lists of memory pieces that are invalid", EVENTS, ERROR),
    TOTAL("resp_tx_pkt_seq_err", "NAKs for a missing packet sent: loss on the way", EVENTS, WARNING),
    TOTAL("resp_tx_rmt_acc_err", "requests of peers refused: wrong key, range or permission", EVENTS, ERROR),
    TOTAL("resp_tx_rmt_inval_req_err", "requests of peers called invalid: opcode or length", EVENTS, ERROR),
    TOTAL("resp_tx_rmt_oper_err", "requests of peers that could not be carried out", EVENTS, ERROR),
    TOTAL("resp_tx_rnr_retry_err", "responder: no receive was posted here", EVENTS, WARNING),
    TOTAL("rx_rdma_ccl_cts_bytes", "data of collectives' clear-to-send messages received", BYTES, INFO),
    TOTAL("rx_rdma_ccl_cts_pkts", "clear-to-send messages of collectives received", PACKETS, INFO),
    TOTAL("rx_rdma_cnp_pkts", "CNPs received: this port was asked to slow down", PACKETS, INFO, CNP_HANDLED),
    TOTAL("rx_rdma_ecn_pkts", "packets received that a switch had marked for congestion", PACKETS, INFO, ECN_MARKED),
    TOTAL("rx_rdma_mcast_bytes", "multicast data received", BYTES, INFO, RECEIVED_BYTES),
    TOTAL("rx_rdma_mcast_pkts", "multicast packets received", PACKETS, INFO, RECEIVED_PACKETS),
    TOTAL("rx_rdma_mtu_discard_pkts", "packets received and dropped because they were longer than the MTU", PACKETS, WARNING, DISCARDS),
    TOTAL("rx_rdma_ucast_bytes", "data received", BYTES, INFO, RECEIVED_BYTES),
    TOTAL("rx_rdma_ucast_pkts", "packets received", PACKETS, INFO, RECEIVED_PACKETS),
    TOTAL("tx_rdma_ack_timeout", "no ACK in time, so it was sent again: loss, congestion or a dead peer", EVENTS, WARNING, RETRANSMISSIONS),
    TOTAL("tx_rdma_ccl_cts_ack_timeout", "no ACK in time for a collective's clear-to-send message", EVENTS, WARNING),
    TOTAL("tx_rdma_ccl_cts_bytes", "data of collectives' clear-to-send messages sent", BYTES, INFO),
    TOTAL("tx_rdma_ccl_cts_pkts", "clear-to-send messages of collectives sent", PACKETS, INFO),
    TOTAL("tx_rdma_ccl_cts_retx_bytes", "data of collectives' clear-to-send messages sent again", BYTES, WARNING),
    TOTAL("tx_rdma_ccl_cts_retx_pkts", "clear-to-send messages of collectives sent again", PACKETS, WARNING),
    TOTAL("tx_rdma_cnp_pkts", "CNPs sent: asked peers to slow down after packets marked for congestion", PACKETS, INFO, CNP_SENT),
    TOTAL("tx_rdma_mcast_bytes", "multicast data sent", BYTES, INFO, TRANSMITTED_BYTES),
    TOTAL("tx_rdma_mcast_pkts", "multicast packets sent", PACKETS, INFO, TRANSMITTED_PACKETS),
    TOTAL("tx_rdma_retx_bytes", "data sent again: loss on the way", BYTES, WARNING),
    TOTAL("tx_rdma_retx_pkts", "packets sent again: loss on the way", PACKETS, WARNING),
    TOTAL("tx_rdma_ucast_bytes", "data sent", BYTES, INFO, TRANSMITTED_BYTES),
    TOTAL("tx_rdma_ucast_pkts", "packets sent", PACKETS, INFO, TRANSMITTED_PACKETS),
};

const struct counter_table counter_table_ionic = TABLE("ionic", "hw_counters", ionic);
