/* SPDX-License-Identifier: MIT */
/* The families of roce metrics: what each is called, means, and where its values come from. */
#include "base/hash.h"
#include "model/qos.h"
#include "model/resources.h"
#include "model/users.h"
#include "view/metrics/family.h"

/* A width of 0 means none: the kernel writes that for what has no PCIe link of its own. */
static struct num not_0(struct num number)
{
    return num_if(number.known && number.value, number.value);
}

static struct num pcie_width(const struct target *target)
{
    return target->pci ? not_0(target->pci->link_width) : (struct num){ 0 };
}

static struct num pcie_width_max(const struct target *target)
{
    return target->pci ? not_0(target->pci->link_width_max) : (struct num){ 0 };
}

/* -- ports ------------------------------------------------------------------------------------------------ */

static struct num pfc_mismatch(const struct target *target)
{
    const struct host *host = target->metrics->host;
    const struct netdev *netdev = port_netdev(host, target->port);
    const struct qos *here = netdev ? host_find_qos(host, netdev) : NULL;
    const struct qos_dcb *there = netdev ? netdev_peer_dcb(host, netdev) : NULL;
    bool known = here && here->dcb_err == 0 && here->dcb.has_pfc && there && there->has_pfc;
    return num_if(known, known && here->dcb.pfc_enabled != there->pfc_enabled);
}

static struct num active(const struct target *target)
{
    return num_if(target->port->state.known, port_is_active(target->port));
}

struct num port_bytes_per_second(const struct target *target)
{
    return num_if(target->port->rate_mbps.known, target->port->rate_mbps.value * (1000000 / 8));
}

static struct num roce_enabled(const struct target *target)
{
    const struct port *port = target->port;
    return num_if(port_is_roce(port) && port->gid_table_len.known, !port_has_roce_off(port));
}

static bool is_saturated(const struct counter *counter)
{
    return counter_is_saturated(counter->def, counter->raw) == TRI_YES && counter_end_hides(counter->def);
}

static bool is_near_wrap(const struct counter *counter)
{
    return counter_wraps_soon(counter->def, counter->raw);
}

static bool is_unreadable(const struct counter *counter)
{
    return !counter->raw.known;
}

static struct num gid_hash(const struct target *target)
{
    const struct port *port = target->port;
    uint32_t hash = HASH_BEGIN;
    for (size_t i = 0; i < port->ngids; i++) {
        const struct gid *gid = &port->gids[i];
        hash = hash_number(hash, (uint64_t)gid->index, sizeof(gid->index));
        hash = hash_more(hash, gid->raw, sizeof(gid->raw));
        hash = hash_number(hash, (uint64_t)gid->type, sizeof(gid->type));
        hash = hash_text(hash, gid->netdev);
    }
    return num_if(port->gid_table_len.known, hash);
}

/* -- netdevs ---------------------------------------------------------------------------------------------- */

#define HASH(hash, member) hash_number((hash), (uint64_t)(member), sizeof(member))

/* Settings only, no counters. */
static struct num qos_hash(const struct target *target)
{
    const struct qos_dcb *dcb = &target->qos->dcb;
    const struct qos_ethtool *ethtool = &target->qos->ethtool;
    uint32_t hash = HASH_BEGIN;
    hash = HASH(hash, dcb->pfc_enabled);
    hash = hash_more(hash, dcb->tc_bandwidth, sizeof(dcb->tc_bandwidth));
    hash = hash_more(hash, dcb->tc_tsa, sizeof(dcb->tc_tsa));
    hash = hash_more(hash, dcb->priority_tc, sizeof(dcb->priority_tc));
    hash = hash_more(hash, dcb->priority_buffer, sizeof(dcb->priority_buffer));
    for (size_t i = 0; i < ARRAY_SIZE(dcb->buffer_size); i++)
        hash = HASH(hash, dcb->buffer_size[i]);
    for (size_t i = 0; i < dcb->napps; i++) {
        hash = HASH(hash, dcb->apps[i].selector);
        hash = HASH(hash, dcb->apps[i].priority);
        hash = HASH(hash, dcb->apps[i].protocol);
    }
    hash = HASH(hash, ethtool->pause_rx);
    hash = HASH(hash, ethtool->pause_tx);
    for (size_t i = 0; i < ARRAY_SIZE(target->netdev->ecn_enabled); i++)
        hash = HASH(hash, target->netdev->ecn_enabled[i]);
    for (size_t i = 0; i < ARRAY_SIZE(target->netdev->ecn_np); i++)
        hash = HASH(hash, target->netdev->ecn_np[i]);
    return num_if(dcb->has_pfc || dcb->has_ets, hash);
}

/* -- the tables ------------------------------------------------------------------------------------------- */

#define NUMBER(...) MEMBER_AS(VALUE_UNSIGNED, struct target, __VA_ARGS__)
#define ROLE_FAMILY(which, key, unit, meaning) \
    { "port_" #key "_total", meaning, OF_PORTS, .needs = NEED_COUNTERS, .role = ROLE_##which },

/* The drivers' own counters follow these. */
const struct family families_of_ports[] = {
    { "build_info", "the roce that made this", .of = OF_BUILD },
    { "device_info", "an RDMA device; a label is empty where neither driver nor kernel tells",
      .of = OF_DEVICE_INFO },
    { "device_pcie_width", "PCIe lanes that the device uses", OF_DEVICES, .needs = NEED_PCI_LINK,
      .number = pcie_width },
    { "device_pcie_width_max", "PCIe lanes that the device could use", OF_DEVICES, .needs = NEED_PCI_LINK,
      .number = pcie_width_max },
    { "device_resources",
      "what is open on the device, by all processes and the kernel: queue pairs (qp), completion queues (cq), "
      "memory regions (mr) and so on",
      .of = OF_RESOURCES },
    { "port_info", "a port, and the netdev that it is", .of = OF_PORT_INFO },
    { "port_neighbor_info", "the device and port at the other end of a port's cable, by LLDP",
      .of = OF_NEIGHBORS },
    { "port_neighbor_pfc_mismatch", "1: the switch has PFC on other priorities than the port; 0: on the same",
      OF_NEIGHBORS, .number = pfc_mismatch },
    { "port_active", "1: the port is ACTIVE; 0: it isn't", OF_PORTS, .needs = NEED_STATE, .number = active },
    { "port_state_id", "state of the port: 1 DOWN, 2 INIT, 3 ARMED, 4 ACTIVE, 5 ACTIVE_DEFER", OF_PORTS,
      .needs = NEED_STATE, NUMBER(port, state) },
    { "port_physical_state_id",
      "physical state of the port: 1 Sleep, 2 Polling, 3 Disabled, 4 training, 5 LinkUp, 6 error recovery",
      OF_PORTS, .needs = NEED_STATE, NUMBER(port, phys_state) },
    { "port_rate_bytes_per_second", "what the port can carry in each direction", OF_PORTS, .needs = NEED_RATE,
      .number = port_bytes_per_second },
    { "port_mtu_bytes", "largest payload of a RoCE packet, as the kernel computes it from the netdev's MTU",
      OF_PORTS, .needs = NEED_NETDEV_MTU | NEED_NLDEV, NUMBER(port, roce_mtu) },
    { "port_roce_enabled", "1: the Ethernet port does RoCE; 0: it has no GID table, RoCE is switched off",
      OF_PORTS, .needs = NEED_GIDS, .with = WITH_GIDS, .number = roce_enabled },
    COUNTER_ROLE_LIST(ROLE_FAMILY) //
    { "port_counters_saturated",
      "counters of the port that have stopped at their highest value: what more happens isn't counted",
      OF_PORTS, .needs = NEED_COUNTERS, .counts = is_saturated },
    { "port_counters_near_wrap",
      "counters of the port in the last quarter of their range, which will start again from 0", OF_PORTS,
      .needs = NEED_COUNTERS, .counts = is_near_wrap },
    { "port_counters_unreadable", "counters of the port that have a file but no value", OF_PORTS,
      .needs = NEED_COUNTERS, .counts = is_unreadable },
    { "port_gids",
      "GIDs of the port by RoCE version (v1, v2) and scope (link: reaches the same Ethernet segment only; "
      "global: can be routed)",
      .of = OF_GID_KINDS },
    { "port_gid_choice",
      "index of the GID that the consumer's rule takes on the port when no variable tells it otherwise; -1: it "
      "takes none",
      .of = OF_GID_CHOICES },
    { "port_gid_table_hash",
      "stands for the port's whole GID table: when it changes, a GID came, went or moved", OF_PORTS,
      .needs = NEED_GIDS, .with = WITH_GIDS, .number = gid_hash },
    { "port_gid_info", "a filled slot of the port's GID table", .of = OF_GIDS },
    { 0 },
};

/* What holds up RoCE's frames below the ports (on hardware, including a bond's members); what is only printed
 * if asked for; how the reading itself went. */
const struct family families_of_others[] = {
    { "netdev_pfc_enabled", "1: PFC is on for the priority; 0: it is off", OF_PRIORITIES, NUMBER(pfc_enabled) },
    { "netdev_pfc_frames_received_total", "PFC frames received: the switch asked for a stop of the priority",
      OF_PRIORITIES, NUMBER(pfc_received) },
    { "netdev_pfc_frames_transmitted_total", "PFC frames sent: the switch was asked for a stop of the priority",
      OF_PRIORITIES, NUMBER(pfc_sent) },
    { "netdev_ecn_priorities",
      "priorities, of 8, that congestion control is on for: in the role that slows down (reaction), and the "
      "one that asks for it (notification)",
      .of = OF_ECN_ROLES },
    { "netdev_pause_frames_received_total", "global pause frames received", OF_NETDEVS,
      NUMBER(qos, ethtool.pause_frames_received) },
    { "netdev_pause_frames_transmitted_total", "global pause frames sent", OF_NETDEVS,
      NUMBER(qos, ethtool.pause_frames_sent) },
    { "netdev_fec_corrected_blocks_total", "blocks that forward error correction mended", OF_NETDEVS,
      NUMBER(qos, ethtool.fec_corrected) },
    { "netdev_fec_uncorrectable_blocks_total", "blocks that forward error correction could not mend: lost",
      OF_NETDEVS, NUMBER(qos, ethtool.fec_uncorrectable) },
    { "netdev_crc_errors_total", "frames received with a wrong checksum: damaged on the link", OF_NETDEVS,
      NUMBER(netdev, rx_crc_errors) },
    { "netdev_qos_hash",
      "stands for the netdev's settings of PFC, priorities, buffers, pause and ECN: when it changes, one of "
      "them did",
      OF_NETDEVS, .number = qos_hash },
    { "device_resource_limit", "how many of a resource the device can have, as its driver says",
      .of = OF_LIMITS },
    { "user_queue_pairs", "queue pairs of a process or a service of the kernel", OF_USERS,
      NUMBER(user, counts[RESOURCE_QP]) },
    { "user_registered_bytes", "memory that a process or a service of the kernel has registered", OF_USERS,
      NUMBER(user, registered) },
    { "check_results", "what a check of roce doctor said, by verdict, of how many subjects", .of = OF_CHECKS },
    { "finding", "something that roce doctor warns of or calls a failure; 'roce doctor' says more",
      .of = OF_FINDINGS },
    { "scrape_problems", "what could not be read although the kernel offers it", OF_MACHINE,
      NUMBER(metrics, host, nproblems) },
    { "scrape_success", "1: all that was asked for was answered; 0: something could not be read",
      .of = OF_SOURCES },
    { "scrape_duration_seconds", "how long reading this machine took", OF_MACHINE,
      NUMBER(metrics, microseconds) },
    { 0 },
};
