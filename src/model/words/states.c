/* SPDX-License-Identifier: MIT */
/* States of ports and queue pairs, types of nodes, as sysfs and libibverbs name and number them
 * (Documentation/ABI/stable/sysfs-class-infiniband; enum ib_port_state, ib_port_phys_state, rdma_node_type
 * and ib_qp_state of the kernel), and roce's own verdicts. */
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
