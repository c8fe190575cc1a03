/* SPDX-License-Identifier: MIT */
#include "selftest/queues/source_port.h"

#include <infiniband/verbs.h>
#include <string.h>

#include "base/base.h"

/* STEP: odd, so that all ports are met; some 0.62 of the range, so that neighbours lie apart. */
enum { FIRST = 0xc000, BITS = 14, STEP = 10127 };

enum port_rule port_rule_of(const char *driver, bool old_rxe)
{
    /* of the parent: irdma's is ice or i40e, hns_roce's hns3, that of mana_ib mana */
    static const char *const by_label[] = { "rxe",   "mlx5_core", "ice",   "i40e",
                                            "irdma", "mana",      "ionic", "hns3" };
    for (size_t i = 0; driver && !old_rxe && i < ARRAY_SIZE(by_label); i++)
        if (strcmp(driver, by_label[i]) == 0)
            return PORT_BY_LABEL;
    return PORT_OWN;
}

uint16_t port_of_label(uint32_t label)
{
    return ibv_flow_label_to_udp_sport(label);
}

uint32_t label_of_port(uint16_t port)
{
    uint32_t low = port & (PORTS_OF_ROCE - 1);
    return low ? low : 1u << BITS | 1;
}

uint16_t port_to_try(unsigned i)
{
    return (uint16_t)(FIRST | (i * STEP & (PORTS_OF_ROCE - 1)));
}
