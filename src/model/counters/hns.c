/* SPDX-License-Identifier: MIT */
/* HiSilicon Hip: hw_counters of ports, above HIP08 and not on virtual functions.
 *
 * Names: Linux 7.3, drivers/infiniband/hw/hns/hns_roce_main.c (rx_rc_pkt to cq_notify); those of events,
 * commands and failed calls (aeqe to uctx_alloc_err, HNS_ROCE_DFX_* there) went to debugfs, but some drivers
 * show them here. Widths: 64 bits. Meanings: from the names and hns_roce_device.h; where those name only a
 * block of the chip, so does the row. */
#include "model/counters/tables.h"

/* clang-format off */
static const struct counter_def hns[] = {
    TOTAL("aeqe", "asynchronous events from the device", EVENTS, INFO),
    TOTAL("ah_create_err", "address handles that could not be created", EVENTS, ERROR),
    TOTAL("ceqe", "completion events from the device", EVENTS, INFO),
    TOTAL("cmds", "commands to the firmware", REQUESTS, INFO),
    TOTAL("cmds_err", "commands to the firmware that failed", REQUESTS, ERROR),
    TOTAL("cq_cqe", "completions written", EVENTS, INFO),
    TOTAL("cq_create_err", "completion queues that could not be created", EVENTS, ERROR),
    TOTAL("cq_modify_err", "completion queues that could not be changed", EVENTS, ERROR),
    TOTAL("cq_notify", "notifications of completion queues", EVENTS, INFO),
    TOTAL("cq_poe", "completions passed on to another device (POE)", EVENTS, INFO),
    TOTAL("ecn_doorbell", "doorbells of congestion control", EVENTS, INFO),
    TOTAL("mbx_event", "mailbox commands completed by an event", EVENTS, INFO),
    TOTAL("mmap_err", "mappings of device memory that failed", EVENTS, ERROR),
    TOTAL("mr_reg_err", "memory registrations that failed", EVENTS, ERROR),
    TOTAL("mr_rereg_err", "memory re-registrations that failed", EVENTS, ERROR),
    TOTAL("polled_mbx", "mailbox commands completed by polling", REQUESTS, INFO),
    TOTAL("posted_mbx", "mailbox commands posted", REQUESTS, INFO),
    TOTAL("qp_create_err", "queue pairs that could not be created", EVENTS, ERROR),
    TOTAL("qp_modify_err", "queue pairs that could not be changed", EVENTS, ERROR),
    TOTAL("rx_buffer", "packets through the receive buffer", PACKETS, INFO),
    TOTAL("rx_cnp_pkt", "CNPs received: this port was asked to slow down", PACKETS, INFO, CNP_HANDLED),
    TOTAL("rx_err_pkt", "packets received with an error", PACKETS, ERROR, PACKET_ERRORS),
    TOTAL("rx_pkt", "packets received", PACKETS, INFO),
    TOTAL("rx_rc_pkt", "RC packets received", PACKETS, INFO, RECEIVED_PACKETS),
    TOTAL("rx_uc_pkt", "UC packets received", PACKETS, INFO, RECEIVED_PACKETS),
    TOTAL("rx_ud_pkt", "UD packets received", PACKETS, INFO, RECEIVED_PACKETS),
    TOTAL("rx_xrc_pkt", "XRC packets received", PACKETS, INFO, RECEIVED_PACKETS),
    TOTAL("srq_create_err", "shared receive queues that could not be created", EVENTS, ERROR),
    TOTAL("srq_modify_err", "shared receive queues that could not be changed", EVENTS, ERROR),
    TOTAL("trp_get_irrl_err_pkt", "packets that failed to fetch the list of incoming reads (IRRL)", PACKETS, ERROR),
    TOTAL("trp_get_mpt_err_pkt", "packets that failed to fetch the memory protection table (MPT)", PACKETS, ERROR),
    TOTAL("trp_rx_sof", "packets that the transport block began to receive", PACKETS, INFO),
    TOTAL("tx_cnp_pkt", "CNPs sent: asked peers to slow down after packets marked for congestion", PACKETS, INFO, CNP_SENT),
    TOTAL("tx_err_pkt", "packets to send that had an error", PACKETS, ERROR, PACKET_ERRORS),
    TOTAL("tx_pkt", "packets sent", PACKETS, INFO),
    TOTAL("tx_rc_pkt", "RC packets sent", PACKETS, INFO, TRANSMITTED_PACKETS),
    TOTAL("tx_uc_pkt", "UC packets sent", PACKETS, INFO, TRANSMITTED_PACKETS),
    TOTAL("tx_ud_pkt", "UD packets sent", PACKETS, INFO, TRANSMITTED_PACKETS),
    TOTAL("tx_xrc_pkt", "XRC packets sent", PACKETS, INFO, TRANSMITTED_PACKETS),
    TOTAL("uctx_alloc_err", "device contexts that could not be opened", EVENTS, ERROR),
    TOTAL("xrcd_alloc_err", "XRC domains that could not be created", EVENTS, ERROR),
};

const struct counter_table counter_table_hns = TABLE("hns", "hw_counters", hns);
