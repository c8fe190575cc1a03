/* SPDX-License-Identifier: MIT */
/* One of two readings of a small machine: a RoCE port of 100 Gb/s over eth0, with statistics. */
#pragma once

#include "check/check.h"
#include "model/statistics.h"

struct reading {
    struct qos_statistic statistics[4];
    struct qos qos;
    struct netdev netdev;
    struct port port;
    struct device device;
    struct host host;
};

static inline void make_reading(struct reading *reading, struct arena *arena)
{
    *reading = (struct reading){ .qos = { .netdev = "eth0", .statistics = reading->statistics },
                                 .netdev = { .name = "eth0", .kind = NETDEV_PHYSICAL },
                                 .device = { .name = "mlx5_0",
                                             .driver = "mlx5_core",
                                             .transport = TRANSPORT_ROCE,
                                             .ports = &reading->port,
                                             .nports = 1 } };
    reading->port = (struct port){ .device = &reading->device,
                                   .number = 1,
                                   .transport = TRANSPORT_ROCE,
                                   .link_layer = LINK_LAYER_ETHERNET,
                                   .state = num_of(PORT_STATE_ACTIVE),
                                   .rate_mbps = num_of(100000),
                                   .netdev = "eth0" };
    reading->host = (struct host){ .arena = arena,
                                   .needs = NEED_ALL,
                                   .devices = &reading->device,
                                   .ndevices = 1,
                                   .netdevs = &reading->netdev,
                                   .nnetdevs = 1,
                                   .qos = &reading->qos,
                                   .nqos = 1 };
}

/* A statistic in both, that grew meanwhile from a value that isn't 0. */
static inline void grow_statistic(struct reading *before, struct reading *now, const char *name,
                                  uint64_t growth)
{
    size_t i = now->qos.nstatistics++;
    before->statistics[i] = (struct qos_statistic){ .name = name, .value = 700 };
    now->statistics[i] = (struct qos_statistic){ .name = name, .value = 700 + growth };
    before->qos.nstatistics = now->qos.nstatistics;
    statistics_join(&before->statistics[i], 1, now->netdev.driver);
    statistics_join(&now->statistics[i], 1, now->netdev.driver);
}
