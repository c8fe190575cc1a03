/* SPDX-License-Identifier: MIT */
/* Intel E800 (RoCE v2 and iWARP), X722 (iWARP, also by the older driver i40iw), E2100 and its virtual
 * functions.
 *
 * Names: Linux 7.3, drivers/infiniband/hw/irdma/verbs.c; tcp* and iw* are what 6.12 and before call
 * RetransSegs, InOptErrors, InProtoErrors, InSegs, OutSegs, In…, Out… and Rdma…. Names with blanks are
 * E2100's. The device's counters are 24 to 56 bits wide, but the driver adds up their differences in 64
 * (ctrl.c, irdma_update_stats). Meanings: by the names (the MIBs of IP, RFC 4293, and TCP, RFC 4022) and by
 * the register names in icrdma_hw.h; operations are counted for RoCE too. */
#include "model/counters/tables.h"

/* clang-format off */
static const struct counter_def irdma[] = {
    TOTAL("CRC errors", "packets received with a wrong checksum: damaged on the way", PACKETS, ERROR, ICRC_ERRORS),
    TOTAL("InOptErrors", "TCP segments received with bad options (iWARP)", SEGMENTS, WARNING),
    TOTAL("InProtoErrors", "TCP segments received that break the protocol (iWARP)", SEGMENTS, WARNING),
    TOTAL("InRdmaReads", "read requests received", REQUESTS, INFO),
    TOTAL("InRdmaSends", "sends received", REQUESTS, INFO),
    TOTAL("InRdmaWrites", "writes received", REQUESTS, INFO),
    TOTAL("InSegs", "TCP segments received (iWARP)", SEGMENTS, INFO),
    TOTAL("Nak Sequence Error", "NAKs for a missing packet: loss on the way", EVENTS, WARNING, RETRANSMISSIONS),
    TOTAL("Nak Sequence Error Implied", "ACKs for a later packet than expected: a read response was lost", EVENTS, WARNING, RETRANSMISSIONS),
    TOTAL("OutRdmaReads", "read requests sent", REQUESTS, INFO),
    TOTAL("OutRdmaSends", "sends sent", REQUESTS, INFO),
    TOTAL("OutRdmaWrites", "writes sent", REQUESTS, INFO),
    TOTAL("OutSegs", "TCP segments sent (iWARP)", SEGMENTS, INFO),
    TOTAL("RNR received", "RNR NAKs received: the peer had no receive ready", EVENTS, WARNING, RNR_NAKS_RECEIVED),
    TOTAL("RNR sent", "RNR NAKs sent: no receive was posted here", EVENTS, WARNING, RNR_NAKS_SENT),
    TOTAL("RTO", "no ACK in time: loss, congestion or a dead peer", EVENTS, WARNING, RETRANSMISSIONS),
    TOTAL("Rcvd Out of order packets", "packets received out of order: loss on the way", PACKETS, WARNING, OUT_OF_SEQUENCE),
    TOTAL("RdmaBnd", "memory windows bound", REQUESTS, INFO),
    TOTAL("RdmaInv", "memory keys invalidated", REQUESTS, INFO),
    TOTAL("RetransSegs", "TCP segments sent again (iWARP): loss on the way", SEGMENTS, WARNING, RETRANSMISSIONS),
    TOTAL("Rx atomics", "atomic requests received", REQUESTS, INFO),
    TOTAL("RxECNMrkd", "packets received that a switch had marked for congestion", PACKETS, INFO, ECN_MARKED),
    TOTAL("RxUDP", "UDP packets received: RoCE v2", PACKETS, INFO),
    TOTAL("Tx atomics", "atomic requests sent", REQUESTS, INFO),
    TOTAL("TxUDP", "UDP packets sent: RoCE v2", PACKETS, INFO),
    TOTAL("cnpHandled", "CNPs received and obeyed: this port was asked to slow down and did", PACKETS, INFO, CNP_HANDLED),
    TOTAL("cnpIgnored", "CNPs received and ignored: congestion control is off here", PACKETS, ERROR, CNP_IGNORED),
    TOTAL("cnpSent", "CNPs sent: asked peers to slow down after packets marked for congestion", PACKETS, INFO, CNP_SENT),
    TOTAL("ip4InDiscards", "IPv4 packets received and dropped", PACKETS, WARNING, DISCARDS),
    TOTAL("ip4InMcastOctets", "IPv4 multicast data received", BYTES, INFO),
    TOTAL("ip4InMcastPkts", "IPv4 multicast packets received", PACKETS, INFO),
    TOTAL("ip4InOctets", "IPv4 data received", BYTES, INFO, RECEIVED_BYTES),
    TOTAL("ip4InPkts", "IPv4 packets received", PACKETS, INFO, RECEIVED_PACKETS),
    TOTAL("ip4InReasmRqd", "IPv4 fragments received", PACKETS, INFO),
    TOTAL("ip4InTruncatedPkts", "IPv4 packets received that were cut short", PACKETS, WARNING, PACKET_ERRORS),
    TOTAL("ip4OutMcastOctets", "IPv4 multicast data sent", BYTES, INFO),
    TOTAL("ip4OutMcastPkts", "IPv4 multicast packets sent", PACKETS, INFO),
    TOTAL("ip4OutNoRoutes", "IPv4 packets dropped because there is no route: check routing", PACKETS, ERROR),
    TOTAL("ip4OutOctets", "IPv4 data sent", BYTES, INFO, TRANSMITTED_BYTES),
    TOTAL("ip4OutPkts", "IPv4 packets sent", PACKETS, INFO, TRANSMITTED_PACKETS),
    TOTAL("ip4OutSegRqd", "IPv4 packets that had to be sent in fragments", PACKETS, INFO),
    TOTAL("ip6InDiscards", "IPv6 packets received and dropped", PACKETS, WARNING, DISCARDS),
    TOTAL("ip6InMcastOctets", "IPv6 multicast data received", BYTES, INFO),
    TOTAL("ip6InMcastPkts", "IPv6 multicast packets received", PACKETS, INFO),
    TOTAL("ip6InOctets", "IPv6 data received", BYTES, INFO, RECEIVED_BYTES),
    TOTAL("ip6InPkts", "IPv6 packets received", PACKETS, INFO, RECEIVED_PACKETS),
    TOTAL("ip6InReasmRqd", "IPv6 fragments received", PACKETS, INFO),
    TOTAL("ip6InTruncatedPkts", "IPv6 packets received that were cut short", PACKETS, WARNING, PACKET_ERRORS),
    TOTAL("ip6OutMcastOctets", "IPv6 multicast data sent", BYTES, INFO),
    TOTAL("ip6OutMcastPkts", "IPv6 multicast packets sent", PACKETS, INFO),
    TOTAL("ip6OutNoRoutes", "IPv6 packets dropped because there is no route: check routing", PACKETS, ERROR),
    TOTAL("ip6OutOctets", "IPv6 data sent", BYTES, INFO, TRANSMITTED_BYTES),
    TOTAL("ip6OutPkts", "IPv6 packets sent", PACKETS, INFO, TRANSMITTED_PACKETS),
    TOTAL("ip6OutSegRqd", "IPv6 packets that had to be sent in fragments", PACKETS, INFO),
    TOTAL("ird limit count", "times that the limit of incoming reads and atomics at once was reached", EVENTS, INFO),
    TOTAL("iwInRdmaReads", "read requests received", REQUESTS, INFO),
    TOTAL("iwInRdmaSends", "sends received", REQUESTS, INFO),
    TOTAL("iwInRdmaWrites", "writes received", REQUESTS, INFO),
    TOTAL("iwOutRdmaReads", "read requests sent", REQUESTS, INFO),
    TOTAL("iwOutRdmaSends", "sends sent", REQUESTS, INFO),
    TOTAL("iwOutRdmaWrites", "writes sent", REQUESTS, INFO),
    TOTAL("iwRdmaBnd", "memory windows bound", REQUESTS, INFO),
    TOTAL("iwRdmaInv", "memory keys invalidated", REQUESTS, INFO),
    TOTAL("ord limit count", "times that the limit of outgoing reads and atomics at once was reached", EVENTS, INFO),
    TOTAL("rxVlanErrors", "packets received for a VLAN that isn't set up here", PACKETS, ERROR),
    TOTAL("tcpInOptErrors", "TCP segments received with bad options (iWARP)", SEGMENTS, WARNING),
    TOTAL("tcpInProtoErrors", "TCP segments received that break the protocol (iWARP)", SEGMENTS, WARNING),
    TOTAL("tcpInSegs", "TCP segments received (iWARP)", SEGMENTS, INFO),
    TOTAL("tcpOutSegs", "TCP segments sent (iWARP)", SEGMENTS, INFO),
    TOTAL("tcpRetransSegs", "TCP segments sent again (iWARP): loss on the way", SEGMENTS, WARNING, RETRANSMISSIONS),
};
/* clang-format on */

const struct counter_table counter_table_irdma = TABLE("irdma", "hw_counters", irdma);
