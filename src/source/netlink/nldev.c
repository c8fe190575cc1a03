/* SPDX-License-Identifier: MIT */
/* What the RDMA subsystem reports about its devices over NETLINK_RDMA (drivers/infiniband/core/nldev.c). */
#include "source/netlink/parsers.h"

static const struct attr_row devices[] = {
    { U32(RDMA_NLDEV_ATTR_DEV_INDEX, struct device, index), .must = true },
    { KEPT_NAME(RDMA_NLDEV_ATTR_DEV_NAME) },
    { WORD(RDMA_NLDEV_ATTR_DEV_PROTOCOL, struct device, protocol) },
    { 0 },
};
const struct answer nldev_devices = { .table = devices };

static const struct attr_row ports[] = {
    { THERE(RDMA_NLDEV_ATTR_DEV_INDEX, 4) },
    { KEPT_NAME(RDMA_NLDEV_ATTR_DEV_NAME) },
    { THERE(RDMA_NLDEV_ATTR_PORT_INDEX, 4), FLAG(struct port, nldev_answered) },
    { NAME(RDMA_NLDEV_ATTR_NDEV_NAME, struct port, netdev_nldev) },
    { 0 },
};
/* Dumps and single answers differ in nlmsg_type: PORT_GET's single answer has the type of GET. */
const struct answer nldev_ports = { .table = ports };

static const struct attr_row rdma_system[] = {
    { U8(RDMA_NLDEV_SYS_ATTR_NETNS_MODE, struct system, netns_mode) },
    { 0 },
};
const struct answer nldev_system = { .table = rdma_system };

static bool take_event(void *to, const struct nlattr *attr, struct reading *reading)
{
    /* enum rdma_nl_notify_event_type */
    static const char *const words[] = { "registered",      "unregistered", "netdev-attached",
                                         "netdev-detached", "renamed",      "netdev-renamed" };
    uint64_t type = attr_value(attr, 1, UINT64_MAX);
    if (type == UINT64_MAX)
        return false;
    ((struct nldev_notice *)to)->what = type < ARRAY_SIZE(words)
                                            ? words[type]
                                            : arena_printf(reading->arena, "event %u", (unsigned)type);
    return true;
}

static const struct attr_row notices[] = {
    { OWN(NLDEV_EVENT_TYPE, KEEP_NUMBER, take_event), .must = true },
    { NAME(RDMA_NLDEV_ATTR_DEV_NAME, struct nldev_notice, device) },
    { U32(RDMA_NLDEV_ATTR_PORT_INDEX, struct nldev_notice, port) },
    { NAME(RDMA_NLDEV_ATTR_NDEV_NAME, struct nldev_notice, netdev) },
    { 0 },
};
const struct answer nldev_notices = { .table = notices };

/* -- counters -------------------------------------------------------------------------------------------- */

static const struct attr_row value[] = {
    { WORD(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME, struct counter_value, name), .must = true },
    { U64(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE, struct counter_value, value), .must = true },
    { 0 },
};
static const struct attr_row value_table[] = {
    { NEST(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY, value), EACH(struct counter_values, items, count) },
    { 0 },
};
static const struct attr_row values[] = { { NEST(RDMA_NLDEV_ATTR_STAT_HWCOUNTERS, value_table) }, { 0 } };
const struct answer nldev_values = { .table = values };

static const struct attr_row optional[] = {
    { WORD(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME, struct optional_counter, name), .must = true },
    { U8(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_DYNAMIC, struct optional_counter, enabled), .must = true },
    { 0 },
};
static const struct attr_row optional_table[] = {
    { NEST(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY, optional),
      EACH(struct resources, optional_counters, noptional_counters) },
    { 0 },
};
static const struct attr_row optionals[] = { { NEST(RDMA_NLDEV_ATTR_STAT_HWCOUNTERS, optional_table) }, { 0 } };
const struct answer nldev_optional = { .table = optionals };

static const struct attr_row bound_qp[] = { { ELEMENT(RDMA_NLDEV_ATTR_RES_LQPN, 4, uint32_t), .must = true },
                                            { 0 } };
static const struct attr_row bound_qps[] = {
    { NEST(RDMA_NLDEV_ATTR_RES_QP_ENTRY, bound_qp), EACH(struct bound_counter, lqpns, nlqpns) },
    { 0 },
};
static const struct attr_row bound_values[] = {
    { NEST(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY, value),
      EACH(struct bound_counter, values.items, values.count) },
    { 0 },
};
static const struct attr_row bound[] = {
    { U32(RDMA_NLDEV_ATTR_STAT_COUNTER_ID, struct bound_counter, number) },
    { NEST(RDMA_NLDEV_ATTR_RES_QP, bound_qps) },
    { NEST(RDMA_NLDEV_ATTR_STAT_HWCOUNTERS, bound_values) },
    { 0 },
};
static const struct attr_row bound_table[] = {
    { NEST(RDMA_NLDEV_ATTR_STAT_COUNTER_ENTRY, bound), EACH(struct bound_counters, items, count) },
    { 0 },
};
static const struct attr_row bounds[] = { { NEST(RDMA_NLDEV_ATTR_STAT_COUNTER, bound_table) }, { 0 } };
const struct answer nldev_bound = { .table = bounds };
