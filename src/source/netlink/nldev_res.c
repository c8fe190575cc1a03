/* SPDX-License-Identifier: MIT */
#include "source/netlink/parsers.h"

#include <arpa/inet.h>
#include <errno.h>
#include <rdma/rdma_netlink.h>
#include <string.h>
#include <sys/socket.h>

#include "base/mem.h"
#include "source/netlink/message.h"

static const struct {
    unsigned table, entry, id;
} types[RESOURCE_TYPES] = {
    [RESOURCE_QP] = { RDMA_NLDEV_ATTR_RES_QP, RDMA_NLDEV_ATTR_RES_QP_ENTRY, RDMA_NLDEV_ATTR_RES_LQPN },
    [RESOURCE_CQ] = { RDMA_NLDEV_ATTR_RES_CQ, RDMA_NLDEV_ATTR_RES_CQ_ENTRY, RDMA_NLDEV_ATTR_RES_CQN },
    [RESOURCE_MR] = { RDMA_NLDEV_ATTR_RES_MR, RDMA_NLDEV_ATTR_RES_MR_ENTRY, RDMA_NLDEV_ATTR_RES_MRN },
    [RESOURCE_PD] = { RDMA_NLDEV_ATTR_RES_PD, RDMA_NLDEV_ATTR_RES_PD_ENTRY, RDMA_NLDEV_ATTR_RES_PDN },
    [RESOURCE_CM_ID] = { RDMA_NLDEV_ATTR_RES_CM_ID, RDMA_NLDEV_ATTR_RES_CM_ID_ENTRY,
                         RDMA_NLDEV_ATTR_RES_CM_IDN },
    [RESOURCE_SRQ] = { RDMA_NLDEV_ATTR_RES_SRQ, RDMA_NLDEV_ATTR_RES_SRQ_ENTRY, RDMA_NLDEV_ATTR_RES_SRQN },
    [RESOURCE_CTX] = { RDMA_NLDEV_ATTR_RES_CTX, RDMA_NLDEV_ATTR_RES_CTX_ENTRY, RDMA_NLDEV_ATTR_RES_CTXN },
};

/* enum ib_qp_type, ib_mig_state, ib_srq_type, ib_poll_context (rdma/ib_verbs.h): the words are iproute2's. */
static const char *const qp_types[] = { "SMI",           "GSI", "RC",         "UC",      "UD",     "RAW_IPV6",
                                        "RAW_ETHERTYPE", NULL,  "RAW_PACKET", "XRC_INI", "XRC_TGT" };
static const char *const mig_states[] = { "MIGRATED", "REARM", "ARMED" };
static const char *const srq_types[] = { "BASIC", "XRC", "TM" };
static const char *const poll_contexts[] = { "DIRECT", "SOFTIRQ", "WORKQUEUE", "UNBOUND_WORKQUEUE" };

enum { QP_TYPE_DRIVER = 0xff };

/* A number that has no word is told as a number. */
static const char *word_or_number(struct arena *arena, const struct nlattr *attr, const char *const *words,
                                  size_t count)
{
    uint64_t number;
    if (!attr_number(attr, &number))
        return NULL;
    const char *found = number < count ? words[number] : NULL;
    return found ? found : arena_printf(arena, "%u", (unsigned)number);
}

#define WORD_OR_NUMBER(attr, words) word_or_number(arena, (attr), (words), ARRAY_SIZE(words))

static const char *qp_type(struct arena *arena, const struct nlattr *attr)
{
    uint64_t type;
    return attr_number(attr, &type) && type == QP_TYPE_DRIVER ? "DRIVER" : WORD_OR_NUMBER(attr, qp_types);
}

static const char *port_space(struct arena *arena, const struct nlattr *attr)
{
    uint64_t space;
    if (!attr_number(attr, &space))
        return NULL;
    switch (space) {
    case 0x0002:
        return "IPoIB";
    case 0x013F:
        return "IB";
    case 0x0106:
        return "TCP";
    case 0x0111:
        return "UDP";
    }
    return arena_printf(arena, "0x%04x", (unsigned)space);
}

/* "10.0.0.1:7471"; without printf, for there may be ten thousand of them. */
static const char *with_port(struct arena *arena, const char *address, bool brackets, uint16_t port)
{
    char text[INET6_ADDRSTRLEN + sizeof("[]:65535")], digits[5];
    size_t len = 0, ndigits = 0;
    if (brackets)
        text[len++] = '[';
    for (; *address; address++)
        text[len++] = *address;
    if (brackets)
        text[len++] = ']';
    text[len++] = ':';
    for (unsigned rest = port; rest || !ndigits; rest /= 10)
        digits[ndigits++] = (char)('0' + rest % 10);
    while (ndigits)
        text[len++] = digits[--ndigits];
    return arena_strndup(arena, text, len);
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
    if (!data || len < sizeof(address.v4))
        return NULL;
    memcpy(&address, data, len < sizeof(address) ? len : sizeof(address));
    char text[INET6_ADDRSTRLEN];
    unsigned family = order16(address.any.sa_family);
    if (family == AF_INET && inet_ntop(AF_INET, &address.v4.sin_addr, text, sizeof(text)))
        return with_port(arena, text, false, ntohs(address.v4.sin_port));
    if (family == AF_INET6 && len >= sizeof(address.v6) &&
        inet_ntop(AF_INET6, &address.v6.sin6_addr, text, sizeof(text)))
        return with_port(arena, text, true, ntohs(address.v6.sin6_port));
    return NULL;
}

static void set_kind(struct resource *resource, const struct attrs *attrs, struct arena *arena)
{
    const struct nlattr *type = attrs->at[RDMA_NLDEV_ATTR_RES_TYPE];
    const struct nlattr *state = attrs->at[RDMA_NLDEV_ATTR_RES_STATE];
    switch (resource->type) {
    case RESOURCE_QP:
        resource->kind = qp_type(arena, type);
        resource->state = WORD_OR_NUMBER(state, resource_qp_states);
        break;
    case RESOURCE_CM_ID:
        resource->kind = qp_type(arena, type);
        resource->state = WORD_OR_NUMBER(state, resource_cm_states);
        break;
    case RESOURCE_SRQ:
        resource->kind = WORD_OR_NUMBER(type, srq_types);
        break;
    default:
        break;
    }
}

/* The QPs that use an SRQ: single numbers and runs of them. */
static void take_qps(struct resource *resource, const struct nlattr *table, struct arena *arena)
{
    for (const struct nlattr *entry = NULL; (entry = attr_next(table, entry, RDMA_NLDEV_ATTR_RES_QP_ENTRY));) {
        struct attrs fields;
        attrs_parse_nest(&fields, entry);
        struct num number = attr_u32(fields.at[RDMA_NLDEV_ATTR_RES_LQPN]);
        struct num first = attr_u32(fields.at[RDMA_NLDEV_ATTR_MIN_RANGE]);
        struct num last = attr_u32(fields.at[RDMA_NLDEV_ATTR_MAX_RANGE]);
        const char *text = number.known ? arena_printf(arena, "%u", (unsigned)number.value)
                           : first.known && last.known
                               ? arena_printf(arena, "%u-%u", (unsigned)first.value, (unsigned)last.value)
                               : NULL;
        if (text)
            *ARENA_PUSH(arena, resource->qps, resource->nqps) = text;
    }
}

/* Whose it is in the kernel: most often the same as that of the one before it, and then the same text. */
static const char *kernel_name(const struct nlattr *attr, struct arena *arena, const char *before)
{
    size_t len;
    const char *text = attr_bytes(attr, &len);
    bool same = text && before && strnlen(text, len) == strlen(before) &&
                memcmp(text, before, strlen(before)) == 0;
    return same ? before : attr_text(attr, arena);
}

static struct num32 u32(const struct nlattr *attr)
{
    struct num num = attr_u32(attr);
    return num.known ? num32_of((uint32_t)num.value) : (struct num32){ 0 };
}

static void parse_resource(struct resource *resource, const struct attrs *attrs, struct arena *arena,
                           const char *before)
{
    const struct nlattr *const *at = attrs->at;
    set_kind(resource, attrs, arena);
    resource->port = u32(at[RDMA_NLDEV_ATTR_PORT_INDEX]);
    resource->pid = u32(at[RDMA_NLDEV_ATTR_RES_PID]);
    resource->comm = kernel_name(at[RDMA_NLDEV_ATTR_RES_KERN_NAME], arena, before);
    resource->subtype = attr_text(at[NLDEV_RES_SUBTYPE], arena);
    resource->lqpn = u32(at[RDMA_NLDEV_ATTR_RES_LQPN]);
    resource->rqpn = u32(at[RDMA_NLDEV_ATTR_RES_RQPN]);
    resource->rq_psn = u32(at[RDMA_NLDEV_ATTR_RES_RQ_PSN]);
    resource->sq_psn = u32(at[RDMA_NLDEV_ATTR_RES_SQ_PSN]);
    resource->path_mig_state = WORD_OR_NUMBER(at[RDMA_NLDEV_ATTR_RES_PATH_MIG_STATE], mig_states);
    if (resource->type == RESOURCE_SRQ)
        take_qps(resource, at[RDMA_NLDEV_ATTR_RES_QP], arena);
    resource->pdn = u32(at[RDMA_NLDEV_ATTR_RES_PDN]);
    resource->cqn = u32(at[RDMA_NLDEV_ATTR_RES_CQN]);
    resource->ctxn = u32(at[RDMA_NLDEV_ATTR_RES_CTXN]);
    resource->entries = u32(at[RDMA_NLDEV_ATTR_RES_CQE]);
    resource->users = attr_u64(at[RDMA_NLDEV_ATTR_RES_USECNT]);
    resource->poll_context = WORD_OR_NUMBER(at[RDMA_NLDEV_ATTR_RES_POLL_CTX], poll_contexts);
    resource->adaptive_moderation = attr_u8(at[RDMA_NLDEV_ATTR_DEV_DIM]);
    resource->lkey = u32(at[RDMA_NLDEV_ATTR_RES_LKEY]);
    resource->rkey = u32(at[RDMA_NLDEV_ATTR_RES_RKEY]);
    if (resource->type == RESOURCE_PD) {
        resource->lkey = u32(at[RDMA_NLDEV_ATTR_RES_LOCAL_DMA_LKEY]);
        resource->rkey = u32(at[RDMA_NLDEV_ATTR_RES_UNSAFE_GLOBAL_RKEY]);
    }
    resource->iova = attr_u64(at[RDMA_NLDEV_ATTR_RES_IOVA]);
    resource->length = attr_u64(at[RDMA_NLDEV_ATTR_RES_MRLEN]);
    resource->port_space = port_space(arena, at[RDMA_NLDEV_ATTR_RES_PS]);
    resource->source = socket_address(arena, at[RDMA_NLDEV_ATTR_RES_SRC_ADDR]);
    resource->destination = socket_address(arena, at[RDMA_NLDEV_ATTR_RES_DST_ADDR]);
}

int nldev_parse_resources(const void *bytes, size_t len, enum resource_type type, struct arena *arena,
                          const char *device, struct resource **items, size_t *count)
{
    struct messages messages = messages_of(bytes, len);
    struct attrs attrs, fields;
    const char *before = NULL;
    while (messages_next_attrs(&messages, &attrs)) {
        const struct nlattr *table = attrs.at[types[type].table];
        for (const struct nlattr *entry = NULL; (entry = attr_next(table, entry, types[type].entry));) {
            messages.cut |= attrs_parse_nest(&fields, entry) < 0;
            struct resource *item = ARENA_PUSH_MANY(arena, *items, *count);
            *item = (struct resource){ .type = type, .device = device, .id = u32(fields.at[types[type].id]) };
            parse_resource(item, &fields, arena, before);
            before = item->comm ? item->comm : before;
        }
    }
    return messages_result(&messages);
}

int nldev_parse_totals(const void *bytes, size_t len, struct arena *arena, struct resource_total **totals,
                       size_t *count)
{
    struct messages messages = messages_of(bytes, len);
    struct attrs attrs, fields;
    while (messages_next_attrs(&messages, &attrs)) {
        const char *device = attr_text(attrs.at[RDMA_NLDEV_ATTR_DEV_NAME], arena);
        const struct nlattr *table = attrs.at[RDMA_NLDEV_ATTR_RES_SUMMARY];
        for (const struct nlattr *entry = NULL;
             device && (entry = attr_next(table, entry, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY));) {
            attrs_parse_nest(&fields, entry);
            struct num current = attr_u64(fields.at[RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR]);
            const char *name = attr_text(fields.at[RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME], arena);
            if (current.known && name)
                *ARENA_PUSH(arena, *totals, *count) = (struct resource_total){ .device = device,
                                                                               .type = name,
                                                                               .count = current.value };
        }
    }
    return messages_result(&messages);
}

/* The counters of a reply, which is one message, one after the other. */
struct counter_list {
    const struct nlattr *table, *entry;
    struct attrs fields; /* of the entry */
    const char *name;
};

/* 0 or -EBADMSG; what comes before something broken is in the list all the same. */
static int counter_list(const void *bytes, size_t len, struct counter_list *list)
{
    struct messages messages = messages_of(bytes, len);
    struct attrs attrs;
    *list = (struct counter_list){ 0 };
    if (!messages_next_attrs(&messages, &attrs))
        return -EBADMSG;
    list->table = attrs.at[RDMA_NLDEV_ATTR_STAT_HWCOUNTERS];
    return messages_result(&messages);
}

/* The next one that has a name. */
static bool counter_next(struct counter_list *list, struct arena *arena)
{
    while ((list->entry = attr_next(list->table, list->entry, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY))) {
        attrs_parse_nest(&list->fields, list->entry);
        list->name = attr_text(list->fields.at[RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME], arena);
        if (list->name)
            return true;
    }
    return false;
}

int nldev_parse_optional(const void *bytes, size_t len, struct arena *arena,
                         struct optional_counter **counters, size_t *count)
{
    struct counter_list list;
    int r = counter_list(bytes, len, &list);
    while (counter_next(&list, arena)) {
        struct num enabled = attr_u8(list.fields.at[RDMA_NLDEV_ATTR_STAT_HWCOUNTER_DYNAMIC]);
        if (enabled.known)
            *ARENA_PUSH(arena, *counters, *count) = (struct optional_counter){ .name = list.name,
                                                                               .enabled = enabled.value != 0 };
    }
    return r;
}

static void take_values(struct counter_list *list, struct arena *arena, struct counter_value **values,
                        size_t *count)
{
    while (counter_next(list, arena)) {
        struct num value = attr_u64(list->fields.at[RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE]);
        if (value.known)
            *ARENA_PUSH(arena, *values, *count) = (struct counter_value){ .name = list->name, .value = value };
    }
}

int nldev_parse_values(const void *bytes, size_t len, struct arena *arena, struct counter_value **values,
                       size_t *count)
{
    struct counter_list list;
    int r = counter_list(bytes, len, &list);
    take_values(&list, arena, values, count);
    return r;
}

static void take_lqpns(struct bound_counter *counter, const struct nlattr *table, struct arena *arena)
{
    struct attrs fields;
    for (const struct nlattr *entry = NULL; (entry = attr_next(table, entry, RDMA_NLDEV_ATTR_RES_QP_ENTRY));) {
        attrs_parse_nest(&fields, entry);
        struct num lqpn = attr_u32(fields.at[RDMA_NLDEV_ATTR_RES_LQPN]);
        if (lqpn.known)
            *ARENA_PUSH_MANY(arena, counter->lqpns, counter->nlqpns) = (uint32_t)lqpn.value;
    }
}

int nldev_parse_bound(const void *bytes, size_t len, struct arena *arena, struct bound_counter **counters,
                      size_t *count)
{
    struct messages messages = messages_of(bytes, len);
    struct attrs attrs, fields;
    while (messages_next_attrs(&messages, &attrs)) {
        const struct nlattr *table = attrs.at[RDMA_NLDEV_ATTR_STAT_COUNTER];
        for (const struct nlattr *entry = NULL;
             (entry = attr_next(table, entry, RDMA_NLDEV_ATTR_STAT_COUNTER_ENTRY));) {
            messages.cut |= attrs_parse_nest(&fields, entry) < 0;
            struct bound_counter counter = { .number = attr_u32(fields.at[RDMA_NLDEV_ATTR_STAT_COUNTER_ID]) };
            struct counter_list list = { .table = fields.at[RDMA_NLDEV_ATTR_STAT_HWCOUNTERS] };
            take_values(&list, arena, &counter.values, &counter.nvalues);
            take_lqpns(&counter, fields.at[RDMA_NLDEV_ATTR_RES_QP], arena);
            *ARENA_PUSH(arena, *counters, *count) = counter;
        }
    }
    return messages_result(&messages);
}
