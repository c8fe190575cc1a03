/* SPDX-License-Identifier: MIT */
/* What the RDMA subsystem reports about its devices over NETLINK_RDMA (drivers/infiniband/core/nldev.c). */
#include <netinet/in.h>

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

/* -- resources: those of each type, who holds them, and how many there are in all -------------------------- */

/* enum ib_qp_type, ib_mig_state, ib_srq_type, ib_poll_context (rdma/ib_verbs.h): the words are iproute2's. */
static const char *const qp_types[] = {
    "SMI",           "GSI", "RC",         "UC",      "UD",      "RAW_IPV6",
    "RAW_ETHERTYPE", NULL,  "RAW_PACKET", "XRC_INI", "XRC_TGT", [0xff] = "DRIVER"
};
static const char *const mig_states[] = { "MIGRATED", "REARM", "ARMED" };
static const char *const srq_types[] = { "BASIC", "XRC", "TM" };
static const char *const poll_contexts[] = { "DIRECT", "SOFTIRQ", "WORKQUEUE", "UNBOUND_WORKQUEUE" };

/* enum rdma_ucm_port_space (rdma/rdma_user_cm.h) */
static bool take_port_space(void *to, struct reading *reading)
{
    struct resource *resource = to;
    uint64_t space = attr_value(reading->attr, sizeof(uint32_t), UINT64_MAX);
    if (space == UINT64_MAX)
        return false;
    resource->port_space = space == 0x0002   ? "IPoIB"
                           : space == 0x013F ? "IB"
                           : space == 0x0106 ? "TCP"
                           : space == 0x0111 ? "UDP"
                                             : arena_printf(reading->arena, "0x%04x", (unsigned)space);
    return true;
}

/* A struct __kernel_sockaddr_storage as "10.0.0.1:7471" or "[fe80::1]:7471". */
static const char *socket_address(struct arena *arena, const struct nlattr *attr)
{
    size_t len;
    const void *data = attr_bytes(attr, &len);
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } address = { 0 };
    if (len < sizeof(address.v4))
        return NULL;
    memcpy(&address, data, len < sizeof(address) ? len : sizeof(address));
    unsigned family = order16(address.any.sa_family);
    if (family == AF_INET6 && len >= sizeof(address.v6))
        return endpoint_text(AF_INET6, &address.v6.sin6_addr, address.v6.sin6_port, arena);
    return family == AF_INET ? endpoint_text(AF_INET, &address.v4.sin_addr, address.v4.sin_port, arena) : NULL;
}

static bool take_socket_address(void *to, struct reading *reading)
{
    return (*(const char **)to = socket_address(reading->arena, reading->attr));
}

/* The QPs that use an SRQ: single numbers and ranges. */
struct qps {
    struct num number, first, last;
};
NETLINK_NLDEV_QPS;

static bool take_qps(void *to, struct reading *reading)
{
    struct resource *resource = to;
    struct qps found = { 0 };
    attributes_read(qps, attr_walk_in(reading->attr), &found, reading);
    bool run = !found.number.known && found.first.known && found.last.known;
    unsigned first = (unsigned)(run ? found.first : found.number).value;
    if (found.number.known || run)
        *ARENA_PUSH(reading->arena, resource->qps,
                    resource->nqps) = run ? arena_printf(reading->arena, "%u-%u", first,
                                                         (unsigned)found.last.value)
                                          : arena_printf(reading->arena, "%u", first);
    return true;
}

NETLINK_NLDEV_SRQ;

/* For all types. Memory keys and addresses stay out of a recording: they let a peer write to that memory. */
NETLINK_NLDEV_COMMON;

/* The rows for one type: its id on the device, what only it has, and what all may have. */
#define TYPE(name, id_attribute, entry_attribute, table_attribute, ...)                \
    static const struct attr_row name##_rows[] = {                                     \
        { U32(id_attribute, struct resource, id) },                                    \
        __VA_ARGS__{ AND(common) },                                                    \
        { 0 },                                                                         \
    };                                                                                 \
    static const struct attr_row name##_table[] = {                                    \
        { NEST(entry_attribute, name##_rows), EACH(struct resources, items, nitems) }, \
        { 0 },                                                                         \
    };                                                                                 \
    static const struct attr_row name[] = { { NEST(table_attribute, name##_table) }, { 0 } };

TYPE(qp, RDMA_NLDEV_ATTR_RES_LQPN, RDMA_NLDEV_ATTR_RES_QP_ENTRY, RDMA_NLDEV_ATTR_RES_QP,
     { CODE(RDMA_NLDEV_ATTR_RES_TYPE, 1, qp_types, struct resource, kind), .or_number = true },
     { CODE(RDMA_NLDEV_ATTR_RES_STATE, 1, resource_qp_states, struct resource, state), .or_number = true }, )
TYPE(cq, RDMA_NLDEV_ATTR_RES_CQN, RDMA_NLDEV_ATTR_RES_CQ_ENTRY, RDMA_NLDEV_ATTR_RES_CQ)
TYPE(mr, RDMA_NLDEV_ATTR_RES_MRN, RDMA_NLDEV_ATTR_RES_MR_ENTRY, RDMA_NLDEV_ATTR_RES_MR)
TYPE(pd, RDMA_NLDEV_ATTR_RES_PDN, RDMA_NLDEV_ATTR_RES_PD_ENTRY, RDMA_NLDEV_ATTR_RES_PD,
     { SECRET(RDMA_NLDEV_ATTR_RES_LOCAL_DMA_LKEY, 4, struct resource, lkey) },
     { SECRET(RDMA_NLDEV_ATTR_RES_UNSAFE_GLOBAL_RKEY, 4, struct resource, rkey) }, )
TYPE(cm_id, RDMA_NLDEV_ATTR_RES_CM_IDN, RDMA_NLDEV_ATTR_RES_CM_ID_ENTRY, RDMA_NLDEV_ATTR_RES_CM_ID,
     { CODE(RDMA_NLDEV_ATTR_RES_TYPE, 1, qp_types, struct resource, kind), .or_number = true },
     { CODE(RDMA_NLDEV_ATTR_RES_STATE, 1, resource_cm_states, struct resource, state), .or_number = true }, )
TYPE(srq, RDMA_NLDEV_ATTR_RES_SRQN, RDMA_NLDEV_ATTR_RES_SRQ_ENTRY, RDMA_NLDEV_ATTR_RES_SRQ,
     { CODE(RDMA_NLDEV_ATTR_RES_TYPE, 1, srq_types, struct resource, kind), .or_number = true },
     { NEST(RDMA_NLDEV_ATTR_RES_QP, srq_qps) }, )
TYPE(ctx, RDMA_NLDEV_ATTR_RES_CTXN, RDMA_NLDEV_ATTR_RES_CTX_ENTRY, RDMA_NLDEV_ATTR_RES_CTX)

const struct answer nldev_resources[RESOURCE_TYPES] = {
    [RESOURCE_QP] = { .table = qp },   [RESOURCE_CQ] = { .table = cq },       [RESOURCE_MR] = { .table = mr },
    [RESOURCE_PD] = { .table = pd },   [RESOURCE_CM_ID] = { .table = cm_id }, [RESOURCE_SRQ] = { .table = srq },
    [RESOURCE_CTX] = { .table = ctx },
};

/* -- totals ---------------------------------------------------------------------------------------------- */

NETLINK_NLDEV_TOTALS;

/* Those that it added are of the device that the message names; without one they are nobody's. */
static bool end_totals(void *to, struct reading *reading)
{
    struct resources *resources = to;
    const struct nlattr *name = attr_find(reading->all, RDMA_NLDEV_ATTR_DEV_NAME);
    const char *device = attr_text(name, reading->arena);
    size_t first = resources->ntotals;
    while (first && !resources->totals[first - 1].device)
        resources->totals[--first].device = device;
    if (!device)
        resources->ntotals = first;
    return true;
}

const struct answer nldev_totals = { .table = totals, .end = end_totals };

/* -- pools of fast registration memory regions ----------------------------------------------------------- */

NETLINK_NLDEV_POOLS;
const struct answer nldev_pools = { .table = pools };
