/* SPDX-License-Identifier: MIT */
/* What node_exporter's infiniband collector shows, under its names: for dashboards and alerts that go by
 * them, beside
 * --no-collector.infiniband. Names, help, and which file becomes which are version 1.11.1's, found by running
 * it over a tree whose files all had different values; tests/monitoring holds both against each other. */
#include "view/metrics/family.h"

/* Whole seconds of some milliseconds: 0, as there. */
static struct num lifespan(const struct target *target)
{
    for (size_t i = 0; i < target->port->ncounters; i++) {
        const struct counter *counter = &target->port->counters[i];
        if (strcmp(counter->name, "lifespan") == 0 && strcmp(counter->dir, "hw_counters") == 0)
            return num_if(counter->raw.known, counter->raw.value / 1000);
    }
    return (struct num){ 0 };
}

#define NUMBER(...) MEMBER_AS(VALUE_UNSIGNED, struct target, __VA_ARGS__)
/* clang-format off */
#define COUNTER(directory, name_, file_, help_) \
    { name_, help_, METRIC_COUNTER, OF_PORTS, .dir = directory, .file = file_ }
#define PMA(...) COUNTER("counters", __VA_ARGS__)
#define EXT(...) COUNTER("counters_ext", __VA_ARGS__)
#define HW(...) COUNTER("hw_counters", __VA_ARGS__)

static const struct family families[] = {
    { "info", "Non-numeric data from /sys/class/infiniband/<device>, value is always 1.", METRIC_GAUGE, .of = OF_NODE_DEVICES },
    { "lifespan_seconds",
      "The maximum period in ms which defines the aging of the counter reads. Two consecutive reads within this period might return the same values.",
      METRIC_GAUGE, OF_PORTS, .number = lifespan },
    { "physical_state_id",
      "Physical state of the InfiniBand port (0: no change, 1: sleep, 2: polling, 3: disable, 4: shift, 5: link up, 6: link error recover, 7: phytest)",
      METRIC_GAUGE, OF_PORTS, NUMBER(port, phys_state) },
    { "rate_bytes_per_second", "Maximum signal transfer rate", METRIC_GAUGE, OF_PORTS, .number = port_bytes_per_second },
    { "state_id", "State of the InfiniBand port (0: no change, 1: down, 2: init, 3: armed, 4: active, 5: act defer)",
      METRIC_GAUGE, OF_PORTS, NUMBER(port, state) },
    HW("duplicate_requests_packets_total", "duplicate_request",
        "The number of received packets. A duplicate request is a request that had been previously executed."),
    PMA("excessive_buffer_overrun_errors_total", "excessive_buffer_overrun_errors",
        "Number of times that OverrunErrors consecutive flow control update periods occurred, each having at least one overrun error."),
    HW("implied_nak_seq_errors_total", "implied_nak_seq_err",
        "The number of time the requested decided an ACK. with a PSN larger than the expected PSN for an RDMA read or response."),
    EXT("legacy_data_received_bytes_total", "port_rcv_data_64",
        "Number of data octets received on all links"),
    EXT("legacy_data_transmitted_bytes_total", "port_xmit_data_64",
        "Number of data octets transmitted on all links"),
    EXT("legacy_multicast_packets_received_total", "port_multicast_rcv_packets",
        "Number of multicast packets received"),
    EXT("legacy_multicast_packets_transmitted_total", "port_multicast_xmit_packets",
        "Number of multicast packets transmitted"),
    EXT("legacy_packets_received_total", "port_rcv_packets_64",
        "Number of data packets received on all links"),
    EXT("legacy_packets_transmitted_total", "port_xmit_packets_64",
        "Number of data packets received on all links"),
    EXT("legacy_unicast_packets_received_total", "port_unicast_rcv_packets",
        "Number of unicast packets received"),
    EXT("legacy_unicast_packets_transmitted_total", "port_unicast_xmit_packets",
        "Number of unicast packets transmitted"),
    PMA("link_downed_total", "link_downed",
        "Number of times the link failed to recover from an error state and went down"),
    PMA("link_error_recovery_total", "link_error_recovery",
        "Number of times the link successfully recovered from an error state"),
    HW("local_ack_timeout_errors_total", "local_ack_timeout_err",
        "The number of times QP's ack timer expired for RC, XRC, DCT QPs at the sender side. The QP retry limit was not exceed, therefore it is still recoverable error."),
    PMA("local_link_integrity_errors_total", "local_link_integrity_errors",
        "Number of times that the count of local physical errors exceeded the threshold specified by LocalPhyErrors."),
    PMA("multicast_packets_received_total", "multicast_rcv_packets",
        "Number of multicast packets received (including errors)"),
    PMA("multicast_packets_transmitted_total", "multicast_xmit_packets",
        "Number of multicast packets transmitted (including errors)"),
    HW("np_cnp_packets_sent_total", "np_cnp_sent",
        "The number of CNP packets sent by the Notification Point when it noticed congestion experienced in the RoCEv2 IP header (ECN bits). The counters was added in MLNX_OFED 4.1"),
    HW("np_ecn_marked_roce_packets_received_total", "np_ecn_marked_roce_packets",
        "The number of RoCEv2 packets received by the notification point which were marked for experiencing the congestion (ECN bits where '11' on the ingress RoCE traffic) . The counters was added in MLNX_OFED 4.1"),
    HW("out_of_buffer_drops_total", "out_of_buffer",
        "The number of drops occurred due to lack of WQE for the associated QPs."),
    HW("out_of_sequence_packets_received_total", "out_of_sequence",
        "The number of out of sequence packets received."),
    HW("packet_sequence_errors_total", "packet_seq_err",
        "The number of received NAK sequence error packets. The QP retry limit was not exceeded."),
    PMA("port_constraint_errors_received_total", "port_rcv_constraint_errors",
        "Number of packets received on the switch physical port that are discarded"),
    PMA("port_constraint_errors_transmitted_total", "port_xmit_constraint_errors",
        "Number of packets not transmitted from the switch physical port"),
    PMA("port_data_received_bytes_total", "port_rcv_data",
        "Number of data octets received on all links"),
    PMA("port_data_transmitted_bytes_total", "port_xmit_data",
        "Number of data octets transmitted on all links"),
    PMA("port_discards_received_total", "port_rcv_discards",
        "Number of inbound packets discarded by the port because the port is down or congested"),
    PMA("port_discards_transmitted_total", "port_xmit_discards",
        "Number of outbound packets discarded by the port because the port is down or congested"),
    PMA("port_errors_received_total", "port_rcv_errors",
        "Number of packets containing an error that were received on this port"),
    PMA("port_packets_received_total", "port_rcv_packets",
        "Number of packets received on all VLs by this port (including errors)"),
    PMA("port_packets_transmitted_total", "port_xmit_packets",
        "Number of packets transmitted on all VLs from this port (including errors)"),
    PMA("port_receive_remote_physical_errors_total", "port_rcv_remote_physical_errors",
        "Number of packets marked with the EBP (End of Bad Packet) delimiter received on the port."),
    PMA("port_receive_switch_relay_errors_total", "port_rcv_switch_relay_errors",
        "Number of packets that could not be forwarded by the switch."),
    PMA("port_transmit_wait_total", "port_xmit_wait",
        "Number of ticks during which the port had data to transmit but no data was sent during the entire tick"),
    HW("req_cqes_errors_total", "req_cqe_error",
        "The number of times requester detected CQEs completed with errors. The counters was added in MLNX_OFED 4.1"),
    HW("req_cqes_flush_errors_total", "req_cqe_flush_error",
        "The number of times requester detected CQEs completed with flushed errors. The counters was added in MLNX_OFED 4.1"),
    HW("req_remote_access_errors_total", "req_remote_access_errors",
        "The number of times requester detected remote access errors. The counters was added in MLNX_OFED 4.1"),
    HW("req_remote_invalid_request_errors_total", "req_remote_invalid_request",
        "The number of times requester detected remote invalid request errors. The counters was added in MLNX_OFED 4.1"),
    HW("resp_cqes_errors_total", "resp_cqe_error",
        "The number of times responder detected CQEs completed with errors. The counters was added in MLNX_OFED 4.1"),
    HW("resp_cqes_flush_errors_total", "resp_cqe_flush_error",
        "The number of times responder detected CQEs completed with flushed errors. The counters was added in MLNX_OFED 4.1"),
    HW("resp_local_length_errors_total", "resp_local_length_error",
        "The number of times responder detected local length errors. The counters was added in MLNX_OFED 4.1"),
    HW("resp_remote_access_errors_total", "resp_remote_access_errors",
        "The number of times responder detected remote access errors. The counters was added in MLNX_OFED 4.1"),
    HW("rnr_nak_retry_packets_received_total", "rnr_nak_retry_err",
        "The number of received RNR NAK packets. The QP retry limit was not exceeded."),
    HW("roce_adp_retransmits_timeout_total", "roce_adp_retrans_to",
        "The number of times RoCE traffic reached timeout due to adaptive retransmission. The counter was added in MLNX_OFED rev 5.0-1.0.0.0 and kernel v5.6.0"),
    HW("roce_adp_retransmits_total", "roce_adp_retrans",
        "The number of adaptive retransmissions for RoCE traffic. The counter was added in MLNX_OFED rev 5.0-1.0.0.0 and kernel v5.6.0"),
    HW("roce_slow_restart_cnps_total", "roce_slow_restart_cnps",
        "The number of times RoCE slow restart generated CNP packets. The counter was added in MLNX_OFED rev 5.0-1.0.0.0 and kernel v5.6.0"),
    HW("roce_slow_restart_total", "roce_slow_restart_trans",
        "The number of times RoCE slow restart changed state to slow restart. The counter was added in MLNX_OFED rev 5.0-1.0.0.0 and kernel v5.6.0"),
    HW("roce_slow_restart_used_total", "roce_slow_restart",
        "The number of times RoCE slow restart was used. The counter was added in MLNX_OFED rev 5.0-1.0.0.0 and kernel v5.6.0"),
    HW("rp_cnp_ignored_packets_received_total", "rp_cnp_ignored",
        "The number of CNP packets received and ignored by the Reaction Point HCA. This counter should not raise if RoCE Congestion Control was enabled in the network. If this counter raise, verify that ECN was enabled on the adapter."),
    HW("rp_cnp_packets_handled_total", "rp_cnp_handled",
        "The number of CNP packets handled by the Reaction Point HCA to throttle the transmission rate. The counters was added in MLNX_OFED 4.1"),
    HW("rx_atomic_requests_total", "rx_atomic_requests",
        "The number of received ATOMIC request for the associated QPs."),
    HW("rx_dct_connect_requests_total", "rx_dct_connect",
        "The number of received connection requests for the associated DCTs."),
    HW("rx_icrc_encapsulated_errors_total", "rx_icrc_encapsulated",
        "The number of RoCE packets with ICRC errors. This counter was added in MLNX_OFED 4.4 and kernel 4.19"),
    HW("rx_read_requests_total", "rx_read_requests",
        "The number of received READ requests for the associated QPs."),
    HW("rx_write_requests_total", "rx_write_requests",
        "The number of received WRITE requests for the associated QPs."),
    PMA("symbol_error_total", "symbol_error",
        "Number of minor link errors detected on one or more physical lanes."),
    PMA("unicast_packets_received_total", "unicast_rcv_packets",
        "Number of unicast packets received (including errors)"),
    PMA("unicast_packets_transmitted_total", "unicast_xmit_packets",
        "Number of unicast packets transmitted (including errors)"),
    PMA("vl15_dropped_total", "VL15_dropped",
        "Number of incoming VL15 packets dropped due to resource limitations."),
    { 0 },
};
/* clang-format on */

/* As Go writes a float64 that nobody gave a precision: as few digits as tell it from its neighbours, and from
 * a million on with an exponent. */
static void write_as_go(char text[static 32], uint64_t value)
{
    double number = (double)value;
    char digits[32] = "";
    int precision = 0;
    do
        snprintf(digits, sizeof(digits), "%.*e", precision, number);
    while (strtod(digits, NULL) != number && ++precision < 17);
    if (value < 1000000)
        snprintf(text, 32, "%" PRIu64, value);
    else
        snprintf(text, 32, "%s", digits);
}

void metrics_write_as_node_exporter(const struct metrics *metrics, struct exposition *to)
{
    static const struct naming naming = { .prefix = "node_infiniband_", .number = write_as_go };
    struct filling filling = { .metrics = metrics, .naming = &naming, .to = to, .arena = arena_new() };
    put_families(&filling, families);
    exposition_end(to);
    arena_free(filling.arena);
}
