/* SPDX-License-Identifier: MIT */
/* What the RDMA subsystem reports about its devices over NETLINK_RDMA (drivers/infiniband/core/nldev.c). */
#include "source/netlink/parsers.h"

NETLINK_NLDEV_DEVICES;
const struct answer nldev_devices = { .table = devices };

NETLINK_NLDEV_PORTS;
/* Dumps and single answers differ in nlmsg_type: PORT_GET's single answer has the type of GET. */
const struct answer nldev_ports = { .table = ports };

NETLINK_NLDEV_SYSTEM;
const struct answer nldev_system = { .table = rdma_system };

static bool take_event(void *to, struct reading *reading)
{
    /* enum rdma_nl_notify_event_type */
    static const char *const words[] = { "registered",      "unregistered", "netdev-attached",
                                         "netdev-detached", "renamed",      "netdev-renamed" };
    uint64_t type = attr_value(reading->attr, 1, UINT64_MAX);
    if (type == UINT64_MAX)
        return false;
    ((struct nldev_notice *)to)->what = type < ARRAY_SIZE(words)
                                            ? words[type]
                                            : arena_printf(reading->arena, "event %u", (unsigned)type);
    return true;
}

NETLINK_NLDEV_NOTICES;
const struct answer nldev_notices = { .table = notices };

/* -- counters -------------------------------------------------------------------------------------------- */

NETLINK_NLDEV_VALUES;
const struct answer nldev_values = { .table = values };

NETLINK_NLDEV_OPTIONAL;
const struct answer nldev_optional = { .table = optionals };

NETLINK_NLDEV_BOUND;
const struct answer nldev_bound = { .table = bounds };
