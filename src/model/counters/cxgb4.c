/* SPDX-License-Identifier: MIT */
/* Chelsio T4 and later (iWARP): hw_counters of the device, TCP's of the whole adapter.
 *
 * Names: Linux 7.3, drivers/infiniband/hw/cxgb4/provider.c. Meanings: those of the same names in TCP's MIB
 * (RFC 4022). */
#include "model/counters/tables.h"

/* clang-format off */
static const struct counter_def cxgb4[] = {
    TOTAL("ip4InSegs", "TCP segments received over IPv4", SEGMENTS, INFO),
    TOTAL("ip4OutRsts", "TCP resets sent over IPv4", SEGMENTS, WARNING),
    TOTAL("ip4OutSegs", "TCP segments sent over IPv4", SEGMENTS, INFO),
    TOTAL("ip4RetransSegs", "TCP segments sent again over IPv4: loss on the way", SEGMENTS, WARNING),
    TOTAL("ip6InSegs", "TCP segments received over IPv6", SEGMENTS, INFO),
    TOTAL("ip6OutRsts", "TCP resets sent over IPv6", SEGMENTS, WARNING),
    TOTAL("ip6OutSegs", "TCP segments sent over IPv6", SEGMENTS, INFO),
    TOTAL("ip6RetransSegs", "TCP segments sent again over IPv6: loss on the way", SEGMENTS, WARNING),
};

const struct counter_table counter_table_cxgb4 = TABLE("cxgb4", "hw_counters", cxgb4);
