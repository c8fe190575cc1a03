/* SPDX-License-Identifier: MIT */
/* What the checks of flow and congestion control share. Private to check/. */
#pragma once

#include "check/judge.h"
#include "model/qos.h"

#define QOS (NEED_QOS | NEED_NETDEV_ALL | NEED_GIDS | NEED_PCI | NEED_NLDEV)

enum { USUAL_PRIORITY = 3 };

/* The hardware below a port's netdev; NULL: it has no netdev here. */
const struct netdev *hardware_of(const struct subject *subject);
/* The settings below a RoCE port; else NULL, and the verdict. */
const struct qos *qos_of(const struct subject *subject, struct judgement *judgement, enum verdict *verdict);
/* The VLANs that a port's GIDs stand on, where some are routable those only. None: its frames have no tag. */
struct vlans {
    const struct netdev *items[8];
    size_t count;
};
struct vlans vlans_of(const struct subject *subject);
/* What becomes of a TOS by the VLAN on which it fares worst; *vlan is NULL where the port has none. by_cm: an
 * RDMA_CM connection asks for it, else an application or the driver, and then the PCP isn't known. */
struct qos_path follow_tos(const struct subject *subject, const struct qos *qos, unsigned tos, bool by_cm,
                           const struct netdev **vlan);
/* "3, 4" of bits 3 and 4, "none" of 0. */
const char *priorities_text(struct judgement *judgement, uint8_t bits);
/* On which priorities congestion control runs: mlx5 says so, other drivers have no file for it. */
bool ecn_known(const struct netdev *netdev, uint8_t *bits);
/* The TOS that RoCE traffic goes out with; false: nothing sets one. The driver's traffic class rules over
 * what applications ask for, RDMA_CM's default holds for its connections. */
bool tos_of(const struct port *port, unsigned *tos, const char **source);
