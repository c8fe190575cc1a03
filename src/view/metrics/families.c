/* SPDX-License-Identifier: MIT */
/* The families of roce metrics: what each is called, means, and where its values come from. */
#include "base/hash.h"
#include "model/qos.h"
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

#define ROLE_FAMILY(which, key, unit, meaning) \
    { "port_" #key "_total", meaning, OF_PORTS, .needs = NEED_COUNTERS, .role = ROLE_##which },

const struct family families_of_ports[] = { FAMILIES_OF_PORTS };

const struct family families_of_others[] = { FAMILIES_OF_OTHERS };
