/* SPDX-License-Identifier: MIT */
/* How many packets a port sent and received on each priority, as its netdev's driver counts them (ethtool -S).
 * Those that do: mlx5 (rx_prio0_packets: en_stats.c), mlx4 (rx_prio_0_packets: en_ethtool.c) and bnxt
 * (rx_packets_pri0: bnxt_ethtool.c), where priorities that share a queue have one counter between them. Not
 * ionic, whose frames_rx_pri_0 counts the pause frames of a priority. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/qos.h"

struct priority_counts {
    bool known; /* the driver counts packets by priority */
    uint64_t received[PRIORITIES], sent[PRIORITIES];
};

/* Adds what the statistics of one netdev say: a bond's members are counted each by itself. */
void priority_counts_add(struct priority_counts *counts, const struct qos_statistic *statistics, size_t count);
/* How much each has grown since before. */
struct priority_counts priority_counts_since(const struct priority_counts *now,
                                             const struct priority_counts *before);

/* On which priority so many packets went, by how much the counters of one direction have grown. All packets
 * of a kind go on one priority, other traffic on any: a priority that grew by fewer can't be it. */
enum priority_kind {
    PRIORITY_UNSEEN, /* none grew by as many: they were not counted, or not counted yet */
    PRIORITY_ONE,
    PRIORITY_SHARED, /* one of those in mask, which have one counter between them */
    PRIORITY_MANY    /* other traffic: several grew by as many */
};
struct priority_found {
    enum priority_kind kind;
    unsigned mask; /* bit N: priority N */
};
struct priority_found priority_find(const uint64_t grown[static PRIORITIES], uint64_t packets);
/* "3", or of shared ones "0-2 or 4"; "": it isn't known. */
enum { PRIORITY_TEXT_SIZE = 24 };
void priority_text(struct priority_found found, char text[static PRIORITY_TEXT_SIZE]);
