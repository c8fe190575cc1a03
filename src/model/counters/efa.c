/* SPDX-License-Identifier: MIT */
/* Amazon Elastic Fabric Adapter (SRD, no RoCE): hw_counters of the device (commands, failed calls) and of its
 * port.
 *
 * Names: Linux 7.3, drivers/infiniband/hw/efa/efa_verbs.c; 64 bits. Meanings: AWS, "Monitor an Elastic Fabric
 * Adapter", and the field names of efa_admin_cmds_defs.h. */
#include "model/counters/tables.h"

/* clang-format off */
static const struct counter_def efa[] = {
    TOTAL("alloc_pd_err", "protection domains that could not be created", EVENTS, ERROR),
    TOTAL("alloc_ucontext_err", "device contexts that could not be opened", EVENTS, ERROR),
    TOTAL("cmds_err", "commands to the device that failed", REQUESTS, ERROR),
    TOTAL("completed_cmds", "commands to the device completed", REQUESTS, INFO),
    TOTAL("create_ah_err", "address handles that could not be created", EVENTS, ERROR),
    TOTAL("create_cq_err", "completion queues that could not be created", EVENTS, ERROR),
    TOTAL("create_qp_err", "queue pairs that could not be created", EVENTS, ERROR),
    TOTAL("impaired_remote_conn_events", "times that a connection to a peer became impaired: throughput is limited", EVENTS, ERROR),
    TOTAL("keep_alive_rcvd", "keep-alive events from the device", EVENTS, INFO),
    TOTAL("mmap_err", "mappings of device memory that failed", EVENTS, ERROR),
    TOTAL("no_completion_cmds", "commands to the device that were never answered", REQUESTS, ERROR),
    TOTAL("rdma_read_bytes", "data read from peers", BYTES, INFO),
    TOTAL("rdma_read_resp_bytes", "data that peers read from here", BYTES, INFO),
    TOTAL("rdma_read_wr_err", "reads that failed", REQUESTS, ERROR),
    TOTAL("rdma_read_wrs", "reads posted", REQUESTS, INFO),
    TOTAL("rdma_write_bytes", "data written to peers", BYTES, INFO),
    TOTAL("rdma_write_recv_bytes", "data that peers wrote here", BYTES, INFO),
    TOTAL("rdma_write_wr_err", "writes that failed", REQUESTS, ERROR),
    TOTAL("rdma_write_wrs", "writes posted", REQUESTS, INFO),
    TOTAL("recv_bytes", "data received by receives", BYTES, INFO),
    TOTAL("recv_wrs", "receives completed", REQUESTS, INFO),
    TOTAL("reg_mr_err", "memory registrations that failed", EVENTS, ERROR),
    TOTAL("retrans_bytes", "data sent again", BYTES, WARNING),
    TOTAL("retrans_pkts", "packets sent again", PACKETS, WARNING, RETRANSMISSIONS),
    TOTAL("retrans_timeout_events", "times that sending again timed out and the path was changed", EVENTS, WARNING),
    TOTAL("rx_bytes", "data received", BYTES, INFO, RECEIVED_BYTES),
    TOTAL("rx_drops", "packets received and dropped", PACKETS, WARNING, DISCARDS),
    TOTAL("rx_pkts", "packets received", PACKETS, INFO, RECEIVED_PACKETS),
    TOTAL("send_bytes", "data sent by sends", BYTES, INFO),
    TOTAL("send_wrs", "sends posted", REQUESTS, INFO),
    TOTAL("submitted_cmds", "commands to the device submitted", REQUESTS, INFO),
    TOTAL("tx_bytes", "data sent", BYTES, INFO, TRANSMITTED_BYTES),
    TOTAL("tx_pkts", "packets sent", PACKETS, INFO, TRANSMITTED_PACKETS),
    TOTAL("unresponsive_remote_events", "times that a peer stopped answering", EVENTS, ERROR, TRANSPORT_RETRIES_EXCEEDED),
};

const struct counter_table counter_table_efa = TABLE("efa", "hw_counters", efa);
