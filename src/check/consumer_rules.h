/* SPDX-License-Identifier: MIT */
/* The rules of consumers, a file a library. Private to check/. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/device.h"
#include "model/system.h"

/* What a library is told: the variables and the library's files of the machine, or what is advised. */
struct settings {
    const struct system *system;
    enum library library;
};
/* NULL: not set. */
static inline const char *settings_value(const struct settings *settings, const char *name)
{
    return system_setting(settings->system, settings->library, name).value;
}

/* What a rule comes to when no slot fits it. */
enum { NO_SLOT = -1 };

/* Each rule is asked about a RoCE port with a GID table, and gives the slot's index, which may be an empty
 * one's, or NO_SLOT. */

int64_t nccl_choose(const struct settings *settings, const struct port *port);
/* The same for an InfiniBand port. */
int64_t nccl_choose_infiniband(const struct settings *settings, const struct port *port);
bool nccl_is_disabled(const struct settings *settings);                         /* NCCL_IB_DISABLE */
bool nccl_takes_port(const struct settings *settings, const struct port *port); /* NCCL_IB_HCA */
bool nccl_pin(const struct settings *settings, uint32_t *index);                /* NCCL_IB_GID_INDEX */
bool nccl_wants_v6(const struct settings *settings);                            /* NCCL_IB_ADDR_FAMILY */
bool nccl_has_range(const struct settings *settings);                           /* NCCL_IB_ADDR_RANGE */
/* NCCL_IB_TC and NCCL_IB_SL */
void nccl_traffic(const struct settings *settings, unsigned *tos, unsigned *sl);

int64_t ucx_choose(const struct settings *settings, const struct port *port);
bool ucx_takes_port(const struct settings *settings, const struct port *port); /* UCX_NET_DEVICES */
bool ucx_pin(const struct settings *settings, uint32_t *index);                /* UCX_IB_GID_INDEX */
/* Will UCX use the port at all? It wants a GID with an interface id in the slot it is pinned to, else in 0. */
bool ucx_accepts(const struct settings *settings, const struct port *port);
bool ucx_has_subnets(const struct settings *settings); /* UCX_IB_ROCE_SUBNETS */
/* UCX_IB_TRAFFIC_CLASS and UCX_IB_SL */
void ucx_traffic(const struct settings *settings, unsigned *tos, unsigned *sl);

int64_t perftest_choose(const struct settings *settings, const struct port *port);
int64_t rdma_cm_choose(const struct settings *settings, const struct port *port);
