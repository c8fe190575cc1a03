/* SPDX-License-Identifier: MIT */
/* Alibaba Cloud Elastic RDMA (iWARP).
 *
 * Names: Linux 7.3, drivers/infiniband/hw/erdma/erdma_verbs.c; 64 bits. Meanings: from the names, and from the
 * field names of the device's reply in erdma_hw.h ("meter": the limits of the instance type). */
#include "model/counters/tables.h"

/* clang-format off */
static const struct counter_def erdma[] = {
    TOTAL("rx_bps_limit_drop_cnt", "packets received and dropped above the instance's bandwidth limit", PACKETS, WARNING, DISCARDS),
    TOTAL("rx_bytes_cnt", "data received", BYTES, INFO, RECEIVED_BYTES),
    TOTAL("rx_disable_drop_cnt", "packets received and dropped because receiving is disabled", PACKETS, ERROR, DISCARDS),
    TOTAL("rx_packets_cnt", "packets received", PACKETS, INFO, RECEIVED_PACKETS),
    TOTAL("rx_pps_limit_drop_cnt", "packets received and dropped above the instance's packet rate limit", PACKETS, WARNING, DISCARDS),
    TOTAL("tx_bps_limit_drop_cnt", "packets to send dropped above the instance's bandwidth limit", PACKETS, WARNING, DISCARDS),
    TOTAL("tx_bytes_cnt", "data sent", BYTES, INFO, TRANSMITTED_BYTES),
    TOTAL("tx_disable_drop_cnt", "packets to send dropped because sending is disabled", PACKETS, ERROR, DISCARDS),
    TOTAL("tx_packets_cnt", "packets sent", PACKETS, INFO, TRANSMITTED_PACKETS),
    TOTAL("tx_pps_limit_drop_cnt", "packets to send dropped above the instance's packet rate limit", PACKETS, WARNING, DISCARDS),
    TOTAL("tx_reqs_cnt", "requests sent", REQUESTS, INFO),
};

const struct counter_table counter_table_erdma = TABLE("erdma", "hw_counters", erdma);
