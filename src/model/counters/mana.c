/* SPDX-License-Identifier: MIT */
/* Microsoft Azure Network Adapter: hw_counters of ports and of the device (sent_cnps to received_cnp_count).
 *
 * Names and widths: Linux 7.3, drivers/infiniband/hw/mana/counters.c and mana_ib.h; ports have 64 bits, the
 * device 32. Both have rate_inc_events. Meanings: from the names; Microsoft publishes neither descriptions nor
 * the unit of current_rate. */
#include "model/counters/tables.h"

/* clang-format off */
static const struct counter_def mana[] = {
    GAUGE("current_rate", "rate that congestion control allows now", UNSPECIFIED, INFO),
    TOTAL("dup_rx_requests", "requests received again: an ACK was lost or late", REQUESTS, WARNING),
    TOTAL("general_hw_error", "hardware errors", EVENTS, ERROR),
    TOTAL("nak_access_error", "NAKs for refused access: wrong key, range or permission", EVENTS, ERROR),
    TOTAL("nak_inv_read", "NAKs for invalid reads", EVENTS, ERROR),
    TOTAL("nak_inv_req", "NAKs for invalid requests", EVENTS, ERROR),
    TOTAL("nak_opp_error", "NAKs for operations that could not be carried out", EVENTS, ERROR),
    GAUGE("num_qps_congested", "queue pairs that congestion control slows now", OBJECTS, WARNING),
    TOTAL("num_qps_recovered", "queue pairs that recovered from congestion", EVENTS, INFO),
    TOTAL32("qp_congested_events", "times that congestion control began to slow a queue pair", EVENTS, WARNING),
    TOTAL32("qp_recovered_events", "times that a queue pair recovered from congestion", EVENTS, INFO),
    TOTAL("rate_inc_events", "times that congestion control raised a rate", EVENTS, INFO),
    TOTAL32("received_cnp_count", "CNPs received: this device was asked to slow down", PACKETS, INFO),
    TOTAL("received_cnps", "CNPs received: this port was asked to slow down", PACKETS, INFO, CNP_HANDLED),
    TOTAL32("received_ecns", "packets received that a switch had marked for congestion", PACKETS, INFO, ECN_MARKED),
    TOTAL("requester_implicit_nak", "ACKs for a later packet than expected: a read response was lost", EVENTS, WARNING, RETRANSMISSIONS),
    TOTAL("requester_oos_nak", "NAKs for a missing packet received: loss on the way", EVENTS, WARNING, RETRANSMISSIONS),
    TOTAL("requester_readresp_psn_mismatch", "read responses with another packet number than expected", EVENTS, WARNING),
    TOTAL("requester_retries_exceeded", "queue pairs failed: the peer never answered", EVENTS, ERROR, TRANSPORT_RETRIES_EXCEEDED),
    TOTAL("requester_rnr_nak", "RNR NAKs received: the peer had no receive ready", EVENTS, WARNING, RNR_NAKS_RECEIVED),
    TOTAL("requester_rnr_nak_retries_exceeded", "queue pairs failed: the peer never had a receive ready", EVENTS, ERROR, RNR_RETRIES_EXCEEDED),
    TOTAL("requester_timeout", "no ACK in time: loss, congestion or a dead peer", EVENTS, WARNING, RETRANSMISSIONS),
    TOTAL("requestor_local_prot_error", "requester: local protection errors (memory key or range)", EVENTS, ERROR),
    TOTAL("responder_dup_request", "requests received again: an ACK was lost or late", REQUESTS, WARNING),
    TOTAL("responder_local_len_error", "responder: local length errors", EVENTS, ERROR),
    TOTAL("responder_local_qp_error", "responder: local queue pair operation errors", EVENTS, ERROR),
    TOTAL("responder_malformed_wqe", "responder: posted receives that are malformed", EVENTS, ERROR),
    TOTAL("responder_oos", "packets received out of order: loss on the way", PACKETS, WARNING, OUT_OF_SEQUENCE),
    TOTAL("responder_rem_access_error", "requests of peers refused: wrong key, range or permission", EVENTS, ERROR),
    TOTAL("responder_rnr_nak", "RNR NAKs sent: no receive was posted here", EVENTS, WARNING, RNR_NAKS_SENT),
    TOTAL("rx_bytes", "data received", BYTES, INFO, RECEIVED_BYTES),
    TOTAL("rx_packets", "packets received", PACKETS, INFO, RECEIVED_PACKETS),
    TOTAL("rx_read_requests", "read requests received", REQUESTS, INFO),
    TOTAL("rx_send_requests", "sends received", REQUESTS, INFO),
    TOTAL("rx_write_requests", "write requests received", REQUESTS, INFO),
    TOTAL32("sent_cnps", "CNPs sent: asked peers to slow down after packets marked for congestion", PACKETS, INFO, CNP_SENT),
    TOTAL("total_fatal_error", "errors that ended a queue pair", EVENTS, ERROR),
    TOTAL("tx_bytes", "data sent", BYTES, INFO, TRANSMITTED_BYTES),
    TOTAL("tx_packets", "packets sent", PACKETS, INFO, TRANSMITTED_PACKETS),
};

const struct counter_table counter_table_mana = TABLE("mana", "hw_counters", mana);
