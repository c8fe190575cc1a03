/* SPDX-License-Identifier: MIT */
#include "source/netlink/nft.h"

#include <errno.h>
#include <linux/in.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nf_tables_compat.h>
#include <linux/netfilter/nfnetlink.h>
#include <string.h>

#include "base/mem.h"
#include "source/netlink/message.h"

/* Where a UDP header has its destination port. */
enum { PORT_OFFSET = 2, PORT_SIZE = 2 };

struct walk {
    uint16_t port;
    bool port_loaded; /* the last load brought the destination port */
    bool excluded;    /* a comparison leaves the port out, or another protocol is asked for */
    bool named;       /* a comparison of the port lets it in */
    bool refuses;
};

static uint32_t be32_of(const struct nlattr *attr)
{
    size_t len;
    const uint8_t *bytes = attr_bytes(attr, &len);
    if (!bytes || len < 4)
        return UINT32_MAX;
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The value of a nest NFTA_DATA_VALUE, when it has two bytes. */
static bool port_value(const struct nlattr *data, unsigned *value)
{
    struct attrs attrs;
    size_t len = 0;
    if (!data || attrs_parse_nest(&attrs, data) < 0)
        return false;
    const uint8_t *bytes = attr_bytes(attrs.at[NFTA_DATA_VALUE], &len);
    if (!bytes || len != PORT_SIZE)
        return false;
    *value = (unsigned)bytes[0] << 8 | bytes[1];
    return true;
}

static void take_payload(struct walk *walk, const struct attrs *data)
{
    walk->port_loaded = be32_of(data->at[NFTA_PAYLOAD_BASE]) == NFT_PAYLOAD_TRANSPORT_HEADER &&
                        be32_of(data->at[NFTA_PAYLOAD_OFFSET]) == PORT_OFFSET &&
                        be32_of(data->at[NFTA_PAYLOAD_LEN]) == PORT_SIZE;
}

static void take_compare(struct walk *walk, const struct attrs *data)
{
    unsigned value;
    if (!walk->port_loaded || !port_value(data->at[NFTA_CMP_DATA], &value))
        return;
    bool holds = false;
    switch (be32_of(data->at[NFTA_CMP_OP])) {
    case NFT_CMP_EQ:
        holds = walk->port == value;
        break;
    case NFT_CMP_LT:
        holds = walk->port < value;
        break;
    case NFT_CMP_LTE:
        holds = walk->port <= value;
        break;
    case NFT_CMP_GT:
        holds = walk->port > value;
        break;
    case NFT_CMP_GTE:
        holds = walk->port >= value;
        break;
    default: /* not equal: such a rule isn't about this port */
        break;
    }
    walk->named = true;
    walk->excluded |= !holds;
}

static void take_range(struct walk *walk, const struct attrs *data)
{
    unsigned from, to;
    if (!walk->port_loaded || !port_value(data->at[NFTA_RANGE_FROM_DATA], &from) ||
        !port_value(data->at[NFTA_RANGE_TO_DATA], &to))
        return;
    bool holds = be32_of(data->at[NFTA_RANGE_OP]) == NFT_RANGE_EQ && walk->port >= from && walk->port <= to;
    walk->named = true;
    walk->excluded |= !holds;
}

/* Is the layer 4 protocol compared with another than UDP? One byte, loaded by meta l4proto or from the IP
 * header. */
static void take_protocol(struct walk *walk, const struct attrs *data)
{
    struct attrs value;
    size_t len = 0;
    if (walk->port_loaded || !data->at[NFTA_CMP_DATA] || attrs_parse_nest(&value, data->at[NFTA_CMP_DATA]) < 0)
        return;
    const uint8_t *bytes = attr_bytes(value.at[NFTA_DATA_VALUE], &len);
    if (bytes && len == 1 && be32_of(data->at[NFTA_CMP_OP]) == NFT_CMP_EQ && bytes[0] != IPPROTO_UDP &&
        (bytes[0] == IPPROTO_TCP || bytes[0] == IPPROTO_SCTP || bytes[0] == IPPROTO_DCCP))
        walk->excluded = true;
}

/* struct xt_udp: first and last source port, first and last destination port (host order), what is inverted.
 */
static void take_match(struct walk *walk, const struct attrs *data, struct arena *arena)
{
    struct {
        uint16_t source[2], destination[2];
        uint8_t inverted;
    } udp;
    size_t len = 0;
    const char *name = attr_text(data->at[NFTA_MATCH_NAME], arena);
    const void *info = attr_bytes(data->at[NFTA_MATCH_INFO], &len);
    if (!name || !info)
        return;
    if (strcmp(name, "tcp") == 0)
        walk->excluded = true;
    if (strcmp(name, "udp") != 0 || len < sizeof(udp))
        return;
    memcpy(&udp, info, sizeof(udp));
    walk->named |= udp.destination[0] != 0 || udp.destination[1] != UINT16_MAX;
    walk->excluded |= udp.inverted || walk->port < udp.destination[0] || walk->port > udp.destination[1];
}

static void take_verdict(struct walk *walk, const struct attrs *data)
{
    struct attrs value, verdict;
    if (!data->at[NFTA_IMMEDIATE_DATA] || attrs_parse_nest(&value, data->at[NFTA_IMMEDIATE_DATA]) < 0 ||
        !value.at[NFTA_DATA_VERDICT] || attrs_parse_nest(&verdict, value.at[NFTA_DATA_VERDICT]) < 0)
        return;
    walk->refuses |= be32_of(verdict.at[NFTA_VERDICT_CODE]) == 0; /* NF_DROP */
}

static void take_expression(struct walk *walk, const struct nlattr *element, struct arena *arena)
{
    struct attrs expression, data;
    if (attrs_parse_nest(&expression, element) < 0 || !expression.at[NFTA_EXPR_NAME] ||
        attrs_parse_nest(&data, expression.at[NFTA_EXPR_DATA]) < 0)
        return;
    const char *name = attr_text(expression.at[NFTA_EXPR_NAME], arena);
    if (!name)
        return;
    if (strcmp(name, "payload") == 0) {
        take_payload(walk, &data);
    } else if (strcmp(name, "cmp") == 0) {
        take_protocol(walk, &data);
        take_compare(walk, &data);
    } else if (strcmp(name, "range") == 0) {
        take_range(walk, &data);
    } else if (strcmp(name, "match") == 0) {
        take_match(walk, &data, arena);
    } else if (strcmp(name, "immediate") == 0) {
        take_verdict(walk, &data);
    } else if (strcmp(name, "reject") == 0) {
        walk->refuses = true;
    } else if (strcmp(name, "target") == 0) {
        const char *target = attr_text(data.at[NFTA_TARGET_NAME], arena);
        walk->refuses |= target && (strcmp(target, "DROP") == 0 || strcmp(target, "REJECT") == 0);
    } else if (strcmp(name, "meta") == 0 || strcmp(name, "ct") == 0) {
        walk->port_loaded = false;
    }
}

static const char *family_text(uint8_t family)
{
    switch (family) {
    case NFPROTO_INET:
        return "inet";
    case NFPROTO_IPV4:
        return "ip";
    case NFPROTO_IPV6:
        return "ip6";
    case NFPROTO_NETDEV:
        return "netdev";
    case NFPROTO_BRIDGE:
        return "bridge";
    default:
        return "other";
    }
}

/* A rule's handle is 64 bits in network order. */
static uint64_t handle_of(const struct nlattr *attr)
{
    size_t len = 0;
    uint64_t handle = 0;
    const uint8_t *bytes = attr_bytes(attr, &len);
    for (size_t i = 0; bytes && i < len && i < 8; i++)
        handle = handle << 8 | bytes[i];
    return handle;
}

static bool refuses(const struct attrs *attrs, uint16_t port, struct arena *arena)
{
    struct walk walk = { .port = port };
    const struct nlattr *expressions = attrs->at[NFTA_RULE_EXPRESSIONS];
    for (const struct nlattr *element = NULL;
         expressions && (element = attr_next(expressions, element, NFTA_LIST_ELEM));)
        take_expression(&walk, element, arena);
    return walk.named && !walk.excluded && walk.refuses;
}

int nft_find_refusal(const void *bytes, size_t len, uint16_t port, struct arena *arena, const char **rule)
{
    struct messages messages = messages_of(bytes, len);
    struct message message;
    *rule = NULL;
    while (!*rule && messages_next_answer(&messages, &message)) {
        struct attrs attrs;
        if (message.len < sizeof(struct nfgenmsg))
            return -EBADMSG;
        uint8_t family = ((const struct nfgenmsg *)message.payload)->nfgen_family;
        if (attrs_parse(&attrs, message.payload, message.len, sizeof(struct nfgenmsg)) < 0)
            return -EBADMSG;
        if (!refuses(&attrs, port, arena))
            continue;
        const char *table = attr_text(attrs.at[NFTA_RULE_TABLE], arena);
        const char *chain = attr_text(attrs.at[NFTA_RULE_CHAIN], arena);
        *rule = arena_printf(arena, "%s %s %s handle %llu", family_text(family), table ? table : "?",
                             chain ? chain : "?", (unsigned long long)handle_of(attrs.at[NFTA_RULE_HANDLE]));
    }
    return messages.broken ? -EBADMSG : 0;
}
