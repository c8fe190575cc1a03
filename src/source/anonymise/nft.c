/* SPDX-License-Identifier: MIT */
/* The firewall: what netlink/nft.c reads of it and check/filter.c judges by. What a rule loads is followed
 * through the registers, so that it is known of each value whether it is a port, an address or a name; an
 * expression whose value can't be changed so that it means the same has none, and counts as one that nobody
 * can decide. Comments and names of counters are in attributes that are not in these tables. */
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nf_tables_compat.h>
#include <linux/netfilter/xt_conntrack.h>
#include <linux/netfilter/xt_iprange.h>
#include <string.h>

#include "base/base.h"
#include "model/ruleset.h"
#include "source/anonymise/anonymise.h"
#include "source/netlink/message.h"

/* The kernel's; another has the name "other". */
static const char *const expressions[] = {
    "payload", "cmp",     "range",  "match",   "immediate", "reject", "target",       "meta",
    "ct",      "counter", "lookup", "bitwise", "byteorder", "limit",  "log",          "masq",
    "nat",     "objref",  "rt",     "fib",     "exthdr",    "quota",  "connlimit",    "redir",
    "tproxy",  "notrack", "numgen", "hash",    "dynset",    "socket", "fwd",          "synproxy",
    "last",    "dup",     "osf",    "xfrm",    "tunnel",    "inner",  "flow_offload",
};

/* The names that distributions and the manual give tables and chains. */
static const char *const chains[] = {
    "filter",  "nat",   "mangle", "raw",     "security",   "firewalld",   "input",      "output",
    "forward", "INPUT", "OUTPUT", "FORWARD", "prerouting", "postrouting", "PREROUTING", "POSTROUTING",
};

/* Of iptables; another has the name "other". What they ask stays of those below, but for addresses. */
static const char *const matches[] = {
    "udp",     "tcp",      "multiport", "conntrack", "state", "addrtype", "mark",    "pkttype",
    "iprange", "rpfilter", "comment",   "icmp",      "icmp6", "sctp",     "dccp",    "esp",
    "ah",      "igmp",     "tcpmss",    "limit",     "set",   "owner",    "physdev",
};
static const char *const plain_matches[] = { "udp",      "tcp",  "multiport", "state",
                                             "addrtype", "mark", "pkttype",   "rpfilter" };
static const char *const targets[] = {
    "DROP",        "REJECT", "ACCEPT",   "RETURN",    "MASQUERADE", "MARK",        "CONNMARK",
    "HMARK",       "CT",     "NOTRACK",  "LOG",       "NFLOG",      "ULOG",        "AUDIT",
    "TRACE",       "TCPMSS", "CHECKSUM", "SET",       "CLASSIFY",   "DSCP",        "TOS",
    "TTL",         "HL",     "LED",      "IDLETIMER", "SECMARK",    "CONNSECMARK", "TEE",
    "TCPOPTSTRIP", "ECN",    "RATEEST",  "SNAT",      "DNAT",       "REDIRECT",
};

static bool is_one(const struct nlattr *attr, const char *const *words, size_t count)
{
    size_t len = 0;
    const char *text = attr_bytes(attr, &len);
    for (size_t i = 0; text && i < count; i++)
        if (strnlen(text, len) == strlen(words[i]) && memcmp(text, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

#define IS_ONE(attr, words) is_one((attr), (words), ARRAY_SIZE(words))

static void copy(const struct nlattr *attr, struct bytes *out)
{
    size_t len, begin = attributes_begin(out, attr->nla_type);
    const void *data = attr_bytes(attr, &len);
    bytes_append(out, data, len);
    attributes_end(out, begin);
}

static void put_text(uint16_t type, const char *text, size_t len, struct bytes *out)
{
    size_t begin = attributes_begin(out, type);
    bytes_append(out, text, len);
    bytes_append(out, "", 1);
    attributes_end(out, begin);
}

void attributes_put_nft_name(const struct anonymiser *anonymiser, const char *text, size_t len,
                             struct bytes *out)
{
    struct bytes salted = { 0 };
    for (size_t i = 0; i < ARRAY_SIZE(chains); i++)
        if (strlen(chains[i]) == len && memcmp(chains[i], text, len) == 0) {
            bytes_append(out, text, len);
            return;
        }
    /* a firewall may have so many chains that two of them would get the same six digits */
    anonymise_word(anonymiser, "name", text, len, out);
    bytes_printf(&salted, "n");
    bytes_append(&salted, text, len);
    anonymise_word(anonymiser, "", salted.data, salted.len, out);
    bytes_free(&salted);
}

static void put_chain(const struct anonymiser *anonymiser, const struct nlattr *attr, struct bytes *out)
{
    size_t len, begin = attributes_begin(out, attr->nla_type);
    const char *text = attr_bytes(attr, &len);
    attributes_put_nft_name(anonymiser, text, strnlen(text, len), out);
    bytes_append(out, "", 1);
    attributes_end(out, begin);
}

#define NUMBER(number)                        \
    {                                         \
        .type = (number), .keep = KEEP_NUMBER \
    }

/* -- expressions ------------------------------------------------------------------------------------------- */

struct cell {
    enum value_kind kind;
    uint8_t index, mask; /* of the value's bytes this is the one; its bits that count */
};

struct rule {
    const struct anonymiser *anonymiser;
    struct bytes *out;
    struct cell cells[NFT_REGISTER_BYTES];
    bool sets_mark; /* the next expression gives the packet a mark */
};

static uint32_t be32_of(const struct nlattr *attr)
{
    size_t len = 0;
    const uint8_t *bytes = attr_bytes(attr, &len);
    return bytes && len == 4
               ? (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3]
               : 0;
}

static void load(struct rule *rule, size_t at, size_t len, enum value_kind kind, size_t index)
{
    size_t size = value_size(kind);
    for (size_t i = 0; i < len && at + i < NFT_REGISTER_BYTES; i++)
        rule->cells[at + i] = (struct cell){ kind, (uint8_t)(size ? (index + i) % size : 0), 0xff };
}

static void load_register(struct rule *rule, const struct nlattr *number, size_t len, enum value_kind kind)
{
    load(rule, nft_register_at(be32_of(number), 0), len, kind, 0);
}

/* The first bytes at `at` that belong together: of one value from its first byte on, or plain ones. 0: they
 * can't be told. bits: how many of the value count. */
static size_t piece(const struct rule *rule, size_t at, size_t len, enum value_kind *kind, size_t *bits)
{
    uint8_t mask[NFT_REGISTER_BYTES];
    const struct cell *first = &rule->cells[at];
    size_t count = 0;
    *kind = first->kind;
    while (count < len && first[count].kind == *kind &&
           (!count || first[count].index || *kind == VALUE_PLAIN)) {
        mask[count] = first[count].mask;
        count++;
    }
    int ones = value_mask_bits(mask, count);
    *bits = ones < 0 ? 0 : (size_t)ones;
    bool told = *kind == VALUE_PLAIN || (*kind != VALUE_SECRET && first->index == 0 && ones >= 0);
    return told ? count : 0;
}

/* NFTA_DATA_VALUE of len bytes in a nest. */
static void put_data(struct rule *rule, uint16_t type, const void *data, size_t len)
{
    size_t nest = attributes_begin(rule->out, type), begin = attributes_begin(rule->out, NFTA_DATA_VALUE);
    bytes_append(rule->out, data, len);
    attributes_end(rule->out, begin);
    attributes_end(rule->out, nest);
}

static const uint8_t *value_of(const struct nlattr *nest, size_t *len)
{
    struct attrs data;
    attrs_parse_nest(&data, nest);
    const uint8_t *bytes = attr_bytes(data.at[NFTA_DATA_VALUE], len);
    return bytes && *len && *len <= NFT_REGISTER_BYTES ? bytes : NULL;
}

static void put_compared(struct rule *rule, const struct attrs *data)
{
    size_t len = 0, bits, count;
    const uint8_t *value = value_of(data->at[NFTA_CMP_DATA], &len);
    uint32_t operation = be32_of(data->at[NFTA_CMP_OP]);
    size_t at = value ? nft_register_at(be32_of(data->at[NFTA_CMP_SREG]), len) : NFT_REGISTER_BYTES;
    struct bytes changed = { 0 };
    bool told = at != NFT_REGISTER_BYTES;
    for (size_t i = 0; told && i < len; i += count) {
        enum value_kind kind;
        count = piece(rule, at + i, len - i, &kind, &bits);
        told = count && (kind == VALUE_PLAIN || operation == NFT_CMP_EQ || operation == NFT_CMP_NEQ) &&
               value_put(rule->anonymiser, kind, value + i, count, bits, &changed);
    }
    if (told)
        put_data(rule, NFTA_CMP_DATA, changed.data, changed.len);
    bytes_free(&changed);
}

static void put_range(struct rule *rule, const struct attrs *data)
{
    size_t len = 0, to_len = 0, bits, count;
    const uint8_t *from = value_of(data->at[NFTA_RANGE_FROM_DATA], &len);
    const uint8_t *to = value_of(data->at[NFTA_RANGE_TO_DATA], &to_len);
    size_t at = from && to && len == to_len ? nft_register_at(be32_of(data->at[NFTA_RANGE_SREG]), len)
                                            : NFT_REGISTER_BYTES;
    uint8_t low[NFT_REGISTER_BYTES], high[NFT_REGISTER_BYTES];
    enum value_kind kind;
    if (at == NFT_REGISTER_BYTES)
        return;
    memcpy(low, from, len);
    memcpy(high, to, len);
    count = piece(rule, at, len, &kind, &bits);
    if (count != len || (kind != VALUE_PLAIN && bits != 8 * len) ||
        !value_map_interval(rule->anonymiser, kind, low, high, len))
        return;
    put_data(rule, NFTA_RANGE_FROM_DATA, low, len);
    put_data(rule, NFTA_RANGE_TO_DATA, high, len);
}

static bool all_zero(const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (bytes[i])
            return false;
    return true;
}

/* Of an address only its first bits may be cut out. */
static bool is_network(const struct rule *rule, size_t at, const uint8_t *mask, const uint8_t * xor,
                       size_t len)
{
    size_t bits, count;
    for (size_t i = 0; i < len; i += count) {
        enum value_kind kind;
        count = piece(rule, at + i, len - i, &kind, &bits);
        if (!count ||
            (kind != VALUE_PLAIN && (value_mask_bits(mask + i, count) < 0 || !all_zero(xor+i, count))))
            return false;
    }
    return true;
}

static void put_bitwise(struct rule *rule, const struct attrs *data)
{
    size_t len = be32_of(data->at[NFTA_BITWISE_LEN]), mask_len = 0, xor_len = 0;
    const uint8_t *mask = value_of(data->at[NFTA_BITWISE_MASK], &mask_len);
    const uint8_t * xor = value_of(data->at[NFTA_BITWISE_XOR], &xor_len);
    len = len < NFT_REGISTER_BYTES ? len : NFT_REGISTER_BYTES;
    size_t from = nft_register_at(be32_of(data->at[NFTA_BITWISE_SREG]), len);
    size_t to = nft_register_at(be32_of(data->at[NFTA_BITWISE_DREG]), len);
    if (from == NFT_REGISTER_BYTES || to == NFT_REGISTER_BYTES)
        return;
    if (!mask || !xor || mask_len != len || xor_len != len || !is_network(rule, from, mask, xor, len)) {
        load(rule, to, len, VALUE_SECRET, 0);
        return;
    }
    put_data(rule, NFTA_BITWISE_MASK, mask, len);
    put_data(rule, NFTA_BITWISE_XOR, xor, len);
    memmove(&rule->cells[to], &rule->cells[from], len * sizeof(*rule->cells));
    for (size_t i = 0; i < len; i++)
        rule->cells[to + i].mask &= mask[i];
}

static void put_byteorder(struct rule *rule, const struct attrs *data)
{
    size_t len = be32_of(data->at[NFTA_BYTEORDER_LEN]);
    len = len < NFT_REGISTER_BYTES ? len : NFT_REGISTER_BYTES;
    size_t from = nft_register_at(be32_of(data->at[NFTA_BYTEORDER_SREG]), len);
    size_t to = nft_register_at(be32_of(data->at[NFTA_BYTEORDER_DREG]), len);
    bool plain = from != NFT_REGISTER_BYTES;
    for (size_t i = 0; plain && i < len; i++)
        plain = rule->cells[from + i].kind == VALUE_PLAIN;
    load(rule, to, len, plain ? VALUE_PLAIN : VALUE_SECRET, 0);
}

/* What byte `at` of a header is. IPv6's addresses begin at 8, and IPv4's at 12. */
static void load_header(struct rule *rule, size_t to, uint32_t base, size_t offset, size_t len)
{
    enum { V4_SOURCE = 12, V4_END = 20, V6_SOURCE = 8, V6_END = 40, MACS_END = 12, PORTS_END = 8 };
    bool v6 = offset == V6_SOURCE || offset + len > V4_END;
    for (size_t i = 0; i < len; i++) {
        size_t at = offset + i;
        enum value_kind kind = VALUE_PLAIN;
        size_t first = 0;
        if (base == NFT_PAYLOAD_LL_HEADER)
            kind = at < MACS_END ? VALUE_MAC : VALUE_PLAIN;
        else if (base == NFT_PAYLOAD_TRANSPORT_HEADER)
            kind = at < PORTS_END ? VALUE_PLAIN : VALUE_SECRET;
        else if (base != NFT_PAYLOAD_NETWORK_HEADER || at >= V6_END)
            kind = VALUE_SECRET;
        else if (v6 && at >= V6_SOURCE)
            kind = VALUE_V6, first = V6_SOURCE;
        else if (!v6 && at >= V4_SOURCE)
            kind = VALUE_V4, first = V4_SOURCE;
        load(rule, to + i, 1, kind, at - first);
    }
}

static void put_payload(struct rule *rule, const struct attrs *data)
{
    size_t len = be32_of(data->at[NFTA_PAYLOAD_LEN]), offset = be32_of(data->at[NFTA_PAYLOAD_OFFSET]);
    len = len < NFT_REGISTER_BYTES ? len : NFT_REGISTER_BYTES;
    size_t at = nft_register_at(be32_of(data->at[NFTA_PAYLOAD_DREG]), len);
    if (data->at[NFTA_PAYLOAD_DREG] && at != NFT_REGISTER_BYTES)
        load_header(rule, at, be32_of(data->at[NFTA_PAYLOAD_BASE]), offset, len);
}

static void put_meta(struct rule *rule, const struct attrs *data)
{
    static const uint8_t plain[] = { NFT_META_LEN,     NFT_META_PROTOCOL, NFT_META_PRIORITY, NFT_META_MARK,
                                     NFT_META_IIF,     NFT_META_OIF,      NFT_META_IIFTYPE,  NFT_META_OIFTYPE,
                                     NFT_META_NFPROTO, NFT_META_L4PROTO,  NFT_META_PKTTYPE };
    uint32_t key = be32_of(data->at[NFTA_META_KEY]);
    if (!data->at[NFTA_META_DREG])
        return;
    if (key == NFT_META_IIFNAME || key == NFT_META_OIFNAME)
        load_register(rule, data->at[NFTA_META_DREG], NFT_REG_SIZE, VALUE_NAME);
    else
        load_register(rule, data->at[NFTA_META_DREG], NFT_REG_SIZE,
                      key < UINT8_MAX && memchr(plain, (int)key, sizeof(plain)) ? VALUE_PLAIN : VALUE_SECRET);
}

static void put_ct(struct rule *rule, const struct attrs *data)
{
    static const uint8_t plain[] = { NFT_CT_STATE, NFT_CT_DIRECTION,  NFT_CT_STATUS,
                                     NFT_CT_MARK,  NFT_CT_L3PROTOCOL, NFT_CT_PROTOCOL };
    uint32_t key = be32_of(data->at[NFTA_CT_KEY]);
    if (data->at[NFTA_CT_DREG])
        load_register(rule, data->at[NFTA_CT_DREG], NFT_REG_SIZE,
                      key < UINT8_MAX && memchr(plain, (int)key, sizeof(plain)) ? VALUE_PLAIN : VALUE_SECRET);
}

static void put_fib(struct rule *rule, const struct attrs *data)
{
    bool name = be32_of(data->at[NFTA_FIB_RESULT]) == NFT_FIB_RESULT_OIFNAME;
    load_register(rule, data->at[NFTA_FIB_DREG], NFT_REG_SIZE, name ? VALUE_NAME : VALUE_PLAIN);
}

static void put_exthdr(struct rule *rule, const struct attrs *data)
{
    bool present = be32_of(data->at[NFTA_EXTHDR_FLAGS]) & NFT_EXTHDR_F_PRESENT;
    load_register(rule, data->at[NFTA_EXTHDR_DREG], NFT_REG_SIZE, present ? VALUE_PLAIN : VALUE_SECRET);
}

static const struct attribute verdict[] = {
    NUMBER(NFTA_VERDICT_CODE),
    { .type = NFTA_VERDICT_CHAIN, .keep = KEEP_OWN, .put = put_chain },
    { 0 },
};
static const struct attribute verdict_data[] = {
    { .type = NFTA_DATA_VERDICT, .keep = KEEP_NEST, .nest = verdict },
    { 0 },
};

/* A constant may be an address to translate to. */
static void put_immediate(struct rule *rule, const struct attrs *data)
{
    size_t len = 0;
    const struct nlattr *constant = data->at[NFTA_IMMEDIATE_DATA];
    const uint8_t *value = value_of(constant, &len);
    bool mark = value && rule->sets_mark && len == sizeof(uint32_t);
    if (mark)
        put_data(rule, NFTA_IMMEDIATE_DATA, value, len);
    else if (constant)
        attributes_put_nest(rule->anonymiser, verdict_data, constant, rule->out);
    if (be32_of(data->at[NFTA_IMMEDIATE_DREG]) != NFT_REG_VERDICT)
        load_register(rule, data->at[NFTA_IMMEDIATE_DREG], NFT_REG_SIZE, mark ? VALUE_PLAIN : VALUE_SECRET);
}

/* The elements of a set are whole addresses: which of them a network is none can say afterwards. */
static void put_lookup(struct rule *rule, const struct attrs *data)
{
    bool whole = true;
    size_t at = nft_register_at(be32_of(data->at[NFTA_LOOKUP_SREG]), 1);
    for (size_t i = at; i < NFT_REGISTER_BYTES; i++)
        whole &= !value_size(rule->cells[i].kind) || rule->cells[i].mask == 0xff;
    if (whole && data->at[NFTA_LOOKUP_SET])
        put_chain(rule->anonymiser, data->at[NFTA_LOOKUP_SET], rule->out);
    if (data->at[NFTA_LOOKUP_DREG] && be32_of(data->at[NFTA_LOOKUP_DREG]) != NFT_REG_VERDICT)
        load_register(rule, data->at[NFTA_LOOKUP_DREG], NFT_REG_SIZE, VALUE_SECRET);
}

static void put_name(struct rule *rule, const struct nlattr *name, const char *const *words, size_t count)
{
    if (is_one(name, words, count))
        copy(name, rule->out);
    else
        put_text(name->nla_type, "other", strlen("other"), rule->out);
}

static bool map_range(const struct rule *rule, union nf_inet_addr *from, union nf_inet_addr *to)
{
    bool v4 = all_zero((uint8_t *)from + 4, 12) && all_zero((uint8_t *)to + 4, 12);
    return value_map_interval(rule->anonymiser, v4 ? VALUE_V4 : VALUE_V6, (uint8_t *)from, (uint8_t *)to,
                              v4 ? 4 : sizeof(*from));
}

static void put_info(struct rule *rule, uint16_t type, const void *info, size_t len)
{
    size_t begin = attributes_begin(rule->out, type);
    bytes_append(rule->out, info, len);
    attributes_end(rule->out, begin);
}

/* Structs of linux/netfilter/xt_*.h. */
static void put_match(struct rule *rule, const struct attrs *data)
{
    enum { INFO_MOST = 256 };
    _Alignas(8) char copied[INFO_MOST] = { 0 };
    size_t len = 0;
    const struct nlattr *name = data->at[NFTA_MATCH_NAME];
    const void *info = attr_bytes(data->at[NFTA_MATCH_INFO], &len);
    if (!name)
        return;
    put_name(rule, name, matches, ARRAY_SIZE(matches));
    if (!info || len > sizeof(copied))
        return;
    memcpy(copied, info, len);
    struct xt_conntrack_mtinfo1 *conntrack = (void *)copied;
    struct xt_iprange_mtinfo *ranges = (void *)copied;
    bool kept = IS_ONE(name, plain_matches);
    if (is_one(name, (const char *const[]){ "conntrack" }, 1)) {
        memset(copied, 0, offsetof(struct xt_conntrack_mtinfo1, expires_min));
        kept = len >= sizeof(*conntrack);
    } else if (is_one(name, (const char *const[]){ "iprange" }, 1)) {
        kept = len >= sizeof(*ranges) && map_range(rule, &ranges->src_min, &ranges->src_max) &&
               map_range(rule, &ranges->dst_min, &ranges->dst_max);
    }
    if (kept)
        put_info(rule, NFTA_MATCH_INFO, copied, len);
}

static void put_target(struct rule *rule, const struct attrs *data)
{
    size_t len = 0;
    const struct nlattr *name = data->at[NFTA_TARGET_NAME];
    const void *info = attr_bytes(data->at[NFTA_TARGET_INFO], &len);
    if (!name)
        return;
    put_name(rule, name, targets, ARRAY_SIZE(targets));
    /* a mark and its mask; of CT the flags, and names of helpers and timeouts behind them */
    if (info && len >= 8 && is_one(name, (const char *const[]){ "MARK" }, 1))
        put_info(rule, NFTA_TARGET_INFO, info, 8);
    else if (info && len >= sizeof(uint16_t) && is_one(name, (const char *const[]){ "CT" }, 1))
        put_info(rule, NFTA_TARGET_INFO, info, sizeof(uint16_t));
}

static void put_chance(struct rule *rule, const struct attrs *data)
{
    (void)data;
    load(rule, 0, NFT_REGISTER_BYTES, VALUE_SECRET, 0);
}

#define NUMBERS_OF(name, ...) static const struct attribute name##_numbers[] = { __VA_ARGS__, { 0 } }
NUMBERS_OF(payload, NUMBER(NFTA_PAYLOAD_DREG), NUMBER(NFTA_PAYLOAD_SREG), NUMBER(NFTA_PAYLOAD_BASE),
           NUMBER(NFTA_PAYLOAD_OFFSET), NUMBER(NFTA_PAYLOAD_LEN));
NUMBERS_OF(meta, NUMBER(NFTA_META_DREG), NUMBER(NFTA_META_SREG), NUMBER(NFTA_META_KEY));
NUMBERS_OF(ct, NUMBER(NFTA_CT_DREG), NUMBER(NFTA_CT_SREG), NUMBER(NFTA_CT_KEY));
NUMBERS_OF(fib, NUMBER(NFTA_FIB_DREG), NUMBER(NFTA_FIB_RESULT), NUMBER(NFTA_FIB_FLAGS));
NUMBERS_OF(exthdr, NUMBER(NFTA_EXTHDR_DREG), NUMBER(NFTA_EXTHDR_FLAGS));
NUMBERS_OF(cmp, NUMBER(NFTA_CMP_SREG), NUMBER(NFTA_CMP_OP));
NUMBERS_OF(range, NUMBER(NFTA_RANGE_SREG), NUMBER(NFTA_RANGE_OP));
NUMBERS_OF(bitwise, NUMBER(NFTA_BITWISE_SREG), NUMBER(NFTA_BITWISE_DREG), NUMBER(NFTA_BITWISE_LEN),
           NUMBER(NFTA_BITWISE_OP));
NUMBERS_OF(byteorder, NUMBER(NFTA_BYTEORDER_SREG), NUMBER(NFTA_BYTEORDER_DREG), NUMBER(NFTA_BYTEORDER_OP),
           NUMBER(NFTA_BYTEORDER_LEN), NUMBER(NFTA_BYTEORDER_SIZE));
NUMBERS_OF(immediate, NUMBER(NFTA_IMMEDIATE_DREG));
NUMBERS_OF(lookup, NUMBER(NFTA_LOOKUP_SREG), NUMBER(NFTA_LOOKUP_DREG), NUMBER(NFTA_LOOKUP_FLAGS));
NUMBERS_OF(nat, NUMBER(NFTA_NAT_TYPE));
NUMBERS_OF(objref, NUMBER(NFTA_OBJREF_IMM_TYPE));
NUMBERS_OF(match, NUMBER(NFTA_MATCH_REV));
NUMBERS_OF(target, NUMBER(NFTA_TARGET_REV));

static const struct kind {
    const char *name;
    const struct attribute *numbers;                          /* NULL: none of its attributes stays */
    void (*put)(struct rule *rule, const struct attrs *data); /* NULL: what the registers hold stays */
} kinds[] = {
    { "payload", payload_numbers, put_payload },
    { "meta", meta_numbers, put_meta },
    { "ct", ct_numbers, put_ct },
    { "fib", fib_numbers, put_fib },
    { "exthdr", exthdr_numbers, put_exthdr },
    { "cmp", cmp_numbers, put_compared },
    { "range", range_numbers, put_range },
    { "bitwise", bitwise_numbers, put_bitwise },
    { "byteorder", byteorder_numbers, put_byteorder },
    { "immediate", immediate_numbers, put_immediate },
    { "lookup", lookup_numbers, put_lookup },
    { "nat", nat_numbers, NULL },
    { "objref", objref_numbers, NULL },
    { "match", match_numbers, put_match },
    { "target", target_numbers, put_target },
    { "counter", NULL, NULL },
    { "log", NULL, NULL },
    { "last", NULL, NULL },
    { "notrack", NULL, NULL },
};

static bool is_named(const struct nlattr *name, const char *word)
{
    return is_one(name, &word, 1);
}

static void put_expression_data(struct rule *rule, const struct nlattr *name, const struct nlattr *attr)
{
    static const struct kind other = { .put = put_chance };
    const struct kind *kind = &other;
    struct attrs data;
    size_t len;
    const char *bytes = attr_bytes(attr, &len);
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (is_named(name, kinds[i].name))
            kind = &kinds[i];
    size_t begin = attributes_begin(rule->out, attr->nla_type);
    if (attrs_parse_nest(&data, attr) < 0 ||
        (kind->numbers && !attributes_put(rule->anonymiser, kind->numbers, bytes, len, rule->out)))
        bytes_append(rule->out, "\0\0\0\0", 4); /* still broken */
    else if (kind->put)
        kind->put(rule, &data);
    attributes_end(rule->out, begin);
}

static bool sets_mark(const struct nlattr *element)
{
    struct attrs expression, data;
    if (!element)
        return false;
    attrs_parse_nest(&expression, element);
    attrs_parse_nest(&data, expression.at[NFTA_EXPR_DATA]);
    return is_named(expression.at[NFTA_EXPR_NAME], "meta") && data.at[NFTA_META_SREG] &&
           be32_of(data.at[NFTA_META_KEY]) == NFT_META_MARK;
}

static void put_expression(struct rule *rule, const struct nlattr *element)
{
    struct attrs expression;
    attrs_parse_nest(&expression, element);
    const struct nlattr *name = expression.at[NFTA_EXPR_NAME];
    size_t begin = attributes_begin(rule->out, element->nla_type);
    if (name)
        put_name(rule, name, expressions, ARRAY_SIZE(expressions));
    if (name && expression.at[NFTA_EXPR_DATA])
        put_expression_data(rule, name, expression.at[NFTA_EXPR_DATA]);
    attributes_end(rule->out, begin);
}

static void put_expressions(const struct anonymiser *anonymiser, const struct nlattr *attr, struct bytes *out)
{
    struct rule rule = { .anonymiser = anonymiser, .out = out };
    size_t begin = attributes_begin(out, attr->nla_type);
    for (const struct nlattr *element = NULL; (element = attr_next(attr, element, NFTA_LIST_ELEM));) {
        rule.sets_mark = sets_mark(attr_next(attr, element, NFTA_LIST_ELEM));
        put_expression(&rule, element);
    }
    attributes_end(out, begin);
}

/* -- what is asked for -------------------------------------------------------------------------------------- */

const struct attribute attributes_nft_table[] = {
    { .type = NFTA_TABLE_NAME, .keep = KEEP_OWN, .put = put_chain },
    NUMBER(NFTA_TABLE_FLAGS),
    { 0 },
};

static const struct attribute device[] = { { .type = NFTA_DEVICE_NAME, .keep = KEEP_NAME }, { 0 } };
static const struct attribute hook[] = {
    NUMBER(NFTA_HOOK_HOOKNUM),
    NUMBER(NFTA_HOOK_PRIORITY),
    { .type = NFTA_HOOK_DEV, .keep = KEEP_NAME },
    { .type = NFTA_HOOK_DEVS, .keep = KEEP_LIST, .nest = device },
    { 0 },
};
const struct attribute attributes_nft_chain[] = {
    { .type = NFTA_CHAIN_TABLE, .keep = KEEP_OWN, .put = put_chain },
    { .type = NFTA_CHAIN_NAME, .keep = KEEP_OWN, .put = put_chain },
    { .type = NFTA_CHAIN_HOOK, .keep = KEEP_NEST, .nest = hook },
    NUMBER(NFTA_CHAIN_POLICY),
    { .type = NFTA_CHAIN_TYPE, .keep = KEEP_WORD },
    { 0 },
};

const struct attribute attributes_nft_rule[] = {
    { .type = NFTA_RULE_TABLE, .keep = KEEP_OWN, .put = put_chain },
    { .type = NFTA_RULE_CHAIN, .keep = KEEP_OWN, .put = put_chain },
    { .type = NFTA_RULE_HANDLE, .keep = KEEP_NUMBER },
    { .type = NFTA_RULE_EXPRESSIONS, .keep = KEEP_OWN, .put = put_expressions },
    { 0 },
};

static const struct attribute field[] = { NUMBER(NFTA_SET_FIELD_LEN), { 0 } };
static const struct attribute fields[] = { { .type = NFTA_LIST_ELEM, .keep = KEEP_NEST, .nest = field },
                                           { 0 } };
static const struct attribute description[] = {
    { .type = NFTA_SET_DESC_CONCAT, .keep = KEEP_NEST, .nest = fields },
    { 0 },
};
const struct attribute attributes_nft_set[] = {
    { .type = NFTA_SET_TABLE, .keep = KEEP_OWN, .put = put_chain },
    { .type = NFTA_SET_NAME, .keep = KEEP_OWN, .put = put_chain },
    NUMBER(NFTA_SET_FLAGS),
    NUMBER(NFTA_SET_KEY_TYPE),
    NUMBER(NFTA_SET_KEY_LEN),
    NUMBER(NFTA_SET_DATA_TYPE),
    NUMBER(NFTA_SET_DATA_LEN),
    { .type = NFTA_SET_DESC, .keep = KEEP_NEST, .nest = description },
    { 0 },
};
