/* SPDX-License-Identifier: MIT */
/* What nftables' chains and rules do to soft-RoCE's packets, as far as each rule shows on its own. */
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nf_tables_compat.h>
#include <linux/netfilter/nfnetlink.h>

#include "source/netlink/parsers.h"

#include "tables.h"

/* A number in network order; 0 if it is missing. */
static uint64_t number_of(struct attr_walk level, unsigned type)
{
    size_t len = 0;
    uint64_t value = 0;
    const uint8_t *bytes = attr_bytes(attr_find(level, type), &len);
    for (size_t i = 0; bytes && i < len && i < sizeof(value); i++)
        value = value << 8 | bytes[i];
    return value;
}

static const struct field {
    const char *expression;
    uint32_t key, offset, len; /* meta's key; or payload's base, and where in that header */
    uint8_t size, value[2][2]; /* over IPv4 and over IPv6; 0: not known there */
} fields[] = { RXE_FIELDS };

/* A rule being read, and the field that was loaded into a register; NULL: none. */
struct rule_reading {
    struct firewall_rule rule;
    const struct field *loaded;
    uint64_t at;
};

/* meta and payload number the register and what is loaded alike; only payload has offset and length. */
static void load(struct rule_reading *reading, const char *name, struct attr_walk data)
{
    reading->at = number_of(data, NFTA_META_DREG);
    reading->loaded = NULL;
    for (size_t i = 0; reading->at && i < ARRAY_SIZE(fields); i++)
        if (strcmp(fields[i].expression, name) == 0 && fields[i].key == number_of(data, NFTA_META_KEY) &&
            fields[i].offset == number_of(data, NFTA_PAYLOAD_OFFSET) &&
            fields[i].len == number_of(data, NFTA_PAYLOAD_LEN))
            reading->loaded = &fields[i];
}

static enum firewall_match compare(const struct rule_reading *reading, bool v6, struct attr_walk compared)
{
    size_t len = 0;
    const uint8_t *own = reading->loaded ? reading->loaded->value[v6] : NULL;
    struct attr_walk data = attr_walk_in(attr_find(compared, NFTA_CMP_DATA));
    const void *value = attr_walk_is_sound(data) ? attr_bytes(attr_find(data, NFTA_DATA_VALUE), &len) : NULL;
    if (!value || !own || !own[0] || len != reading->loaded->size ||
        reading->at != number_of(compared, NFTA_CMP_SREG))
        return FIREWALL_PERHAPS;
    int order = memcmp(own, value, len);
    const bool holds[] = { [NFT_CMP_EQ] = order == 0,
                           [NFT_CMP_NEQ] = order != 0,
                           [NFT_CMP_LT] = order<0, [NFT_CMP_LTE] = order <= 0, [NFT_CMP_GT] = order> 0,
                           [NFT_CMP_GTE] = order >= 0 };
    uint64_t operation = number_of(compared, NFTA_CMP_OP);
    return operation >= ARRAY_SIZE(holds) ? FIREWALL_PERHAPS
           : holds[operation]             ? FIREWALL_ALWAYS
                                          : FIREWALL_NEVER;
}

static enum firewall_does verdict_of(const struct nlattr *nest)
{
    struct attr_walk data = attr_walk_in(nest), verdict = attr_walk_in(attr_find(data, NFTA_DATA_VERDICT));
    if (!attr_walk_is_sound(data) || !attr_walk_is_sound(verdict) || !attr_find(verdict, NFTA_VERDICT_CODE))
        return FIREWALL_OTHER;
    int32_t code = (int32_t)number_of(verdict, NFTA_VERDICT_CODE);
    if (code == NF_ACCEPT || code == NF_DROP)
        return code == NF_DROP ? FIREWALL_DROPS : FIREWALL_ACCEPTS;
    return code == NFT_JUMP || code == NFT_GOTO || code == NFT_RETURN ? FIREWALL_JUMPS : FIREWALL_OTHER;
}

/* Expressions that let any packet continue, and those that only test it. What others do isn't known here. */
static const char passing[] = "counter,last,log,meta,notrack,payload";
static const char asking[] = "bitwise,byteorder,cmp,connlimit,ct,dynset,exthdr,fib,hash,limit,lookup,match,"
                             "numgen,osf,quota,range,rt,socket";

static enum firewall_does done_by(const char *name, struct attr_walk data, struct arena *arena)
{
    if (strcmp(name, "immediate") == 0 && number_of(data, NFTA_IMMEDIATE_DREG) == NFT_REG_VERDICT)
        return verdict_of(attr_find(data, NFTA_IMMEDIATE_DATA));
    if (strcmp(name, "reject") == 0 ||
        (strcmp(name, "target") == 0 && text_is(attr_text(attr_find(data, NFTA_TARGET_NAME), arena), "REJECT")))
        return FIREWALL_DROPS;
    bool rewrites = strcmp(name, "payload") == 0 && attr_find(data, NFTA_PAYLOAD_SREG);
    bool decides = strcmp(name, "lookup") == 0 && attr_find(data, NFTA_LOOKUP_DREG) &&
                   number_of(data, NFTA_LOOKUP_DREG) == NFT_REG_VERDICT;
    bool told = text_in_list(passing, name) || text_in_list(asking, name);
    return told && !rewrites && !decides ? FIREWALL_NOTHING : FIREWALL_OTHER;
}

/* The only expression of a rule in an anonymised recording: see nft_rule(). */
static bool take_told(struct firewall_rule *rule, const char *name)
{
    unsigned does, v4, v6;
    if (!name || sscanf(name, "roce %1u %1u %1u", &does, &v4, &v6) != 3 || does > FIREWALL_OTHER ||
        v4 > FIREWALL_ALWAYS || v6 > FIREWALL_ALWAYS)
        return false;
    *rule = (struct firewall_rule){ .does = does, .matches = { v4, v6 } };
    return true;
}

static void take_expression(struct rule_reading *reading, const struct nlattr *element, struct arena *arena)
{
    struct attr_walk expression = attr_walk_in(element),
                     data = attr_walk_in(attr_find(expression, NFTA_EXPR_DATA));
    struct firewall_rule *rule = &reading->rule;
    bool whole = attr_walk_is_sound(expression) && attr_walk_is_sound(data);
    const char *name = whole ? attr_text(attr_find(expression, NFTA_EXPR_NAME), arena) : NULL;
    if (take_told(rule, name))
        return;
    bool compares = name && strcmp(name, "cmp") == 0;
    enum firewall_does does = name ? done_by(name, data, arena) : FIREWALL_OTHER;
    rule->does = does > rule->does ? does : rule->does;
    for (int v6 = 0; v6 < 2 && (!name || text_in_list(asking, name)); v6++) {
        enum firewall_match match = compares ? compare(reading, v6, data) : FIREWALL_PERHAPS;
        rule->matches[v6] = match < rule->matches[v6] ? match : rule->matches[v6];
    }
    if (name && !compares)
        load(reading, name, data);
}

struct firewall_rule nft_rule(const struct nlattr *list, struct arena *arena)
{
    struct rule_reading reading = { .rule.matches = { FIREWALL_ALWAYS, FIREWALL_ALWAYS } };
    struct attr_walk walk = attr_walk_in(list);
    for (const struct nlattr *element; (element = attr_walk_next(&walk));)
        if (attr_type(element) == NFTA_LIST_ELEM)
            take_expression(&reading, element, arena);
    return reading.rule;
}

/* A rule compares packets with addresses and names: it is replaced by what nft_parse() makes of it. */
static void put_rule(const struct nlattr *list, struct bytes *out)
{
    struct arena *arena = arena_new();
    struct firewall_rule rule = nft_rule(list, arena);
    size_t begin = attributes_begin(out, list->nla_type);
    size_t element = attributes_begin(out, order16(NFTA_LIST_ELEM));
    size_t name = attributes_begin(out, order16(NFTA_EXPR_NAME));
    bytes_printf(out, "roce %u %u %u", rule.does, rule.matches[0], rule.matches[1]);
    attributes_end(out, name);
    attributes_end(out, element);
    attributes_end(out, begin);
    arena_free(arena);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct firewall_chain *)a)->name, ((const struct firewall_chain *)b)->name);
}

/* "inet filter input"; NULL if a part of it is missing. */
static const char *name_of(uint8_t family, struct attr_walk attrs, unsigned table_type, unsigned chain_type,
                           struct arena *arena)
{
    const struct nlattr *table = attr_find(attrs, table_type), *chain = attr_find(attrs, chain_type);
    static const char *const families[] = {
        [NFPROTO_INET] = "inet", [NFPROTO_IPV4] = "ip",       [NFPROTO_IPV6] = "ip6",
        [NFPROTO_ARP] = "arp",   [NFPROTO_BRIDGE] = "bridge", [NFPROTO_NETDEV] = "netdev"
    };
    const char *known = family < ARRAY_SIZE(families) ? families[family] : NULL;
    return known && table && chain
               ? arena_printf(arena, "%s %s %s", known, attr_text(table, arena), attr_text(chain, arena))
               : NULL;
}

/* What is filtered below IP depends on which lower netdevs the packets pass through, and what nat sees on
 * whether connections are tracked. */
static bool take_chain(struct firewall *firewall, uint8_t family, struct attr_walk attrs, struct arena *arena)
{
    const struct nlattr *nest = attr_find(attrs, NFTA_CHAIN_HOOK);
    struct attr_walk hook = attr_walk_in(nest);
    uint64_t number = number_of(hook, NFTA_HOOK_HOOKNUM);
    bool lower = family == NFPROTO_NETDEV || family == NFPROTO_BRIDGE || number >= NF_INET_NUMHOOKS;
    bool nat = text_is(attr_text(attr_find(attrs, NFTA_CHAIN_TYPE), arena), "nat");
    struct firewall_chain chain = {
        .name = name_of(family, attrs, NFTA_CHAIN_TABLE, NFTA_CHAIN_NAME, arena),
        .base = nest,
        .drops = attr_find(attrs, NFTA_CHAIN_POLICY) && number_of(attrs, NFTA_CHAIN_POLICY) == NF_DROP,
        .certain = !lower && !nat,
    };
    bool passed = chain.base && (lower || number != NF_INET_FORWARD);
    chain.sees[0] = passed && family != NFPROTO_IPV6 && family != NFPROTO_ARP;
    chain.sees[1] = passed && family != NFPROTO_IPV4 && family != NFPROTO_ARP;
    bool whole = chain.name && attr_walk_is_sound(hook);
    if (whole)
        *ARENA_PUSH(arena, firewall->chains, firewall->nchains) = chain;
    return whole;
}

static bool take_rule(struct firewall *firewall, uint8_t family, struct attr_walk attrs, struct arena *arena)
{
    struct firewall_chain *chain = NULL,
                          key = { .name = name_of(family, attrs, NFTA_RULE_TABLE, NFTA_RULE_CHAIN, arena) };
    struct firewall_rule rule = nft_rule(attr_find(attrs, NFTA_RULE_EXPRESSIONS), arena);
    rule.handle = number_of(attrs, NFTA_RULE_HANDLE);
    if (key.name && firewall->nchains)
        chain = bsearch(&key, firewall->chains, firewall->nchains, sizeof(key), by_name);
    if (!chain)
        return false;
    *ARENA_PUSH(arena, chain->rules, chain->nrules) = rule;
    for (int v6 = 0; v6 < 2 && !chain->base; v6++)
        firewall->jumps_may_drop[v6] |= rule.matches[v6] != FIREWALL_NEVER &&
                                        (rule.does == FIREWALL_DROPS || rule.does == FIREWALL_OTHER);
    return true;
}

int nft_parse(const void *bytes, size_t len, struct arena *arena, void *to)
{
    struct firewall *firewall = to;
    const struct answer any = { .header = sizeof(struct nfgenmsg) };
    struct answers answers = answers_of(&any, bytes, len, arena);
    while (answers_next(&answers)) {
        const struct nfgenmsg *header = (const void *)answers.message.payload;
        struct attr_walk attrs = attr_walk_after(&answers.message, sizeof(*header));
        unsigned type = answers.message.type;
        bool whole = attr_walk_is_sound(attrs);
        if (whole && type == (NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWTABLE))
            firewall->dormant |= number_of(attrs, NFTA_TABLE_FLAGS) & NFT_TABLE_F_DORMANT;
        else if (whole && type == (NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWCHAIN))
            whole = take_chain(firewall, header->nfgen_family, attrs, arena);
        else if (whole && type == (NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWRULE))
            whole = take_rule(firewall, header->nfgen_family, attrs, arena);
        answers.reading.broken |= !whole;
    }
    if (firewall->nchains)
        qsort(firewall->chains, firewall->nchains, sizeof(*firewall->chains), by_name);
    return answers_result(&answers);
}

/* -- what a recording keeps of it ----------------------------------------------------------------------- */

NETLINK_NFT;

#define ANSWER(message, rows)                                                                     \
    {                                                                                             \
        .type = NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_##message, .header = sizeof(struct nfgenmsg), \
        .table = rows                                                                             \
    }
const struct answer nft_tables = ANSWER(NEWTABLE, tables), nft_chains = ANSWER(NEWCHAIN, chains),
                    nft_rules = ANSWER(NEWRULE, rules);
