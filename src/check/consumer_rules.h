/* SPDX-License-Identifier: MIT */
/* The rules of consumers, a file a library. Private to check/.
 * Settings are what the library is told: the variables of the machine, or of what is advised. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/device.h"
#include "model/system.h"

/* What a rule comes to when no slot fits it. */
enum { NO_SLOT = -1 };

/* Each rule is asked about a RoCE port with a GID table, and gives the slot's index, which may be an empty
 * one's, or NO_SLOT. */

int64_t nccl_choose(const struct system *settings, const struct port *port);
/* The same for an InfiniBand port. */
int64_t nccl_choose_infiniband(const struct system *settings, const struct port *port);
bool nccl_takes_port(const struct system *settings, const struct port *port); /* NCCL_IB_HCA */
bool nccl_pin(const struct system *settings, uint32_t *index);                /* NCCL_IB_GID_INDEX */
bool nccl_wants_v6(const struct system *settings);                            /* NCCL_IB_ADDR_FAMILY */
bool nccl_has_range(const struct system *settings);                           /* NCCL_IB_ADDR_RANGE */

int64_t ucx_choose(const struct system *settings, const struct port *port);
bool ucx_takes_port(const struct system *settings, const struct port *port); /* UCX_NET_DEVICES */
bool ucx_pin(const struct system *settings, uint32_t *index);                /* UCX_IB_GID_INDEX */
/* Will UCX use the port at all? It wants a GID with an interface id in the slot it is pinned to, else in 0. */
bool ucx_accepts(const struct system *settings, const struct port *port);
bool ucx_has_subnets(const struct system *settings); /* UCX_IB_ROCE_SUBNETS */

int64_t perftest_choose(const struct system *settings, const struct port *port);
int64_t rdma_cm_choose(const struct system *settings, const struct port *port);
