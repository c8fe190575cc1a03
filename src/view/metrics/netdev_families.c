/* SPDX-License-Identifier: MIT */
/* What holds RoCE's frames up below the ports: PFC, pause, ECN, damaged frames; of hardware, a bond's members too. */
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "model/qos.h"
#include "view/metrics/family.h"

static const char *with_priority(struct filling *filling, const struct target *target, unsigned priority)
{
    return with_number(filling, target->labels, "priority", priority);
}

/* Of each priority of a netdev that knows PFC. */
static void fill_pfc(struct filling *filling, uint64_t (*value)(const struct qos_dcb *dcb, unsigned priority))
{
    for (size_t i = 0; i < filling->netdevs.count; i++) {
        const struct target *target = &filling->netdevs.items[i];
        for (unsigned priority = 0; priority < PRIORITIES && target->qos->dcb.has_pfc; priority++)
            put(filling, with_priority(filling, target, priority), value(&target->qos->dcb, priority));
    }
}

static uint64_t pfc_enabled(const struct qos_dcb *dcb, unsigned priority)
{
    return dcb->pfc_enabled >> priority & 1;
}

static void fill_pfc_enabled(struct filling *filling)
{
    fill_pfc(filling, pfc_enabled);
}

static uint64_t pfc_received(const struct qos_dcb *dcb, unsigned priority)
{
    return dcb->pfc_received[priority];
}

static void fill_pfc_received(struct filling *filling)
{
    fill_pfc(filling, pfc_received);
}

static uint64_t pfc_sent(const struct qos_dcb *dcb, unsigned priority)
{
    return dcb->pfc_sent[priority];
}

static void fill_pfc_sent(struct filling *filling)
{
    fill_pfc(filling, pfc_sent);
}

/* How many priorities it is on for; unknown: the driver has no such settings. */
static struct num ecn_priorities(const enum tristate on[static PRIORITIES])
{
    struct num count = { 0 };
    for (unsigned priority = 0; priority < PRIORITIES; priority++)
        if (on[priority] != TRI_UNKNOWN)
            count = num_of(count.value + (on[priority] == TRI_YES));
    return count;
}

static void fill_ecn_priorities(struct filling *filling)
{
    for (size_t i = 0; i < filling->netdevs.count; i++) {
        const struct target *target = &filling->netdevs.items[i];
        struct num reaction = ecn_priorities(target->netdev->ecn_enabled),
                   notification = ecn_priorities(target->netdev->ecn_np);
        if (reaction.known)
            put(filling, with_label(filling, target->labels, "role", "reaction"), reaction.value);
        if (notification.known)
            put(filling, with_label(filling, target->labels, "role", "notification"), notification.value);
    }
}

static struct num pause_received(const struct target *target)
{
    return target->qos->ethtool.pause_frames_received;
}

static struct num pause_sent(const struct target *target)
{
    return target->qos->ethtool.pause_frames_sent;
}

static struct num fec_corrected(const struct target *target)
{
    return target->qos->ethtool.fec_corrected;
}

static struct num fec_uncorrectable(const struct target *target)
{
    return target->qos->ethtool.fec_uncorrectable;
}

static struct num crc_errors(const struct target *target)
{
    return target->netdev->rx_crc_errors;
}

#define HASH(hash, member) hash_number((hash), (uint64_t)(member), sizeof(member))

/* What was set, nothing that counts. */
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

#define NEEDS (NEED_FLOW | NEED_NETDEV_MTU | NEED_NLDEV)
#define NETDEV_FAMILY(key, text, kind, ...)                                                    \
    {                                                                                          \
        .name = "netdev_" key, .labels = "netdev", .help = text, .type = kind, .needs = NEEDS, \
        .over = OVER_NETDEVS, __VA_ARGS__                                                      \
    }

const struct family families_netdevs[] = {
    { "netdev_pfc_enabled", "netdev,priority", "1: PFC is on for the priority; 0: it is off", METRIC_GAUGE,
      .needs = NEEDS, .fill = fill_pfc_enabled },
    { "netdev_pfc_frames_received_total", "netdev,priority",
      "PFC frames received: the switch asked for a stop of the priority", METRIC_COUNTER, .needs = NEEDS,
      .fill = fill_pfc_received },
    { "netdev_pfc_frames_transmitted_total", "netdev,priority",
      "PFC frames sent: the switch was asked for a stop of the priority", METRIC_COUNTER, .needs = NEEDS,
      .fill = fill_pfc_sent },
    { "netdev_ecn_priorities", "netdev,role",
      "priorities, of 8, that congestion control is on for: in the role that slows down (reaction), and the one that asks for it (notification)",
      METRIC_GAUGE, .needs = NEEDS, .fill = fill_ecn_priorities },
    NETDEV_FAMILY("pause_frames_received_total", "global pause frames received", METRIC_COUNTER,
                  .number = pause_received),
    NETDEV_FAMILY("pause_frames_transmitted_total", "global pause frames sent", METRIC_COUNTER,
                  .number = pause_sent),
    NETDEV_FAMILY("fec_corrected_blocks_total", "blocks that forward error correction mended", METRIC_COUNTER,
                  .number = fec_corrected),
    NETDEV_FAMILY("fec_uncorrectable_blocks_total", "blocks that forward error correction could not mend: lost",
                  METRIC_COUNTER, .number = fec_uncorrectable),
    NETDEV_FAMILY("crc_errors_total", "frames received with a wrong checksum: damaged on the link",
                  METRIC_COUNTER, .number = crc_errors),
    NETDEV_FAMILY(
        "qos_hash",
        "stands for the netdev's settings of PFC, priorities, buffers, pause and ECN: when it changes, one of them did",
        METRIC_GAUGE, .number = qos_hash),
    { 0 },
};
