/* SPDX-License-Identifier: MIT */
/* Rules of the firewall: what nft.c of netlink/ asks of them, whether one refuses a UDP port. Comments,
 * addresses, sets and names of counters are in attributes that are not in these tables. */
#include <linux/in.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nf_tables_compat.h>
#include <string.h>

#include "base/base.h"
#include "source/anonymise/attributes.h"
#include "source/netlink/message.h"

enum { PORT_SIZE = 2 };

static const char *const expressions[] = {
    "payload", "cmp",     "range",  "match",   "immediate", "reject", "target",    "meta",
    "ct",      "counter", "lookup", "bitwise", "byteorder", "limit",  "log",       "masq",
    "nat",     "objref",  "rt",     "fib",     "exthdr",    "quota",  "connlimit", "redir",
    "tproxy",  "notrack", "numgen", "hash",    "dynset",    "socket",
};

/* The names that distributions and the manual give tables and chains. */
static const char *const chains[] = {
    "filter",  "nat",   "mangle", "raw",     "security",   "firewalld",   "input",      "output",
    "forward", "INPUT", "OUTPUT", "FORWARD", "prerouting", "postrouting", "PREROUTING", "POSTROUTING",
};

/* matches of xtables that this machine can judge by */
static const char *const matches[] = { "udp", "tcp" };
static const char *const targets[] = { "DROP", "REJECT", "ACCEPT", "RETURN" };

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

static void put_chain(const struct anonymiser *anonymiser, const struct nlattr *attr, struct bytes *out)
{
    size_t len;
    const char *text = attr_bytes(attr, &len);
    if (IS_ONE(attr, chains)) {
        copy(attr, out);
        return;
    }
    size_t begin = attributes_begin(out, attr->nla_type);
    anonymise_word(anonymiser, "name", text, strnlen(text, len), out);
    bytes_append(out, "", 1);
    attributes_end(out, begin);
}

static const struct attribute payload[] = {
    { .type = NFTA_PAYLOAD_DREG, .keep = KEEP_NUMBER },
    { .type = NFTA_PAYLOAD_BASE, .keep = KEEP_NUMBER },
    { .type = NFTA_PAYLOAD_OFFSET, .keep = KEEP_NUMBER },
    { .type = NFTA_PAYLOAD_LEN, .keep = KEEP_NUMBER },
    { 0 },
};

static const struct attribute port_value[] = {
    { .type = NFTA_DATA_VALUE, .keep = KEEP_NUMBERS, .most = PORT_SIZE },
    { 0 },
};

static const struct attribute compare[] = {
    { .type = NFTA_CMP_OP, .keep = KEEP_NUMBER },
    { .type = NFTA_CMP_DATA, .keep = KEEP_NEST, .nest = port_value },
    { 0 },
};

static const struct attribute range[] = {
    { .type = NFTA_RANGE_OP, .keep = KEEP_NUMBER },
    { .type = NFTA_RANGE_FROM_DATA, .keep = KEEP_NEST, .nest = port_value },
    { .type = NFTA_RANGE_TO_DATA, .keep = KEEP_NEST, .nest = port_value },
    { 0 },
};

/* Of two ports' ranges; struct xt_tcp has flags behind them. */
static const struct attribute match[] = {
    { .type = NFTA_MATCH_NAME, .keep = KEEP_WORD },
    { .type = NFTA_MATCH_REV, .keep = KEEP_NUMBER },
    { .type = NFTA_MATCH_INFO, .keep = KEEP_NUMBERS, .most = 16 },
    { 0 },
};

static const struct attribute verdict[] = { { .type = NFTA_VERDICT_CODE, .keep = KEEP_NUMBER }, { 0 } };
static const struct attribute verdict_data[] = {
    { .type = NFTA_DATA_VERDICT, .keep = KEEP_NEST, .nest = verdict },
    { 0 },
};
static const struct attribute immediate[] = {
    { .type = NFTA_IMMEDIATE_DREG, .keep = KEEP_NUMBER },
    { .type = NFTA_IMMEDIATE_DATA, .keep = KEEP_NEST, .nest = verdict_data },
    { 0 },
};

static const struct attribute target[] = { { .type = NFTA_TARGET_NAME, .keep = KEEP_WORD }, { 0 } };
static const struct attribute nothing[] = { { 0 } };

/* A value is shown where it is a port, or the number of a protocol: it may as well be part of an address. */
struct rule {
    const struct anonymiser *anonymiser;
    struct bytes *out;
    bool in_ports; /* the last load brought two bytes of the transport header */
};

static bool is_u32(const struct nlattr *attr, uint32_t value)
{
    size_t len = 0;
    const uint8_t *bytes = attr_bytes(attr, &len);
    return bytes && len == 4 && bytes[0] == 0 && bytes[1] == 0 && bytes[2] == 0 && bytes[3] == value;
}

static bool is_protocol(const struct attrs *data)
{
    static const uint8_t protocols[] = { IPPROTO_TCP, IPPROTO_UDP, IPPROTO_SCTP, IPPROTO_DCCP };
    struct attrs value;
    size_t len = 0;
    attrs_parse_nest(&value, data->at[NFTA_CMP_DATA]);
    const uint8_t *bytes = attr_bytes(value.at[NFTA_DATA_VALUE], &len);
    return bytes && len == 1 && memchr(protocols, *bytes, sizeof(protocols)) != NULL;
}

static const struct attribute *table_of(struct rule *rule, const char *name, const struct attrs *data)
{
    if (strcmp(name, "payload") == 0) {
        rule->in_ports = is_u32(data->at[NFTA_PAYLOAD_BASE], NFT_PAYLOAD_TRANSPORT_HEADER) &&
                         is_u32(data->at[NFTA_PAYLOAD_LEN], PORT_SIZE);
        return payload;
    }
    if (strcmp(name, "cmp") == 0)
        return rule->in_ports || is_protocol(data) ? compare : nothing;
    if (strcmp(name, "range") == 0)
        return rule->in_ports ? range : nothing;
    if (strcmp(name, "match") == 0)
        return IS_ONE(data->at[NFTA_MATCH_NAME], matches) ? match : nothing;
    if (strcmp(name, "target") == 0)
        return IS_ONE(data->at[NFTA_TARGET_NAME], targets) ? target : nothing;
    if (strcmp(name, "immediate") == 0)
        return immediate;
    if (strcmp(name, "meta") == 0 || strcmp(name, "ct") == 0)
        rule->in_ports = false;
    return nothing;
}

static void put_expression(struct rule *rule, const struct nlattr *element)
{
    struct attrs expression, data;
    size_t len = 0;
    attrs_parse_nest(&expression, element);
    attrs_parse_nest(&data, expression.at[NFTA_EXPR_DATA]);
    const struct nlattr *name = expression.at[NFTA_EXPR_NAME];
    if (!name || !IS_ONE(name, expressions))
        return;
    char word[16];
    const char *text = attr_bytes(name, &len);
    size_t size = strnlen(text, len);
    memcpy(word, text, size); /* one of ours: it fits */
    word[size] = '\0';
    const struct attribute *table = table_of(rule, word, &data);
    size_t begin = attributes_begin(rule->out, element->nla_type);
    copy(name, rule->out);
    if (expression.at[NFTA_EXPR_DATA])
        attributes_put_nest(rule->anonymiser, table, expression.at[NFTA_EXPR_DATA], rule->out);
    attributes_end(rule->out, begin);
}

static void put_expressions(const struct anonymiser *anonymiser, const struct nlattr *attr, struct bytes *out)
{
    struct rule rule = { .anonymiser = anonymiser, .out = out };
    size_t begin = attributes_begin(out, attr->nla_type);
    for (const struct nlattr *element = NULL; (element = attr_next(attr, element, NFTA_LIST_ELEM));)
        put_expression(&rule, element);
    attributes_end(out, begin);
}

const struct attribute attributes_nft_rule[] = {
    { .type = NFTA_RULE_TABLE, .keep = KEEP_OWN, .put = put_chain },
    { .type = NFTA_RULE_CHAIN, .keep = KEEP_OWN, .put = put_chain },
    { .type = NFTA_RULE_HANDLE, .keep = KEEP_NUMBER },
    { .type = NFTA_RULE_EXPRESSIONS, .keep = KEEP_OWN, .put = put_expressions },
    { 0 },
};
