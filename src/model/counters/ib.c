/* SPDX-License-Identifier: MIT */
/* What every driver has: ports/N/counters, counters_ext, and the lifespan in hw_counters.
 *
 * Names and widths: Linux 7.3, drivers/infiniband/core/sysfs.c (the sets of 17, 21 and 17 files that it
 * chooses from according to the port's ClassPortInfo). Meanings:
 * Documentation/ABI/stable/sysfs-class-infiniband, and PortCounters and PortCountersExtended of the InfiniBand
 * Architecture Specification, volume 1, chapter 16. The ABI page spells one file port_rcv_contraint_errors; the
 * kernel creates port_rcv_constraint_errors. counters_ext existed before Linux 4.5. */
#include "model/counters/tables.h"

/* 32 bits in the set of 17 files, 64 in the others. Data is counted in words of 4 bytes. */
#define EITHER(NAME, MEANING, UNIT, SCALE, ...) \
    ROW(NAME, MEANING, UNIT, INFO, SCALE, .width = 64, .narrow = 32, .saturates = true, ROLE(__VA_ARGS__))

/* clang-format off */
static const struct counter_def ib[] = {
    CAPPED("VL15_dropped", "subnet management packets dropped for lack of buffers", PACKETS, INFO, 16),
    CAPPED("excessive_buffer_overrun_errors", "receive buffer overran again and again: flow control set wrong or a bad link", EVENTS, ERROR, 4, LINK_ERRORS),
    CAPPED("link_downed", "link went down because error recovery failed: flaps", EVENTS, ERROR, 8, LINK_ERRORS),
    CAPPED("link_error_recovery", "link recovered from errors by training again", EVENTS, WARNING, 8, LINK_ERRORS),
    CAPPED("local_link_integrity_errors", "physical errors passed the port's threshold: cable, transceiver or port", EVENTS, ERROR, 4, LINK_ERRORS),
    CAPPED("multicast_rcv_packets", "multicast packets received, those with errors included", PACKETS, INFO, 64),
    CAPPED("multicast_xmit_packets", "multicast packets sent, those with errors included", PACKETS, INFO, 64),
    CAPPED("port_rcv_constraint_errors", "packets dropped on receipt by partition or raw packet filter", PACKETS, WARNING, 8),
    EITHER("port_rcv_data", "data received", BYTES, 4, RECEIVED_BYTES),
    CAPPED("port_rcv_errors", "packets received with an error and dropped", PACKETS, ERROR, 16, LINK_ERRORS),
    EITHER("port_rcv_packets", "packets received, those with errors included", PACKETS, 1, RECEIVED_PACKETS),
    CAPPED("port_rcv_remote_physical_errors", "packets received that a switch had marked bad: an error further up the path", PACKETS, WARNING, 16, LINK_ERRORS),
    CAPPED("port_rcv_switch_relay_errors", "packets dropped because they could not be forwarded", PACKETS, WARNING, 16),
    CAPPED("port_xmit_constraint_errors", "packets not sent because of partition or raw packet filter", PACKETS, WARNING, 8),
    EITHER("port_xmit_data", "data sent", BYTES, 4, TRANSMITTED_BYTES),
    CAPPED("port_xmit_discards", "packets dropped before sending: port down or congested", PACKETS, WARNING, 16, DISCARDS),
    EITHER("port_xmit_packets", "packets sent, those with errors included", PACKETS, 1, TRANSMITTED_PACKETS),
    CAPPED("port_xmit_wait", "time with data to send and nothing sent: no credit, pause, or other queues first", TICKS, WARNING, 32),
    CAPPED("symbol_error", "minor errors on the physical lanes: cable or transceiver if it keeps growing", EVENTS, WARNING, 16, LINK_ERRORS),
    CAPPED("unicast_rcv_packets", "unicast packets received, those with errors included", PACKETS, INFO, 64),
    CAPPED("unicast_xmit_packets", "unicast packets sent, those with errors included", PACKETS, INFO, 64),
};

static const struct counter_def ib_ext[] = {
    CAPPED("port_multicast_rcv_packets", "multicast packets received, those with errors included", PACKETS, INFO, 64),
    CAPPED("port_multicast_xmit_packets", "multicast packets sent, those with errors included", PACKETS, INFO, 64),
    { .name = "port_rcv_data_64", .meaning = "data received", .unit = COUNTER_BYTES, .width = 64, .scale = 4, .saturates = true, .role = ROLE_RECEIVED_BYTES },
    CAPPED("port_rcv_packets_64", "packets received, those with errors included", PACKETS, INFO, 64, RECEIVED_PACKETS),
    CAPPED("port_unicast_rcv_packets", "unicast packets received, those with errors included", PACKETS, INFO, 64),
    CAPPED("port_unicast_xmit_packets", "unicast packets sent, those with errors included", PACKETS, INFO, 64),
    { .name = "port_xmit_data_64", .meaning = "data sent", .unit = COUNTER_BYTES, .width = 64, .scale = 4, .saturates = true, .role = ROLE_TRANSMITTED_BYTES },
    CAPPED("port_xmit_packets_64", "packets sent, those with errors included", PACKETS, INFO, 64, TRANSMITTED_PACKETS),
};

static const struct counter_def ib_hw[] = {
    { .name = "lifespan", .meaning = "how long the kernel answers from its copy before it asks the device again", .unit = COUNTER_MILLISECONDS, .kind = COUNTER_SETTING, .scale = 1 },
};

const struct counter_table counter_table_ib = TABLE(NULL, "counters", ib);
const struct counter_table counter_table_ib_ext = TABLE(NULL, "counters_ext", ib_ext);
const struct counter_table counter_table_ib_hw = TABLE(NULL, "hw_counters", ib_hw);
