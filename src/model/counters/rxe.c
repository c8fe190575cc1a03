/* SPDX-License-Identifier: MIT */
/* Soft-RoCE.
 *
 * Names: Linux 7.3, drivers/infiniband/sw/rxe/rxe_hw_counters.c (sent_bytes and rcvd_bytes are newer
 * than 6.12); 64 bits. Meanings: from where rxe_comp.c, rxe_resp.c, rxe_net.c and rxe_recv.c count
 * them. duplicate_request, rcvd_rnr_err and completer_retry_err also grow on a healthy but slow machine. */
#include "model/counters/tables.h"

/* clang-format off */
static const struct counter_def rxe[] = {
    TOTAL("ack_deferred", "responses put off to the completer's work queue", EVENTS, INFO),
    TOTAL("completer_retry_err", "times that requests were sent again", EVENTS, WARNING),
    TOTAL("duplicate_request", "requests received again: an ACK was lost or late", PACKETS, WARNING),
    TOTAL("link_downed", "times that the netdev below went down", EVENTS, WARNING, LINK_ERRORS),
    TOTAL("out_of_seq_request", "requests received out of order: loss on the way", PACKETS, WARNING, OUT_OF_SEQUENCE),
    TOTAL("rcvd_bytes", "data received", BYTES, INFO, RECEIVED_BYTES),
    TOTAL("rcvd_pkts", "packets received", PACKETS, INFO, RECEIVED_PACKETS),
    TOTAL("rcvd_rnr_err", "RNR NAKs received: the peer had no receive ready", EVENTS, WARNING, RNR_NAKS_RECEIVED),
    TOTAL("rcvd_seq_err", "NAKs for a missing packet received: loss on the way", EVENTS, WARNING, RETRANSMISSIONS),
    TOTAL("rdma_recvs", "receives completed", REQUESTS, INFO),
    TOTAL("rdma_sends", "sends completed", REQUESTS, INFO),
    TOTAL("retry_exceeded_err", "queue pairs failed: the peer never answered", EVENTS, ERROR, TRANSPORT_RETRIES_EXCEEDED),
    TOTAL("retry_rnr_exceeded_err", "queue pairs failed: the peer never had a receive ready", EVENTS, ERROR, RNR_RETRIES_EXCEEDED),
    TOTAL("send_err", "packets that the netdev below did not take", PACKETS, ERROR),
    TOTAL("send_rnr_err", "RNR NAKs sent: no receive was posted here", EVENTS, WARNING, RNR_NAKS_SENT),
    TOTAL("sent_bytes", "data sent", BYTES, INFO, TRANSMITTED_BYTES),
    TOTAL("sent_pkts", "packets sent", PACKETS, INFO, TRANSMITTED_PACKETS),
};

const struct counter_table counter_table_rxe = TABLE("rxe", "hw_counters", rxe);
