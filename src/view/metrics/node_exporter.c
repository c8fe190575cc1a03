/* SPDX-License-Identifier: MIT */
/* What node_exporter's infiniband collector shows, under its names: for dashboards and alerts that go by
 * them, beside
 * --no-collector.infiniband. Names, help, and which file becomes which are version 1.11.1's, found by running
 * it over a tree whose files all had different values; tests/monitoring holds both against each other. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/metrics/family.h"

#define NAMES "node_infiniband_"

/* clang-format off */
#define PMA "counters"
#define EXT "counters_ext"
#define HW "hw_counters"

static const struct {
    const char *name, *dir, *file, *help;
} counters[] = {
    { "duplicate_requests_packets_total", HW, "duplicate_request",
      "The number of received packets. A duplicate request is a request that had been previously executed." },
    { "excessive_buffer_overrun_errors_total", PMA, "excessive_buffer_overrun_errors",
      "Number of times that OverrunErrors consecutive flow control update periods occurred, each having at least one overrun error." },
    { "implied_nak_seq_errors_total", HW, "implied_nak_seq_err",
      "The number of time the requested decided an ACK. with a PSN larger than the expected PSN for an RDMA read or response." },
    { "legacy_data_received_bytes_total", EXT, "port_rcv_data_64",
      "Number of data octets received on all links" },
    { "legacy_data_transmitted_bytes_total", EXT, "port_xmit_data_64",
      "Number of data octets transmitted on all links" },
    { "legacy_multicast_packets_received_total", EXT, "port_multicast_rcv_packets",
      "Number of multicast packets received" },
    { "legacy_multicast_packets_transmitted_total", EXT, "port_multicast_xmit_packets",
      "Number of multicast packets transmitted" },
    { "legacy_packets_received_total", EXT, "port_rcv_packets_64",
      "Number of data packets received on all links" },
    { "legacy_packets_transmitted_total", EXT, "port_xmit_packets_64",
      "Number of data packets received on all links" },
    { "legacy_unicast_packets_received_total", EXT, "port_unicast_rcv_packets",
      "Number of unicast packets received" },
    { "legacy_unicast_packets_transmitted_total", EXT, "port_unicast_xmit_packets",
      "Number of unicast packets transmitted" },
    { "link_downed_total", PMA, "link_downed",
      "Number of times the link failed to recover from an error state and went down" },
    { "link_error_recovery_total", PMA, "link_error_recovery",
      "Number of times the link successfully recovered from an error state" },
    { "local_ack_timeout_errors_total", HW, "local_ack_timeout_err",
      "The number of times QP's ack timer expired for RC, XRC, DCT QPs at the sender side. The QP retry limit was not exceed, therefore it is still recoverable error." },
    { "local_link_integrity_errors_total", PMA, "local_link_integrity_errors",
      "Number of times that the count of local physical errors exceeded the threshold specified by LocalPhyErrors." },
    { "multicast_packets_received_total", PMA, "multicast_rcv_packets",
      "Number of multicast packets received (including errors)" },
    { "multicast_packets_transmitted_total", PMA, "multicast_xmit_packets",
      "Number of multicast packets transmitted (including errors)" },
    { "np_cnp_packets_sent_total", HW, "np_cnp_sent",
      "The number of CNP packets sent by the Notification Point when it noticed congestion experienced in the RoCEv2 IP header (ECN bits). The counters was added in MLNX_OFED 4.1" },
    { "np_ecn_marked_roce_packets_received_total", HW, "np_ecn_marked_roce_packets",
      "The number of RoCEv2 packets received by the notification point which were marked for experiencing the congestion (ECN bits where '11' on the ingress RoCE traffic) . The counters was added in MLNX_OFED 4.1" },
    { "out_of_buffer_drops_total", HW, "out_of_buffer",
      "The number of drops occurred due to lack of WQE for the associated QPs." },
    { "out_of_sequence_packets_received_total", HW, "out_of_sequence",
      "The number of out of sequence packets received." },
    { "packet_sequence_errors_total", HW, "packet_seq_err",
      "The number of received NAK sequence error packets. The QP retry limit was not exceeded." },
    { "port_constraint_errors_received_total", PMA, "port_rcv_constraint_errors",
      "Number of packets received on the switch physical port that are discarded" },
    { "port_constraint_errors_transmitted_total", PMA, "port_xmit_constraint_errors",
      "Number of packets not transmitted from the switch physical port" },
    { "port_data_received_bytes_total", PMA, "port_rcv_data",
      "Number of data octets received on all links" },
    { "port_data_transmitted_bytes_total", PMA, "port_xmit_data",
      "Number of data octets transmitted on all links" },
    { "port_discards_received_total", PMA, "port_rcv_discards",
      "Number of inbound packets discarded by the port because the port is down or congested" },
    { "port_discards_transmitted_total", PMA, "port_xmit_discards",
      "Number of outbound packets discarded by the port because the port is down or congested" },
    { "port_errors_received_total", PMA, "port_rcv_errors",
      "Number of packets containing an error that were received on this port" },
    { "port_packets_received_total", PMA, "port_rcv_packets",
      "Number of packets received on all VLs by this port (including errors)" },
    { "port_packets_transmitted_total", PMA, "port_xmit_packets",
      "Number of packets transmitted on all VLs from this port (including errors)" },
    { "port_receive_remote_physical_errors_total", PMA, "port_rcv_remote_physical_errors",
      "Number of packets marked with the EBP (End of Bad Packet) delimiter received on the port." },
    { "port_receive_switch_relay_errors_total", PMA, "port_rcv_switch_relay_errors",
      "Number of packets that could not be forwarded by the switch." },
    { "port_transmit_wait_total", PMA, "port_xmit_wait",
      "Number of ticks during which the port had data to transmit but no data was sent during the entire tick" },
    { "req_cqes_errors_total", HW, "req_cqe_error",
      "The number of times requester detected CQEs completed with errors. The counters was added in MLNX_OFED 4.1" },
    { "req_cqes_flush_errors_total", HW, "req_cqe_flush_error",
      "The number of times requester detected CQEs completed with flushed errors. The counters was added in MLNX_OFED 4.1" },
    { "req_remote_access_errors_total", HW, "req_remote_access_errors",
      "The number of times requester detected remote access errors. The counters was added in MLNX_OFED 4.1" },
    { "req_remote_invalid_request_errors_total", HW, "req_remote_invalid_request",
      "The number of times requester detected remote invalid request errors. The counters was added in MLNX_OFED 4.1" },
    { "resp_cqes_errors_total", HW, "resp_cqe_error",
      "The number of times responder detected CQEs completed with errors. The counters was added in MLNX_OFED 4.1" },
    { "resp_cqes_flush_errors_total", HW, "resp_cqe_flush_error",
      "The number of times responder detected CQEs completed with flushed errors. The counters was added in MLNX_OFED 4.1" },
    { "resp_local_length_errors_total", HW, "resp_local_length_error",
      "The number of times responder detected local length errors. The counters was added in MLNX_OFED 4.1" },
    { "resp_remote_access_errors_total", HW, "resp_remote_access_errors",
      "The number of times responder detected remote access errors. The counters was added in MLNX_OFED 4.1" },
    { "rnr_nak_retry_packets_received_total", HW, "rnr_nak_retry_err",
      "The number of received RNR NAK packets. The QP retry limit was not exceeded." },
    { "roce_adp_retransmits_timeout_total", HW, "roce_adp_retrans_to",
      "The number of times RoCE traffic reached timeout due to adaptive retransmission. The counter was added in MLNX_OFED rev 5.0-1.0.0.0 and kernel v5.6.0" },
    { "roce_adp_retransmits_total", HW, "roce_adp_retrans",
      "The number of adaptive retransmissions for RoCE traffic. The counter was added in MLNX_OFED rev 5.0-1.0.0.0 and kernel v5.6.0" },
    { "roce_slow_restart_cnps_total", HW, "roce_slow_restart_cnps",
      "The number of times RoCE slow restart generated CNP packets. The counter was added in MLNX_OFED rev 5.0-1.0.0.0 and kernel v5.6.0" },
    { "roce_slow_restart_total", HW, "roce_slow_restart_trans",
      "The number of times RoCE slow restart changed state to slow restart. The counter was added in MLNX_OFED rev 5.0-1.0.0.0 and kernel v5.6.0" },
    { "roce_slow_restart_used_total", HW, "roce_slow_restart",
      "The number of times RoCE slow restart was used. The counter was added in MLNX_OFED rev 5.0-1.0.0.0 and kernel v5.6.0" },
    { "rp_cnp_ignored_packets_received_total", HW, "rp_cnp_ignored",
      "The number of CNP packets received and ignored by the Reaction Point HCA. This counter should not raise if RoCE Congestion Control was enabled in the network. If this counter raise, verify that ECN was enabled on the adapter." },
    { "rp_cnp_packets_handled_total", HW, "rp_cnp_handled",
      "The number of CNP packets handled by the Reaction Point HCA to throttle the transmission rate. The counters was added in MLNX_OFED 4.1" },
    { "rx_atomic_requests_total", HW, "rx_atomic_requests",
      "The number of received ATOMIC request for the associated QPs." },
    { "rx_dct_connect_requests_total", HW, "rx_dct_connect",
      "The number of received connection requests for the associated DCTs." },
    { "rx_icrc_encapsulated_errors_total", HW, "rx_icrc_encapsulated",
      "The number of RoCE packets with ICRC errors. This counter was added in MLNX_OFED 4.4 and kernel 4.19" },
    { "rx_read_requests_total", HW, "rx_read_requests",
      "The number of received READ requests for the associated QPs." },
    { "rx_write_requests_total", HW, "rx_write_requests",
      "The number of received WRITE requests for the associated QPs." },
    { "symbol_error_total", PMA, "symbol_error",
      "Number of minor link errors detected on one or more physical lanes." },
    { "unicast_packets_received_total", PMA, "unicast_rcv_packets",
      "Number of unicast packets received (including errors)" },
    { "unicast_packets_transmitted_total", PMA, "unicast_xmit_packets",
      "Number of unicast packets transmitted (including errors)" },
    { "vl15_dropped_total", PMA, "VL15_dropped",
      "Number of incoming VL15 packets dropped due to resource limitations." },
};
/* clang-format on */

/* As Go writes a float64 that nobody gave a precision: as few digits as tell it from its neighbours, and from
 * a million on with an exponent. */
static void write_number(char text[static 32], uint64_t value)
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

static void put_value(struct filling *filling, const char *name, const char *labels, uint64_t value)
{
    char text[32];
    write_number(text, value);
    exposition_sample_text(filling->to, name, labels, text);
}

static const struct counter *find(const struct port *port, const char *dir, const char *file)
{
    for (size_t i = 0; i < port->ncounters; i++)
        if (strcmp(port->counters[i].name, file) == 0 && strcmp(port->counters[i].dir, dir) == 0)
            return &port->counters[i];
    return NULL;
}

static void put_counters(struct filling *filling, size_t which)
{
    bool begun = false;
    char name[96];
    snprintf(name, sizeof(name), NAMES "%s", counters[which].name);
    for (size_t i = 0; i < filling->ports.count; i++) {
        const struct counter *counter = find(filling->ports.items[i].port, counters[which].dir,
                                             counters[which].file);
        if (!counter || !counter->raw.known)
            continue;
        if (!begun)
            exposition_family(filling->to, name, METRIC_COUNTER, NULL, counters[which].help);
        begun = true;
        put_value(filling, name, filling->ports.items[i].labels,
                  counter_value(counter->def, counter->raw.value));
    }
}

static void put_info(struct filling *filling)
{
    for (size_t i = 0; i < filling->devices.count; i++) {
        const struct device *device = filling->devices.items[i].device;
        if (i == 0)
            exposition_family(filling->to, NAMES "info", METRIC_GAUGE, NULL,
                              "Non-numeric data from /sys/class/infiniband/<device>, value is always 1.");
        const char *labels = with_label(filling, "", "board_id", device->board_id);
        labels = with_label(filling, labels, "device", device->name);
        labels = with_label(filling, labels, "firmware_version", device->fw_ver);
        put_value(filling, NAMES "info", with_label(filling, labels, "hca_type", device->hca_type), 1);
    }
}

/* Whole seconds of some milliseconds: 0, as there. */
static struct num lifespan(const struct port *port)
{
    const struct counter *counter = find(port, HW, "lifespan");
    return counter && counter->raw.known ? num_of(counter->raw.value / 1000) : (struct num){ 0 };
}

static struct num state(const struct port *port)
{
    return port->state;
}

static struct num physical_state(const struct port *port)
{
    return port->phys_state;
}

static struct num rate(const struct port *port)
{
    return num_if(port->rate_mbps.known, port->rate_mbps.value * (1000000 / 8));
}

static const struct {
    const char *name;
    struct num (*value)(const struct port *port);
    const char *help;
} gauges[] = {
    { NAMES "lifespan_seconds", lifespan,
      "The maximum period in ms which defines the aging of the counter reads. Two consecutive reads within this period might return the same values." },
    { NAMES "physical_state_id", physical_state,
      "Physical state of the InfiniBand port (0: no change, 1: sleep, 2: polling, 3: disable, 4: shift, 5: link up, 6: link error recover, 7: phytest)" },
    { NAMES "rate_bytes_per_second", rate, "Maximum signal transfer rate" },
    { NAMES "state_id", state,
      "State of the InfiniBand port (0: no change, 1: down, 2: init, 3: armed, 4: active, 5: act defer)" },
};

static void put_gauges(struct filling *filling)
{
    for (size_t g = 0; g < ARRAY_SIZE(gauges); g++) {
        bool begun = false;
        for (size_t i = 0; i < filling->ports.count; i++) {
            struct num value = gauges[g].value(filling->ports.items[i].port);
            if (!value.known)
                continue;
            if (!begun)
                exposition_family(filling->to, gauges[g].name, METRIC_GAUGE, NULL, gauges[g].help);
            begun = true;
            put_value(filling, gauges[g].name, filling->ports.items[i].labels, value.value);
        }
    }
}

void fill_as_node_exporter(struct filling *filling)
{
    put_info(filling);
    put_gauges(filling);
    for (size_t i = 0; i < ARRAY_SIZE(counters); i++)
        put_counters(filling, i);
}
