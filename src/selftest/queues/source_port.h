/* SPDX-License-Identifier: MIT */
/* The UDP source port of a RoCE v2 queue pair: what the switches of an ECMP fabric choose a path by. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a driver chooses the port of an RC queue pair. */
enum port_rule {
    PORT_OWN,      /* in a way of its own, or it isn't known how */
    PORT_BY_LABEL, /* from the flow label of the address vector, as the kernel's rdma_get_udp_sport() */
    PORT_RULES
};

/* driver: as struct device has it, NULL: not known. old_rxe: soft-RoCE of Linux before 6.0. These call
 * rdma_get_udp_sport() as they connect an RC queue pair: rxe (rxe_verbs.c; before 5.17 a hash of its own),
 * mlx5 (qp.c), irdma, mana, ionic and hns. */
enum port_rule port_rule_of(const char *driver, bool old_rxe);

/* ibv_flow_label_to_udp_sport() of verbs.h. Many labels give one port. */
uint16_t port_of_label(uint32_t label);
/* A label that gives this port (0xc000 to 0xffff). Never 0, which asks the driver to choose. */
uint32_t label_of_port(uint16_t port);

/* Number i of the ports that are tried: no two of PORTS_OF_ROCE are equal, and those that follow each other
 * are far apart. Always the same ones, so that two runs can be compared. */
enum { PORTS_OF_ROCE = 0x4000 };
uint16_t port_to_try(unsigned i);
