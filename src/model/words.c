/* SPDX-License-Identifier: MIT */
/* States of ports and queue pairs, types of nodes, as sysfs and libibverbs name and number them
 * (Documentation/ABI/stable/sysfs-class-infiniband; enum ib_port_state, ib_port_phys_state, rdma_node_type
 * and ib_qp_state of the kernel), and roce's own verdicts. */
#include <errno.h>

#include "base/base.h"
#include "model/word.h"

/* clang-format off */
static const struct word port_states[] = {
    { "NOP", NULL, 0, "No state that a port is in: the driver doesn't tell, as MANA's before Linux 6.10.", NULL, NULL, NULL },
    { "DOWN", "port_down", 1, "The port has no link, or its netdev is down: nothing goes through.", NULL, "no cable, module or signal\nthe switch's port is off\nthe netdev is down (ip link set NETDEV up)", "port-active,port-phys-state,netdev-up,netdev-carrier" },
    { "INIT", "initialize,port_init", 2, "The link is up, and the port waits: on InfiniBand for a subnet manager, on iWARP for an address.", NULL, "InfiniBand: no subnet manager runs or reaches the port\niWARP: the netdev has no IPv4 address", "port-active,subnet-manager" },
    { "ARMED", "port_armed", 3, "The subnet manager has set the port up, and hasn't made it ACTIVE yet (InfiniBand).", NULL, "the subnet manager was interrupted", "port-active,subnet-manager" },
    { "ACTIVE", "port_active", 4, "The port carries traffic.", NULL, NULL, NULL },
    { "ACTIVE_DEFER", "port_active_defer", 5, "The port carries traffic, and lost its link a moment ago: it goes down unless it comes back.", NULL, NULL, "link-flaps" },
};

static const struct word physical_states[] = {
    { "Sleep", NULL, 1, "The port's link is switched to sleep.", NULL, NULL, "port-phys-state" },
    { "Polling", NULL, 2, "The port is on and looks for a signal: none comes in, or none that it can lock on to.", "the cable, the module, or the other end of the link", "no cable, a cable or module that isn't seated, or a dirty fibre\nthe switch's port is off\nspeed or FEC of both ends differ", "port-phys-state,module-health,link-fec" },
    { "Disabled", NULL, 3, "The port is switched off: on Ethernet mostly because its netdev is down.", "this host", "the netdev is down (ip link set NETDEV up)\nthe firmware or ibportstate switched it off", "port-phys-state,netdev-up" },
    { "PortConfigurationTraining", "training", 4, "Both ends are agreeing on speed and lanes. It lasts moments; a port that stays so can't agree.", "the cable, or the other end", "a cable that is too long or damaged for the speed\nspeed or FEC of both ends differ", "port-phys-state,link-fec" },
    { "LinkUp", NULL, 5, "The link is there.", NULL, NULL, NULL },
    { "LinkErrorRecovery", NULL, 6, "The link lost its lock and tries to get it back.", "the cable, or the other end", "cable or module", "port-phys-state,link-errors" },
    { "Phy Test", NULL, 7, "The port is in a test mode.", "this host", NULL, "port-phys-state" },
};

static const struct word qp_states[] = {
    { "RESET", NULL, 0, "A queue pair that was just made: it neither sends nor receives.", NULL, NULL, NULL },
    { "RTR", "ready to receive", 2, "Ready To Receive: the queue pair knows its peer (address, number, MTU) and receives. Where a wrong GID, MTU or route shows: 'Failed to modify QP to RTR'.", NULL, NULL, NULL },
    { "RTS", "ready to send", 3, "Ready To Send: the queue pair is connected and works.", NULL, NULL, NULL },
    { "SQD", "send queue drain", 4, "The queue pair finishes what was posted and sends nothing new.", NULL, NULL, NULL },
    { "SQE", "send queue error", 5, "A send failed (UC, UD): nothing is sent until the program resets it; receiving goes on.", NULL, NULL, NULL },
    { "ERR", "qp error", 6, "The queue pair failed: all that was posted comes back as 'flushed' (5), and it has to be made anew.", NULL, "an error before this one: its first bad completion tells\nthe other end or the program gave it up", NULL },
};

static const struct word node_types[] = {
    { "CA", "channel adapter", 1, "A NIC with InfiniBand or RoCE.", NULL, NULL, NULL },
    { "switch", NULL, 2, "An InfiniBand switch.", NULL, NULL, NULL },
    { "router", NULL, 3, "An InfiniBand router.", NULL, NULL, NULL },
    { "RNIC", NULL, 4, "A NIC with iWARP.", NULL, NULL, NULL },
    { "usNIC", NULL, 5, "Cisco's user-space NIC: datagrams over Ethernet frames, no RDMA.", NULL, NULL, NULL },
    { "usNIC UDP", NULL, 6, "Cisco's user-space NIC: datagrams over UDP, no RDMA.", NULL, NULL, NULL },
    { "unspecified", NULL, 7, "A protocol of the device's own, as EFA's SRD.", NULL, NULL, NULL },
};

static const struct word verdicts[] = {
    { "pass", NULL, -1, "Looked at, and as it should be.", NULL, NULL, NULL },
    { "info", NULL, -1, "Worth knowing, and no fault.", NULL, NULL, NULL },
    { "warn", "warning", -1, "Works, but slower or less safely than it should, or will break.", NULL, NULL, NULL },
    { "fail", NULL, -1, "Doesn't work, or hardly.", NULL, NULL, NULL },
    { "unknown", NULL, -1, "Could not look: no permission, no answer, not recorded; the evidence says which. It is no pass.", NULL, NULL, NULL },
    { "n/a", "na", -1, "Doesn't apply: no such port, driver, setting or ability here.", NULL, NULL, NULL },
};

static const struct word port_verdicts[] = {
    { "ok", NULL, -1, "The port is ACTIVE, its netdev up, and it has a RoCE v2 GID that can be routed.", NULL, NULL, NULL },
    { "down", NULL, -1, "The port is DOWN: no link, or its netdev is down.", NULL, NULL, "port-active" },
    { "init", NULL, -1, "The port waits: on InfiniBand for its subnet manager, on iWARP for an address.", NULL, NULL, "port-active,subnet-manager" },
    { "armed", NULL, -1, "The port waits to be made ACTIVE by its subnet manager.", NULL, NULL, "port-active,subnet-manager" },
    { "no-netdev", NULL, -1, "The port has no netdev: no address, so no GID that is of use.", NULL, NULL, "port-netdev" },
    { "netdev-down", NULL, -1, "The port's netdev is down: ip link set NETDEV up.", NULL, NULL, "netdev-up" },
    { "no-carrier", NULL, -1, "The port's netdev is up and has no link.", NULL, NULL, "netdev-carrier" },
    { "roce-off", NULL, -1, "The driver has RoCE switched off on this device (devlink's enable_roce).", NULL, NULL, "roce-enabled" },
    { "raw", NULL, -1, "The driver gives raw Ethernet packets there (for DPDK), and no RDMA.", NULL, NULL, "roce-enabled" },
    { "no-gid", NULL, -1, "The port's GID table is empty: the netdev has no address.", NULL, NULL, "gid-table" },
    { "no-address", NULL, -1, "iWARP: the netdev has no address.", NULL, NULL, "gid-address" },
    { "link-local", NULL, -1, "All GIDs are link-local addresses (fe80::, 169.254.): good on one Ethernet segment only.", NULL, NULL, "gid-routable" },
    { "v1-only", NULL, -1, "No GID is RoCE v2: v1 isn't routed.", NULL, NULL, "gid-v2" },
    { "no-access", NULL, -1, "This process may not open the device (/dev/infiniband/uverbsN): programs of its kind find no such device.", NULL, NULL, "uverbs-node" },
    { "other-namespace", NULL, -1, "The port's netdev is in another network namespace, as of a pod: RDMA_CM finds no device here.", NULL, NULL, "gid-namespace" },
    { "representor", NULL, -1, "A port of the switch inside the NIC that stands for a virtual function: no traffic of applications.", NULL, NULL, "representor-up" },
    { "switchdev", NULL, -1, "A port of the switch inside the NIC (switchdev mode), without GIDs of its own.", NULL, NULL, NULL },
    { "backup", NULL, -1, "The bond uses another member now; this one takes over when that fails.", NULL, NULL, "bond-backup" },
    { "unknown", NULL, -1, "State or GIDs could not be read.", NULL, NULL, NULL },
};
/* clang-format on */

const struct word_table words_port_states = { "port state", "port state,state", port_states,
                                              ARRAY_SIZE(port_states) };
const struct word_table words_physical_states = { "physical state", "physical state,phys_state",
                                                  physical_states, ARRAY_SIZE(physical_states) };
const struct word_table words_qp_states = { "queue pair state", NULL, qp_states, ARRAY_SIZE(qp_states) };
const struct word_table words_node_types = { "node type", "node type,node_type", node_types,
                                             ARRAY_SIZE(node_types) };
const struct word_table words_verdicts = { "verdict of a check", NULL, verdicts, ARRAY_SIZE(verdicts) };
const struct word_table words_port_verdicts = { "verdict of a port", NULL, port_verdicts,
                                                ARRAY_SIZE(port_verdicts) };

/* Asynchronous events of libibverbs: enum ibv_event_type, and the words of ibv_event_type_str(3), which NCCL,
 * UCX and others print. */

/* clang-format off */
static const struct word events[] = {
    { "IBV_EVENT_CQ_ERR", "cq error", 0, "A completion queue overran or can't be reached: no completion comes from it any more.", "this host", "more completions than the queue has room for: the program polls too slowly or made it too small\nthe device or PCIe failed", "kernel-log" },
    { "IBV_EVENT_QP_FATAL", "local work queue catastrophic error", 1, "A queue pair failed inside the device and is in the error state.", "this host", "the device, its firmware or PCIe failed\nmemory that a queue lies in went away", "kernel-log,pcie-errors" },
    { "IBV_EVENT_QP_REQ_ERR", "invalid request local work queue error", 2, "The other end sent what this queue pair can't answer: an invalid request.", "the other end's program, or this one's settings", "a message longer than the receive posted for it\nan operation that the queue pair wasn't made for\nmore outstanding reads than were agreed on", NULL },
    { "IBV_EVENT_QP_ACCESS_ERR", "local access violation work queue error", 3, "The other end asked for memory here that it may not use: wrong key, address or right. It gets 'remote access error' (10) or 'remote invalid request' (9).", "either end's program", "the memory was deregistered, or the key is of another registration\nthe two ends' programs or libraries differ in version\nGPU memory whose registration went stale (nvidia_peermem, dma-buf)", NULL },
    { "IBV_EVENT_COMM_EST", "communication established", 4, "The first packet came before the connection was said to be there. No fault.", NULL, NULL, NULL },
    { "IBV_EVENT_SQ_DRAINED", "send queue drained", 5, "All that was sent is done. No fault.", NULL, NULL, NULL },
    { "IBV_EVENT_PATH_MIG", "path migration succeeded", 6, "The connection went over to its alternate path.", NULL, NULL, NULL },
    { "IBV_EVENT_PATH_MIG_ERR", "path migration failed", 7, "The connection could not go over to its alternate path.", "this host", NULL, NULL },
    { "IBV_EVENT_DEVICE_FATAL", "local catastrophic error", 8, "The whole device failed: every queue pair on it is lost until the driver has reset it.", "this host", "firmware or hardware failed: dmesg has the driver's own words\nthe driver was reloaded, or the device reset, under a running program", "devlink-health,kernel-log,pcie-errors" },
    { "IBV_EVENT_PORT_ACTIVE", "port active", 9, "A port became ACTIVE. No fault, but it was down before.", NULL, NULL, "link-flaps" },
    { "IBV_EVENT_PORT_ERR", "port error", 10, "A port lost its link. Connections over it end in retries exceeded unless it comes back within their timeout.", "this host's port, its cable, or the switch's port", "cable, module or the switch's port; the switch was restarted\nthe netdev was set down", "port-active,link-flaps,netdev-carrier,module-health" },
    { "IBV_EVENT_LID_CHANGE", "lid change", 11, "The subnet manager gave the port another LID (InfiniBand).", "the subnet manager", NULL, NULL },
    { "IBV_EVENT_PKEY_CHANGE", "p_key table change", 12, "The port's P_Key table changed. On RoCE it has no meaning of its own.", NULL, NULL, NULL },
    { "IBV_EVENT_SM_CHANGE", "sm change", 13, "Another subnet manager took over (InfiniBand).", "the subnet manager", NULL, NULL },
    { "IBV_EVENT_SRQ_ERR", "srq catastrophic error", 14, "A shared receive queue failed.", "this host", NULL, "kernel-log" },
    { "IBV_EVENT_SRQ_LIMIT_REACHED", "srq limit reached", 15, "A shared receive queue is below the level that the program asked to be told of. No fault.", NULL, NULL, NULL },
    { "IBV_EVENT_QP_LAST_WQE_REACHED", "last wqe reached", 16, "A queue pair in the error state took its last receive. It follows an error.", "this host", "an earlier error on the same queue pair", NULL },
    { "IBV_EVENT_CLIENT_REREGISTER", "client reregistration", 17, "The subnet manager asks its clients to register again (InfiniBand).", NULL, NULL, NULL },
    { "IBV_EVENT_GID_CHANGE", "gid table change", 18, "A GID was added, removed or moved: an address of the netdev changed, or the link went and came back. Programs that hold a GID index may now use another address.", "this host", "an address was added or removed, or renewed by DHCP or NetworkManager\nthe netdev went down and came back", "gid-address,link-flaps" },
    { "IBV_EVENT_WQ_FATAL", "wq catastrophic error", 19, "A receive work queue failed.", "this host", NULL, "kernel-log" },
};
/* clang-format on */

const struct word_table words_async_events = { "asynchronous event", "async event,async", events,
                                               ARRAY_SIZE(events) };

/* Events of RDMA_CM (rdma_get_cm_event(3), enum rdma_cm_event_type of rdma/rdma_cma.h, numbered from 0) and
 * the reasons of a connection manager's REJ (enum ib_cm_rej_reason of the kernel's rdma/ib_cm.h, table 106 of
 * the InfiniBand Architecture Specification, volume 1). */

#define ROUTING "gid-address,gid-routable,rdma-cm-module"

/* clang-format off */
static const struct word cm_events[] = {
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

const struct word_table words_cm_events = { "RDMA_CM event", "event,rdma_cm event,cm event", cm_events,
                                            ARRAY_SIZE(cm_events) };
const struct word_table words_cm_reasons = { "reject reason", "reject,reason,reject reason,rej,rejected",
                                             reasons, ARRAY_SIZE(reasons) };

/* errno as calls of libibverbs and librdmacm mean it, where that says more than its own text. By step it is
 * in selftest/diagnosis. */

#define CONTAINERS "uverbs-node"

/* clang-format off */
static const struct word errnos[] = {
    { "EPERM", "operation not permitted", EPERM, "A right is missing: CAP_NET_ADMIN to change a setting, CAP_NET_RAW for raw packets, or a device cgroup forbids the device node, as containers do.", "this host", "not root, or a container without the capability\na container without the device (--device=/dev/infiniband, or a device plugin)\nlocked memory: ulimit -l is 0", CONTAINERS ",memlock-limit" },
    { "ENOENT", "no such file or directory", ENOENT, "A device node, module or file isn't there: /dev/infiniband/uverbs0 of ib_uverbs, /dev/infiniband/rdma_cm of rdma_ucm.", "this host", "the module isn't loaded (modprobe ib_uverbs rdma_ucm)\na container was started without /dev/infiniband\nthe provider's library isn't installed (ibverbs-providers, rdma-core)", CONTAINERS ",rdma-ucm-module" },
    { "EIO", "input/output error,i/o error", EIO, "The device or its driver failed to answer; the kernel's log says more.", "this host", "the device is being reset, or failed\na command of the firmware failed", "kernel-log,devlink-health" },
    { "EAGAIN", "resource temporarily unavailable", EAGAIN, "A limit is reached for now: rdma.max of a cgroup, a table of the device, or a queue that is full.", "this host", "the cgroup's RDMA limit (rdma.max: hca_handle, hca_object)\nthe device's memory keys or queue pairs are used up: 'no resources(0xf)' in the kernel's log\nmore work requests posted than the queue holds", NULL },
    { "ENOMEM", "cannot allocate memory,out of memory", ENOMEM, "From ibv_reg_mr, ibv_create_cq or ibv_create_qp it is nearly always the limit on locked memory (ulimit -l), not memory itself.", "this host", "the limit on locked memory: LimitMEMLOCK= of the service or slurmd, --ulimit memlock=-1 of a container, limits.conf of a login\nthe device's own table of queue pairs or memory regions is full\na queue larger than the device allows\nfree memory that can't be pinned, as kexec handover leaves it (DGX Spark with Linux 7.0)", "memlock-limit,memlock-trial,pinnable-memory" },
    { "EACCES", "permission denied", EACCES, "The device node is there, and this user may not open it, or the memory may not be written.", "this host", "/dev/infiniband/uverbs* isn't 0666, as rdma-core's udev rules make it\na container without the device\nmemory that is mapped read-only is to be registered for writing", CONTAINERS },
    { "EFAULT", "bad address", EFAULT, "The memory to be registered isn't there as said: freed, mapped by a device, or of a GPU without peer memory.", "this host's program", "GPU memory, and neither nvidia_peermem nor dma-buf to register it by\na buffer that was unmapped", NULL },
    { "EBUSY", "device or resource busy", EBUSY, "It is in use: a queue pair with multicast groups, a region with windows, a device that programs have open.", "this host", "roce users and roce resources tell by whom", NULL },
    { "EEXIST", "file exists", EEXIST, "There is one already: a device of this name, a netdev that has a soft-RoCE device.", "this host", NULL, NULL },
    { "ENODEV", "no such device", ENODEV, "From ibv_modify_qp: the GID's slot is empty or its netdev is gone. From RDMA_CM: no RDMA device has the address that the route starts from.", "this host", "a GID index that is empty here (NCCL_IB_GID_INDEX, UCX_IB_GID_INDEX, -x): indexes differ from host to host\nthe address was removed, or is on another netdev\nthe device is in another network namespace (rdma system)", "gid-index,gid-address,gid-holes" },
    { "EINVAL", "invalid argument", EINVAL, "The device or driver doesn't accept an attribute. Which, depends on the call: from ibv_modify_qp the MTU or the addresses, from ibv_create_qp sizes, from ibv_reg_mr the kind of memory or a right.", "this host, or a value that the other end gave", "ibv_modify_qp: the path MTU is above the port's or the two ends' differ, or the two GIDs are of different kinds (IPv4 and IPv6, v1 and v2)\nibv_create_qp, ibv_create_cq: a size above the device's limit (roce devices --caps)\nibv_reg_mr: GPU memory that the driver can't take, or a right that it lacks", NULL },
    { "ENOSPC", "no space left on device", ENOSPC, "A table of the device is full.", "this host", "too many memory regions, queue pairs or steering rules", NULL },
    { "ENOSYS", "function not implemented", ENOSYS, "The driver or provider doesn't have the call.", "this host", "an old driver or rdma-core", NULL },
    { "ENODATA", "no data available", ENODATA, "Nothing fits what was asked for: fi_getinfo() found no provider, a GID's slot is empty.", "this host", "no port is ACTIVE, or none has a usable GID\nthe provider that was asked for isn't built in, or can't do what was asked for\nthe device can't be opened", "port-active,uverbs-node" },
    { "EPROTONOSUPPORT", "protocol not supported", EPROTONOSUPPORT, "The device or kernel hasn't got the protocol.", "this host", NULL, NULL },
    { "EOPNOTSUPP", "operation not supported", EOPNOTSUPP, "The device, driver or firmware can't do this.", "this host", "a feature that this device hasn't got, or that is switched off\nanother version of driver or rdma-core", NULL },
    { "EADDRINUSE", "address already in use", EADDRINUSE, "Another program listens on this address and port with RDMA_CM.", "this host", "an old instance of the server is still running: roce users", NULL },
    { "EADDRNOTAVAIL", "cannot assign requested address", EADDRNOTAVAIL, "The address isn't one of this host, or no RDMA device has it.", "this host", "the address is gone, or on another netdev", "gid-address" },
    { "ENETDOWN", "network is down", ENETDOWN, "The netdev of the device is down.", "this host", "ip link set NETDEV up", "netdev-up" },
    { "ENETUNREACH", "network is unreachable", ENETUNREACH, "No route from this GID to the peer's address: from ibv_modify_qp to RTR, or RDMA_CM.", "this host's routes, or the choice of the GID", "the port's netdev has no address or route in the peer's subnet: rails that don't reach each other\na link-local GID (fe80::, 169.254) on two subnets\nthe netdev is down", "gid-address,gid-routable,netdev-up" },
    { "EHOSTUNREACH", "no route to host", EHOSTUNREACH, "The next hop can't be reached: ARP or neighbour discovery failed.", "the other host, or the way to it", "the other host is down, or in another VLAN", "gid-vlan,netdev-carrier" },
    { "ECONNABORTED", "software caused connection abort", ECONNABORTED, "The connection was broken off: by the other end, or by this one, which gave it up.", "either", "the other end ended, or closed it\nan error before it made this end give up: its own lines", NULL },
    { "ECONNRESET", "connection reset by peer", ECONNRESET, "The other end rejected or closed the connection: with RDMA_CM often what a reject becomes.", "the other end", "nothing listens there, or it turned this host down: the log says 'rejected' with a reason\nthe other process ended", NULL },
    { "ECONNREFUSED", "connection refused", ECONNREFUSED, "Nothing listens there.", "the other host", "the server isn't running, or on another address or port", NULL },
    { "ETIMEDOUT", "connection timed out", ETIMEDOUT, "From ibv_modify_qp to RTR: the peer's address could not be resolved to a MAC (ARP, neighbour discovery). From RDMA_CM: the request was not answered.", "the other host, or the way to it", "the two ports can't reach each other: other rail, subnet or VLAN; on rail-only networks NCCL_CROSS_NIC=0\nnobody answers ARP or neighbour discovery for the peer's address\na firewall drops UDP port 4791 (RDMA_CM)", "gid-routable,gid-vlan,netdev-carrier" },
    { "EREMOTEIO", "remote i/o error", EREMOTEIO, "The device's firmware refused a command; the kernel's log has its status and syndrome.", "this host", "a limit of the firmware is reached (memory keys, queue pairs)\na feature that is switched off in the firmware", "kernel-log,firmware-version" },
};
/* clang-format on */

const struct word_table words_errnos = { "errno", "errno,err,error", errnos, ARRAY_SIZE(errnos) };

/* Variables of NCCL and UCX that decide about RDMA. NCCL's as of 2.29 (src/transport/net_ib, NCCL_PARAM with
 * their defaults, and its user guide); UCX's as of 1.20 (src/uct/ib, src/ucp/core/ucp_context.c), `ucx_info
 * -cf` prints all. */

#define HERE "every process of the job: set it the same on all hosts"

/* clang-format off */
static const struct word variables[] = {
    { "NCCL_IB_DISABLE", NULL, -1, "1: NCCL doesn't use RDMA at all, and falls back to TCP sockets.", HERE, NULL, "rdma-switched-off" },
    { "NCCL_IB_HCA", NULL, -1, "Which devices and ports NCCL uses: 'mlx5_0:1,mlx5_1'. Names are prefixes unless '=' stands first ('=mlx5_1' isn't mlx5_10); '^' excludes.", HERE, NULL, "nccl-ib-hca,consumer-choice" },
    { "NCCL_IB_GID_INDEX", NULL, -1, "The GID's slot. Without it (-1, since NCCL 2.21) NCCL chooses by address family, range and RoCE version, which follows the addresses; a fixed index can point at an empty slot or at another address after a flap, and differ between hosts.", HERE, NULL, "nccl-gid-index,gid-index" },
    { "NCCL_IB_ROCE_VERSION_NUM", NULL, -1, "RoCE version that NCCL looks for when it chooses the GID itself: 2 unless set.", HERE, NULL, "gid-v2" },
    { "NCCL_IB_ADDR_FAMILY", NULL, -1, "AF_INET (the default) or AF_INET6: of which kind the GID is to be when NCCL chooses it.", HERE, NULL, "gid-address" },
    { "NCCL_IB_ADDR_RANGE", NULL, -1, "ADDRESS/PREFIX that the GID has to be in when NCCL chooses it.", HERE, NULL, "gid-address" },
    { "NCCL_IB_TC", NULL, -1, "Traffic class of NCCL's packets: the TOS byte, DSCP times 4 (106 is DSCP 26). -1 or unset: 0, so no lossless class is used.", HERE, NULL, "job-traffic-class,traffic-class-priority" },
    { "NCCL_IB_FIFO_TC", NULL, -1, "Traffic class of NCCL's small control messages; unset: as NCCL_IB_TC.", HERE, NULL, "job-traffic-class" },
    { "NCCL_IB_SL", NULL, -1, "InfiniBand service level. On RoCE the traffic class decides, and this nearly never does.", HERE, NULL, NULL },
    { "NCCL_IB_TIMEOUT", NULL, -1, "How long a queue pair waits for an acknowledgement: 4.096 microseconds times 2 to this power; unless set 20 (4.3 s), before NCCL 2.23 18 (1.1 s). Times NCCL_IB_RETRY_CNT it is what a flapping link has to come back within.", HERE, NULL, "link-flaps" },
    { "NCCL_IB_RETRY_CNT", NULL, -1, "How often a packet is sent again without an answer before the queue pair fails with status 12; 7, the most there is, unless set.", HERE, NULL, "transport-retries" },
    { "NCCL_IB_QPS_PER_CONNECTION", NULL, -1, "Queue pairs for each connection; more than 1 spreads traffic over paths of an ECMP or LAG network.", HERE, NULL, NULL },
    { "NCCL_IB_SPLIT_DATA_ON_QPS", NULL, -1, "1: each message is split over the connection's queue pairs; 0 (the default since NCCL 2.20): they take turns.", HERE, NULL, NULL },
    { "NCCL_IB_PKEY", NULL, -1, "Index of the P_Key (InfiniBand partitions).", HERE, NULL, NULL },
    { "NCCL_IB_CUDA_SUPPORT", NULL, -1, "Older name of what NCCL_NET_GDR_LEVEL sets now.", HERE, NULL, NULL },
    { "NCCL_IB_MERGE_NICS", NULL, -1, "1 (the default): the ports of a two-port card are used as one.", HERE, NULL, NULL },
    { "NCCL_IB_ADAPTIVE_ROUTING", NULL, -1, "1: the network may reorder packets. Right only where the switches route adaptively and the devices take reordered packets.", HERE, NULL, NULL },
    { "NCCL_IB_PCI_RELAXED_ORDERING", NULL, -1, "Relaxed ordering on PCIe: 2 (automatic) unless set. Needed for speed in virtual machines.", HERE, NULL, NULL },
    { "NCCL_IB_RETURN_ASYNC_EVENTS", NULL, -1, "1 (the default): asynchronous events that mean a dead device or port end the communicator.", HERE, NULL, NULL },
    { "NCCL_CROSS_NIC", NULL, -1, "Whether a ring may go out of one NIC and into another one: 0 on networks where only ports of the same rail reach each other, 2 (try not to) unless set.", HERE, NULL, NULL },
    { "NCCL_NET", NULL, -1, "Forces a network: IB, Socket, or a plugin's name. With IB NCCL ends instead of falling back to TCP.", HERE, NULL, "rdma-switched-off" },
    { "NCCL_NET_GDR_LEVEL", NULL, -1, "How far apart GPU and NIC may be for GPUDirect: LOC, PIX, PXB, PHB, SYS.", HERE, NULL, "numa-far" },
    { "NCCL_DMABUF_ENABLE", NULL, -1, "1 (the default): GPU memory is registered by dma-buf where driver and kernel can; 0: by nvidia_peermem only.", HERE, NULL, "gdr-peer-memory" },
    { "NCCL_NET_PLUGIN", NULL, -1, "Which plugin (libnccl-net-NAME.so) is the network; 'none' uses NCCL's own.", HERE, NULL, NULL },
    { "NCCL_SOCKET_IFNAME", NULL, -1, "Netdevs for NCCL's bootstrap over TCP, and for its socket network; '=' exact, '^' excludes. It chooses no RDMA device.", HERE, NULL, "nccl-socket-ifname" },
    { "NCCL_SOCKET_FAMILY", NULL, -1, "AF_INET or AF_INET6: of which kind the bootstrap's addresses are to be. It chooses no GID.", HERE, NULL, "nccl-socket-ifname" },
    { "NCCL_DEBUG", NULL, -1, "INFO prints what NCCL chose, WARN only errors.", "this process", NULL, NULL },
    { "UCX_NET_DEVICES", NULL, -1, "Which devices UCX uses: 'mlx5_0:1,mlx5_1:1', RDMA devices with their port (before UCX 1.21 it can't be left out), or netdevs for TCP; 'all' unless set.", HERE, NULL, "ucx-net-devices" },
    { "UCX_TLS", NULL, -1, "Transports that UCX may use: 'rc,ud,sm,self', 'dc_x', 'tcp'; '^' excludes; 'all' unless set. Without rc, dc or ud there is no RDMA.", HERE, NULL, "rdma-switched-off" },
    { "UCX_IB_GID_INDEX", NULL, -1, "The GID's slot; 'auto' (the default) prefers a RoCE v2 GID with an IPv4 address.", HERE, NULL, "ucx-gid-index,gid-index" },
    { "UCX_IB_TRAFFIC_CLASS", NULL, -1, "Traffic class of UCX's packets: the TOS byte, DSCP times 4. 'auto' unless set: on RoCE v2 the port's own (traffic_class of MLNX_OFED) if there is one, else 106.", HERE, NULL, "job-traffic-class,traffic-class-priority" },
    { "UCX_IB_SL", NULL, -1, "InfiniBand service level; on RoCE the priority of VLAN tags.", HERE, NULL, NULL },
    { "UCX_IB_PKEY", NULL, -1, "The P_Key to use, not its index.", HERE, NULL, "pkey-full-member" },
    { "UCX_IB_ROCE_REACHABILITY_MODE", NULL, -1, "How UCX decides whether two RoCE ports reach each other, since 1.19: 'route' (the default) by the kernel's routes, since 1.20.1 by the best one; 'local_subnet'; 'all', as before, without a look.", HERE, NULL, "rail-routes,gid-route" },
    { "UCX_IB_ROCE_LOCAL_SUBNET", NULL, -1, "y means that only ports in one subnet reach each other; older than UCX_IB_ROCE_REACHABILITY_MODE, and stronger.", HERE, NULL, NULL },
    { "UCX_IB_ROCE_SUBNETS", NULL, -1, "Subnets that the GID may be in, or with '^' may not; since UCX 1.18, and never beside UCX_IB_GID_INDEX.", HERE, NULL, NULL },
    { "UCX_IB_ADDR_TYPE", NULL, -1, "How UCX writes addresses: ib_local, ib_global, eth.", HERE, NULL, NULL },
    { "UCX_RC_TIMEOUT", NULL, -1, "How long a queue pair waits for an acknowledgement; 1 s unless set.", HERE, NULL, NULL },
    { "UCX_RC_RETRY_COUNT", NULL, -1, "How often a packet is sent again without an answer; 7, the most there is, unless set.", HERE, NULL, NULL },
    { "UCX_RNDV_SCHEME", NULL, -1, "How long messages go: put_zcopy, get_zcopy, am.", HERE, NULL, NULL },
    { "UCX_LOG_LEVEL", NULL, -1, "info and debug print what UCX chose.", "this process", NULL, NULL },
};
/* clang-format on */

const struct word_table words_variables = { "variable", NULL, variables, ARRAY_SIZE(variables) };
