/* SPDX-License-Identifier: MIT */
/* What the module smc answers by its generic netlink family, and smc_diag of sockets. Pure. Attributes:
 * uapi/linux/smc.h and smc_diag.h; what fills them: net/smc/smc_core.c (links), smc_ib.c (devices), smc_stats.c,
 * smc_diag.c. Memory is from arena; 0, or -EBADMSG: what came before the broken message is there. */
#pragma once

#include "base/mem.h"
#include "model/smc.h"

/* SMC_NETLINK_GET_LINK_SMCR: a message for each link group, its links behind it. */
int smc_parse_links(const void *bytes, size_t len, struct arena *arena, struct smc *smc);
/* SMC_NETLINK_GET_DEV_SMCR */
int smc_parse_devices(const void *bytes, size_t len, struct arena *arena, struct smc *smc);
/* SMC_NETLINK_GET_STATS: of SMC-R, not of SMC-D. */
int smc_parse_statistics(const void *bytes, size_t len, struct smc *smc);
/* SMC_NETLINK_GET_FBACK_STATS */
int smc_parse_fallbacks(const void *bytes, size_t len, struct arena *arena, struct smc *smc);
/* SOCK_DIAG_BY_FAMILY of AF_SMC, with SMC_DIAG_LGRINFO. */
int smc_parse_sockets(const void *bytes, size_t len, struct arena *arena, struct smc *smc);
