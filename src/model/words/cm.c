/* SPDX-License-Identifier: MIT */
/* Events of RDMA_CM (rdma_get_cm_event(3), enum rdma_cm_event_type of rdma/rdma_cma.h, numbered from 0) and
 * the reasons of a connection manager's REJ (enum ib_cm_rej_reason of the kernel's rdma/ib_cm.h, table 106 of
 * the InfiniBand Architecture Specification, volume 1). */
#include "base/base.h"
#include "model/word.h"

#define ROUTING "gid-address,gid-routable,rdma-cm-module"

/* clang-format off */
static const struct word events[] = {
    { "RDMA_CM_EVENT_ADDR_RESOLVED", "addr_resolved", 0, "The address was found: a device and a GID of this host lead there. No fault.", NULL, NULL, NULL },
    { "RDMA_CM_EVENT_ADDR_ERROR", "addr_error", 1, "rdma_resolve_addr() failed: no RDMA device of this host leads to the address, or nobody answered ARP or neighbour discovery. The event's status is a negative errno.", "this host: its addresses and routes", "the route to the address leaves by a netdev without an RDMA device\nnobody answers ARP or neighbour discovery for the address\nthe device's GID table has no GID of that netdev", ROUTING },
    { "RDMA_CM_EVENT_ROUTE_RESOLVED", "route_resolved", 2, "The way to the address is known. No fault.", NULL, NULL, NULL },
    { "RDMA_CM_EVENT_ROUTE_ERROR", "route_error", 3, "rdma_resolve_route() failed. On InfiniBand it asks the subnet manager; on RoCE it only fails where the GID or the netdev went away.", "this host, or the subnet manager", "InfiniBand: no subnet manager answered\nRoCE: the netdev went down, or its address was removed meanwhile", "port-active,gid-address" },
    { "RDMA_CM_EVENT_CONNECT_REQUEST", "connect_request", 4, "A server was asked for a connection. No fault.", NULL, NULL, NULL },
    { "RDMA_CM_EVENT_CONNECT_RESPONSE", "connect_response", 5, "A server accepted, and the program has to finish the connection itself. No fault.", NULL, NULL, NULL },
    { "RDMA_CM_EVENT_CONNECT_ERROR", "connect_error", 6, "A connection that was nearly made failed: a queue pair could not be brought to RTR or RTS. The status is a negative errno.", "the host that reports it", "the GID's slot is empty, or its address went away\nthe MTU or the address isn't acceptable to the device\nthe device has no resources left", "gid-address,port-active" },
    { "RDMA_CM_EVENT_UNREACHABLE", "unreachable", 7, "The connection request was not answered: -110 (ETIMEDOUT) is what its status mostly says. RDMA_CM's messages go as UDP packets to port 4791 (RoCE v2).", "the other host, or the way to it", "the other host speaks another RoCE version (a client on v2 can't reach a server on v1)\na firewall or switch drops UDP port 4791, though ping and TCP pass\nthe other host is down, or its port is", "cm-roce-mode,gid-type,firewall-4791,port-active" },
    { "RDMA_CM_EVENT_REJECTED", "rejected", 8, "The other host answered, and said no; the event's status is the reason (roce explain reject 8). So the way there works.", "the other host: its program", "nothing listens on that port there (reason 8)\nthe program there turned it down (reason 28)\nan old connection of the same queue pair isn't over yet (reason 10)", NULL },
    { "RDMA_CM_EVENT_ESTABLISHED", "established", 9, "The connection is there. No fault.", NULL, NULL, NULL },
    { "RDMA_CM_EVENT_DISCONNECTED", "disconnected", 10, "The connection ended: the other end closed it or its process died, or this one did.", "either", "the other end's program closed the connection, or ended\nan error on the queue pair made this end or the other give up: its completions tell\nthe device was reset", NULL },
    { "RDMA_CM_EVENT_DEVICE_REMOVAL", "device_removal", 11, "The RDMA device is being removed: driver unloaded, hot-unplugged, reset, or soft-RoCE's netdev deleted.", "this host", "the driver was reloaded, or the device reset (devlink, firmware)\nthe netdev of a device in software was deleted", "kernel-log" },
    { "RDMA_CM_EVENT_MULTICAST_JOIN", "multicast_join", 12, "The multicast group was joined. No fault.", NULL, NULL, NULL },
    { "RDMA_CM_EVENT_MULTICAST_ERROR", "multicast_error", 13, "A multicast group could not be joined, or was lost.", "this host, or the subnet manager", "the netdev went down\nInfiniBand: the subnet manager refused", "port-active" },
    { "RDMA_CM_EVENT_ADDR_CHANGE", "addr_change", 14, "The netdev's hardware address changed, as when a bond fails over: the connection may have to be made anew.", "this host", "a bond switched to its other member", "bond-mode" },
    { "RDMA_CM_EVENT_TIMEWAIT_EXIT", "timewait_exit", 15, "The queue pair of an ended connection may be used again. No fault.", NULL, NULL, NULL },
};

static const struct word reasons[] = {
    { "no QP", "ib_cm_rej_no_qp", 1, "The other host has no queue pair to give.", "the other host", "a limit of its device or cgroup is reached", NULL },
    { "no EEC", "ib_cm_rej_no_eec", 2, "No end-to-end context; RoCE doesn't use them.", "the other host", NULL, NULL },
    { "no resources", "ib_cm_rej_no_resources", 3, "The other host lacks memory, queue pairs or the like.", "the other host", "memory, or the limit on locked memory, is used up there\nits device or cgroup has no queue pairs left", NULL },
    { "timeout", "ib_cm_rej_timeout", 4, "The other side gave up waiting: a message of the handshake was lost or late.", "either, or the way", "packets to UDP port 4791 get lost one way\nthe program there was too slow to accept", "firewall-4791,retransmissions" },
    { "unsupported request", "ib_cm_rej_unsupported", 5, "The other host can't do what was asked for.", "the other host", "its driver or version lacks the feature", NULL },
    { "invalid comm ID", "ib_cm_rej_invalid_comm_id", 6, "The handshake's number is unknown to the other host: it forgot the connection, as after a restart.", "the other host", "the program there was restarted in the middle of it", NULL },
    { "invalid comm instance", "ib_cm_rej_invalid_comm_instance", 7, "The handshake's instance number doesn't fit.", "the other host", NULL, NULL },
    { "invalid service ID", "ib_cm_rej_invalid_service_id,connection refused", 8, "Nothing listens there on this port: what 'connection refused' is to TCP. The way to the host works.", "the other host: its server", "the server isn't running, or listens on another port\nit listens on another address, or on another device than the one that the request came in by\nit is bound to another network namespace or container", NULL },
    { "invalid transport type", "ib_cm_rej_invalid_transport_type", 9, "The two ends want different kinds of queue pairs.", "either", "the programs differ in version or settings", NULL },
    { "stale connection", "ib_cm_rej_stale_conn", 10, "The other host still has a connection with this queue pair: an earlier one wasn't ended properly.", "either", "a program crashed and came back with the same queue pair number: try again after some seconds\nmany reconnections at once", NULL },
    { "RDC doesn't exist", "ib_cm_rej_rdc_not_exist", 11, "No reliable datagram channel; RoCE doesn't use them.", "the other host", NULL, NULL },
    { "invalid GID", "ib_cm_rej_invalid_gid", 12, "A GID in the request isn't in the other host's table.", "either", "the address moved or was removed there\nthe two ends use different RoCE versions", "gid-address,gid-type" },
    { "invalid LID", "ib_cm_rej_invalid_lid", 13, "A LID in the request is wrong (InfiniBand).", "either", "the subnet manager gave the port another LID meanwhile", NULL },
    { "invalid SL", "ib_cm_rej_invalid_sl", 14, "The service level isn't allowed there.", "either", NULL, NULL },
    { "invalid traffic class", "ib_cm_rej_invalid_traffic_class", 15, "The traffic class isn't accepted there.", "either", NULL, NULL },
    { "invalid hop limit", "ib_cm_rej_invalid_hop_limit", 16, "The hop limit isn't accepted: 0 or 1 means that no router may be on the way.", "either", NULL, NULL },
    { "invalid packet rate", "ib_cm_rej_invalid_packet_rate", 17, "The rate isn't accepted there.", "either", NULL, NULL },
    { "invalid alternate GID", "ib_cm_rej_invalid_alt_gid", 18, "The alternate path's GID isn't accepted.", "either", NULL, NULL },
    { "port redirect", "ib_cm_rej_port_redirect", 25, "The other host asks to use another of its ports.", "the other host", NULL, NULL },
    { "invalid MTU", "ib_cm_rej_invalid_mtu", 26, "The path MTU in the request is above what the other port can do.", "either", "the two ports have different MTUs", "netdev-mtu" },
    { "insufficient response resources", "ib_cm_rej_insufficient_resp_resources", 27, "More outstanding RDMA reads were asked for than the other host's device can answer (responder resources).", "either", "the program asks for more than max_qp_rd_atom of the other device", NULL },
    { "consumer defined", "ib_cm_rej_consumer_defined", 28, "The program there turned the connection down for a reason of its own, which is in the private data: its log says which.", "the other host: its program", "another protocol version, a wrong name or key, no place left\nnot allowed for this host: an access list", NULL },
    { "invalid RNR retry", "ib_cm_rej_invalid_rnr_retry", 29, "The RNR retry count isn't accepted there.", "either", NULL, NULL },
    { "duplicate local comm ID", "ib_cm_rej_duplicate_local_comm_id", 30, "The same handshake number is in use already.", "this host", NULL, NULL },
    { "invalid class version", "ib_cm_rej_invalid_class_version", 31, "The two hosts' connection managers speak different versions.", "either", NULL, NULL },
    { "invalid flow label", "ib_cm_rej_invalid_flow_label", 32, "The flow label isn't accepted there.", "either", NULL, NULL },
    { "vendor option is not supported", "ib_cm_rej_vendor_option_not_supported", 35, "An option of the vendor's (ECE) isn't supported there.", "either", "the two ends' devices or drivers differ", NULL },
};
/* clang-format on */

const struct word_table words_cm_events = { "RDMA_CM event", "event,rdma_cm event,cm event", events,
                                            ARRAY_SIZE(events) };
const struct word_table words_cm_reasons = { "reject reason", "reject,reason,reject reason,rej,rejected",
                                             reasons, ARRAY_SIZE(reasons) };
