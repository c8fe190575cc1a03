/* SPDX-License-Identifier: MIT */
#include "source/netlink/parsers.h"

#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nf_tables_compat.h>
#include <linux/netfilter/nfnetlink.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "source/netlink/message.h"

/* A number of four bytes in network order; 0 when it isn't there. */
static uint32_t be32_of(const struct nlattr *attr)
{
    size_t len;
    const uint8_t *bytes = attr_bytes(attr, &len);
    if (!bytes || len < 4)
        return 0;
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static uint64_t be64_of(const struct nlattr *attr)
{
    size_t len;
    uint64_t value = 0;
    const uint8_t *bytes = attr_bytes(attr, &len);
    for (size_t i = 0; bytes && i < len && i < 8; i++)
        value = value << 8 | bytes[i];
    return value;
}

static struct nft_bytes copy(const struct nlattr *attr, struct arena *arena)
{
    size_t len;
    const void *bytes = attr_bytes(attr, &len);
    return bytes ? (struct nft_bytes){ (const uint8_t *)arena_strndup(arena, bytes, len), len }
                 : (struct nft_bytes){ 0 };
}

/* NFTA_DATA_*: bytes or a verdict. */
static void take_data(struct nft_data *out, const struct nlattr *nest, struct arena *arena)
{
    struct attrs data, verdict;
    if (!nest || attrs_parse_nest(&data, nest) < 0)
        return;
    out->bytes = copy(data.at[NFTA_DATA_VALUE], arena);
    if (!data.at[NFTA_DATA_VERDICT] || attrs_parse_nest(&verdict, data.at[NFTA_DATA_VERDICT]) < 0)
        return;
    out->verdict = (struct nft_verdict){
        .known = verdict.at[NFTA_VERDICT_CODE],
        .code = (int32_t)be32_of(verdict.at[NFTA_VERDICT_CODE]),
        .chain = attr_text(verdict.at[NFTA_VERDICT_CHAIN], arena),
    };
}

/* Where an attribute of an expression goes. */
struct field {
    const char *expression;
    uint16_t attr;
    enum { NUMBER, TEXT, DATA, BYTES } kind;
    size_t offset;
};
#define FIELD(expression, attr, kind, member)                           \
    {                                                                   \
        expression, attr, kind, offsetof(struct nft_expression, member) \
    }

static const struct field fields[] = {
    FIELD("meta", NFTA_META_DREG, NUMBER, destination),
    FIELD("meta", NFTA_META_SREG, NUMBER, source),
    FIELD("meta", NFTA_META_KEY, NUMBER, key),
    FIELD("ct", NFTA_CT_DREG, NUMBER, destination),
    FIELD("ct", NFTA_CT_SREG, NUMBER, source),
    FIELD("ct", NFTA_CT_KEY, NUMBER, key),
    FIELD("fib", NFTA_FIB_DREG, NUMBER, destination),
    FIELD("fib", NFTA_FIB_RESULT, NUMBER, key),
    FIELD("fib", NFTA_FIB_FLAGS, NUMBER, flags),
    FIELD("payload", NFTA_PAYLOAD_DREG, NUMBER, destination),
    FIELD("payload", NFTA_PAYLOAD_SREG, NUMBER, source),
    FIELD("payload", NFTA_PAYLOAD_BASE, NUMBER, key),
    FIELD("payload", NFTA_PAYLOAD_OFFSET, NUMBER, offset),
    FIELD("payload", NFTA_PAYLOAD_LEN, NUMBER, len),
    FIELD("exthdr", NFTA_EXTHDR_DREG, NUMBER, destination),
    FIELD("exthdr", NFTA_EXTHDR_FLAGS, NUMBER, flags),
    FIELD("cmp", NFTA_CMP_SREG, NUMBER, source),
    FIELD("cmp", NFTA_CMP_OP, NUMBER, operation),
    FIELD("cmp", NFTA_CMP_DATA, DATA, value),
    FIELD("range", NFTA_RANGE_SREG, NUMBER, source),
    FIELD("range", NFTA_RANGE_OP, NUMBER, operation),
    FIELD("range", NFTA_RANGE_FROM_DATA, DATA, value),
    FIELD("range", NFTA_RANGE_TO_DATA, DATA, second),
    FIELD("bitwise", NFTA_BITWISE_SREG, NUMBER, source),
    FIELD("bitwise", NFTA_BITWISE_DREG, NUMBER, destination),
    FIELD("bitwise", NFTA_BITWISE_LEN, NUMBER, len),
    FIELD("bitwise", NFTA_BITWISE_OP, NUMBER, operation),
    FIELD("bitwise", NFTA_BITWISE_MASK, DATA, value),
    FIELD("bitwise", NFTA_BITWISE_XOR, DATA, second),
    FIELD("byteorder", NFTA_BYTEORDER_SREG, NUMBER, source),
    FIELD("byteorder", NFTA_BYTEORDER_DREG, NUMBER, destination),
    FIELD("byteorder", NFTA_BYTEORDER_LEN, NUMBER, len),
    FIELD("byteorder", NFTA_BYTEORDER_SIZE, NUMBER, offset),
    FIELD("immediate", NFTA_IMMEDIATE_DREG, NUMBER, destination),
    FIELD("immediate", NFTA_IMMEDIATE_DATA, DATA, value),
    FIELD("lookup", NFTA_LOOKUP_SET, TEXT, set),
    FIELD("lookup", NFTA_LOOKUP_SREG, NUMBER, source),
    FIELD("lookup", NFTA_LOOKUP_DREG, NUMBER, destination),
    FIELD("lookup", NFTA_LOOKUP_FLAGS, NUMBER, flags),
    FIELD("nat", NFTA_NAT_TYPE, NUMBER, key),
    FIELD("objref", NFTA_OBJREF_IMM_TYPE, NUMBER, key),
    FIELD("match", NFTA_MATCH_NAME, TEXT, set),
    FIELD("match", NFTA_MATCH_REV, NUMBER, revision),
    FIELD("match", NFTA_MATCH_INFO, BYTES, value.bytes),
    FIELD("target", NFTA_TARGET_NAME, TEXT, set),
    FIELD("target", NFTA_TARGET_REV, NUMBER, revision),
    FIELD("target", NFTA_TARGET_INFO, BYTES, value.bytes),
};

static void take_field(struct nft_expression *expression, const struct field *field,
                       const struct nlattr *attr, struct arena *arena)
{
    void *place = (char *)expression + field->offset;
    if (field->kind == NUMBER)
        *(uint32_t *)place = be32_of(attr);
    else if (field->kind == TEXT)
        *(const char **)place = attr_text(attr, arena);
    else if (field->kind == DATA)
        take_data(place, attr, arena);
    else
        *(struct nft_bytes *)place = copy(attr, arena);
}

static void take_expression(struct nft_expression *out, const struct nlattr *element, struct arena *arena)
{
    struct attrs expression, data;
    out->name = "?"; /* what can't be read is an expression that nobody understands, not one that isn't there */
    if (attrs_parse_nest(&expression, element) < 0 || !expression.at[NFTA_EXPR_NAME])
        return;
    if (expression.at[NFTA_EXPR_DATA] && attrs_parse_nest(&data, expression.at[NFTA_EXPR_DATA]) < 0)
        return;
    if (!expression.at[NFTA_EXPR_DATA])
        memset(&data, 0, sizeof(data));
    out->name = attr_text(expression.at[NFTA_EXPR_NAME], arena);
    out->foreign = order_is_foreign();
    for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
        if (data.at[fields[i].attr] && strcmp(out->name, fields[i].expression) == 0)
            take_field(out, &fields[i], data.at[fields[i].attr], arena);
}

/* The next answer of this type: its family and attributes. Others are passed over. False: the end; what is
 * broken says messages_result(). */
static bool next_answer(struct messages *messages, uint8_t type, uint8_t *family, struct attrs *attrs)
{
    struct message message;
    while (messages_next_answer(messages, &message)) {
        if (message.type != (NFNL_SUBSYS_NFTABLES << 8 | type))
            continue;
        if (message.len < sizeof(struct nfgenmsg) ||
            attrs_parse(attrs, message.payload, message.len, sizeof(struct nfgenmsg)) < 0) {
            messages->cut = true;
            continue;
        }
        *family = ((const struct nfgenmsg *)message.payload)->nfgen_family;
        return true;
    }
    return false;
}

static int compare_names(uint8_t family_a, uint8_t family_b, const char *table_a, const char *table_b,
                         const char *a, const char *b)
{
    if (family_a != family_b)
        return family_a < family_b ? -1 : 1;
    int order = strcmp(table_a, table_b);
    return order ? order : strcmp(a, b);
}

static int compare_tables(const void *a, const void *b)
{
    const struct nft_table *x = a, *y = b;
    return compare_names(x->family, y->family, x->name, y->name, "", "");
}

int nft_parse_tables(const void *bytes, size_t len, struct arena *arena, struct ruleset *ruleset)
{
    struct messages messages = messages_of(bytes, len);
    struct attrs attrs;
    uint8_t family;
    while (next_answer(&messages, NFT_MSG_NEWTABLE, &family, &attrs)) {
        const char *name = attr_text(attrs.at[NFTA_TABLE_NAME], arena);
        if (!name || !(be32_of(attrs.at[NFTA_TABLE_FLAGS]) & NFT_TABLE_F_DORMANT))
            continue;
        *ARENA_PUSH(arena, ruleset->dormant, ruleset->ndormant) = (struct nft_table){ family, name };
    }
    if (ruleset->ndormant)
        qsort(ruleset->dormant, ruleset->ndormant, sizeof(*ruleset->dormant), compare_tables);
    return messages_result(&messages);
}

/* NFTA_DEVICE_PREFIX, of Linux 6.18, is a name as far as its asterisk. */
static const char *device_text(const struct nlattr *attr, struct arena *arena)
{
    const char *text = attr_text(attr, arena);
    return attr_type(attr) == NFTA_DEVICE_NAME ? text : arena_printf(arena, "%s*", text);
}

static void take_hook(struct nft_chain *chain, const struct nlattr *nest, struct arena *arena)
{
    struct attrs hook;
    if (!nest || attrs_parse_nest(&hook, nest) < 0)
        return;
    chain->base = true;
    chain->hook = be32_of(hook.at[NFTA_HOOK_HOOKNUM]);
    chain->priority = (int32_t)be32_of(hook.at[NFTA_HOOK_PRIORITY]);
    if (hook.at[NFTA_HOOK_DEVS])
        for (const struct nlattr *device = NULL; (device = attr_next(hook.at[NFTA_HOOK_DEVS], device, 0));)
            *ARENA_PUSH(arena, chain->devices, chain->ndevices) = device_text(device, arena);
    else if (hook.at[NFTA_HOOK_DEV])
        *ARENA_PUSH(arena, chain->devices, chain->ndevices) = attr_text(hook.at[NFTA_HOOK_DEV], arena);
}

static bool is_dormant(const struct ruleset *ruleset, const struct nft_chain *chain)
{
    struct nft_table table = { chain->family, chain->table };
    return ruleset->ndormant &&
           bsearch(&table, ruleset->dormant, ruleset->ndormant, sizeof(*ruleset->dormant), compare_tables);
}

static int compare_chains(const void *a, const void *b)
{
    const struct nft_chain *x = a, *y = b;
    return compare_names(x->family, y->family, x->table, y->table, x->name, y->name);
}

static int compare_sets(const void *a, const void *b)
{
    const struct nft_set *x = a, *y = b;
    return compare_names(x->family, y->family, x->table, y->table, x->name, y->name);
}

int nft_parse_chains(const void *bytes, size_t len, struct arena *arena, struct ruleset *ruleset)
{
    struct messages messages = messages_of(bytes, len);
    struct attrs attrs;
    uint8_t family;
    while (next_answer(&messages, NFT_MSG_NEWCHAIN, &family, &attrs)) {
        struct nft_chain chain = {
            .family = family,
            .table = attr_text(attrs.at[NFTA_CHAIN_TABLE], arena),
            .name = attr_text(attrs.at[NFTA_CHAIN_NAME], arena),
            .type = attr_text(attrs.at[NFTA_CHAIN_TYPE], arena),
            .policy = attrs.at[NFTA_CHAIN_POLICY] ? be32_of(attrs.at[NFTA_CHAIN_POLICY]) : NF_ACCEPT,
        };
        if (!chain.table || !chain.name) {
            messages.cut = true;
            continue;
        }
        take_hook(&chain, attrs.at[NFTA_CHAIN_HOOK], arena);
        chain.dormant = is_dormant(ruleset, &chain);
        *ARENA_PUSH(arena, ruleset->chains, ruleset->nchains) = chain;
    }
    if (ruleset->nchains)
        qsort(ruleset->chains, ruleset->nchains, sizeof(*ruleset->chains), compare_chains);
    return messages_result(&messages);
}

int nft_parse_rules(const void *bytes, size_t len, struct arena *arena, struct ruleset *ruleset)
{
    struct messages messages = messages_of(bytes, len);
    struct attrs attrs;
    uint8_t family;
    while (next_answer(&messages, NFT_MSG_NEWRULE, &family, &attrs)) {
        const char *table = attr_text(attrs.at[NFTA_RULE_TABLE], arena);
        const char *name = attr_text(attrs.at[NFTA_RULE_CHAIN], arena);
        struct nft_chain *chain = table && name ? ruleset_chain(ruleset, family, table, name) : NULL;
        if (!chain) {
            messages.cut = true;
            continue;
        }
        struct nft_expression *expressions = NULL;
        struct nft_rule rule = { .handle = be64_of(attrs.at[NFTA_RULE_HANDLE]) };
        const struct nlattr *list = attrs.at[NFTA_RULE_EXPRESSIONS];
        for (const struct nlattr *element = NULL;
             list && (element = attr_next(list, element, NFTA_LIST_ELEM));)
            take_expression(ARENA_PUSH(arena, expressions, rule.nexpressions), element, arena);
        rule.expressions = expressions;
        *ARENA_PUSH(arena, chain->rules, chain->nrules) = rule;
    }
    return messages_result(&messages);
}

/* NFTA_SET_DESC_CONCAT: the length of each field in bytes (the header says bits; nf_tables_api.c takes bytes). */
static void take_fields(struct nft_set *set, const struct nlattr *nest, struct arena *arena)
{
    struct attrs desc, field;
    if (!nest || attrs_parse_nest(&desc, nest) < 0 || !desc.at[NFTA_SET_DESC_CONCAT])
        return;
    for (const struct nlattr *element = NULL;
         (element = attr_next(desc.at[NFTA_SET_DESC_CONCAT], element, NFTA_LIST_ELEM));)
        if (attrs_parse_nest(&field, element) == 0)
            *ARENA_PUSH(arena, set->fields, set->nfields) = be32_of(field.at[NFTA_SET_FIELD_LEN]);
}

int nft_parse_sets(const void *bytes, size_t len, struct arena *arena, struct ruleset *ruleset)
{
    struct messages messages = messages_of(bytes, len);
    struct attrs attrs;
    uint8_t family;
    while (next_answer(&messages, NFT_MSG_NEWSET, &family, &attrs)) {
        struct nft_set set = {
            .family = family,
            .table = attr_text(attrs.at[NFTA_SET_TABLE], arena),
            .name = attr_text(attrs.at[NFTA_SET_NAME], arena),
            .flags = be32_of(attrs.at[NFTA_SET_FLAGS]),
            .key_len = be32_of(attrs.at[NFTA_SET_KEY_LEN]),
            .key_type = be32_of(attrs.at[NFTA_SET_KEY_TYPE]),
            .data_type = be32_of(attrs.at[NFTA_SET_DATA_TYPE]),
        };
        if (!set.table || !set.name) {
            messages.cut = true;
            continue;
        }
        take_fields(&set, attrs.at[NFTA_SET_DESC], arena);
        *ARENA_PUSH(arena, ruleset->sets, ruleset->nsets) = set;
    }
    if (ruleset->nsets)
        qsort(ruleset->sets, ruleset->nsets, sizeof(*ruleset->sets), compare_sets);
    return messages_result(&messages);
}

static void take_element(struct nft_set *set, const struct attrs *attrs, struct arena *arena)
{
    struct nft_data key = { 0 }, key_end = { 0 };
    struct nft_element *element = ARENA_PUSH(arena, set->elements, set->nelements);
    take_data(&key, attrs->at[NFTA_SET_ELEM_KEY], arena);
    take_data(&key_end, attrs->at[NFTA_SET_ELEM_KEY_END], arena);
    take_data(&element->data, attrs->at[NFTA_SET_ELEM_DATA], arena);
    element->key = key.bytes;
    element->key_end = key_end.bytes;
    element->flags = be32_of(attrs->at[NFTA_SET_ELEM_FLAGS]);
}

/* Elements in the order of their keys; of the same key an interval's end stands before the start of the next. */
static int compare_elements(const void *a, const void *b)
{
    const struct nft_element *x = a, *y = b;
    size_t len = x->key.len < y->key.len ? x->key.len : y->key.len;
    int order = len ? memcmp(x->key.data, y->key.data, len) : 0;
    if (order == 0 && x->key.len != y->key.len)
        order = x->key.len < y->key.len ? -1 : 1;
    if (order == 0)
        order = (int)(y->flags & NFT_SET_ELEM_INTERVAL_END) - (int)(x->flags & NFT_SET_ELEM_INTERVAL_END);
    return order;
}

int nft_parse_elements(const void *bytes, size_t len, struct arena *arena, struct nft_set *set)
{
    struct messages messages = messages_of(bytes, len);
    struct attrs attrs, parts;
    uint8_t family;
    set->known = true;
    while (next_answer(&messages, NFT_MSG_NEWSETELEM, &family, &attrs)) {
        const char *table = attr_text(attrs.at[NFTA_SET_ELEM_LIST_TABLE], arena);
        const char *name = attr_text(attrs.at[NFTA_SET_ELEM_LIST_SET], arena);
        if (!table || !name || family != set->family || strcmp(table, set->table) != 0 ||
            strcmp(name, set->name) != 0)
            continue;
        const struct nlattr *list = attrs.at[NFTA_SET_ELEM_LIST_ELEMENTS];
        for (const struct nlattr *element = NULL;
             list && (element = attr_next(list, element, NFTA_LIST_ELEM));)
            if (attrs_parse_nest(&parts, element) == 0)
                take_element(set, &parts, arena);
            else
                messages.cut = true;
    }
    if (set->nelements)
        qsort(set->elements, set->nelements, sizeof(*set->elements), compare_elements);
    set->known = messages_result(&messages) == 0;
    return messages_result(&messages);
}
