/* SPDX-License-Identifier: MIT */
#include "rules_text.h"

#include <criterion/criterion.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/mem.h"

/* The ruleset that is being read. */
static struct arena *arena;
static struct ruleset ruleset;

static struct nft_bytes bytes_of(const char *text)
{
    uint8_t *data = arena_alloc(arena, strlen(text) + 4, 1);
    if (*text == '=') {
        uint32_t number = (uint32_t)strtoul(text + 1, NULL, 0);
        memcpy(data, &number, sizeof(number));
        return (struct nft_bytes){ data, sizeof(number) };
    }
    for (size_t i = 0; i < strlen(text) / 2; i++)
        data[i] = (uint8_t)strtoul((const char[]){ text[2 * i], text[2 * i + 1], '\0' }, NULL, 16);
    return (struct nft_bytes){ data, strlen(text) / 2 };
}

/* "accept", "jump:NAME". */
static bool is_verdict(const char *word, struct nft_verdict *verdict)
{
    static const struct {
        const char *word;
        int32_t code;
    } words[] = {
        { "accept", NF_ACCEPT },      { "drop", NF_DROP },
        { "continue", NFT_CONTINUE }, { "break", NFT_BREAK },
        { "return", NFT_RETURN },     { "jump", NFT_JUMP },
        { "goto", NFT_GOTO },         { "queue", NF_QUEUE },
        { "stolen", NF_STOLEN },      { "queue-3", NF_QUEUE | 3 << 16 },
    };
    const char *colon = strchr(word, ':');
    size_t len = colon ? (size_t)(colon - word) : strlen(word);
    *verdict = (struct nft_verdict){ .known = strcmp(word, "untold") != 0,
                                     .chain = colon ? arena_strdup(arena, colon + 1) : NULL };
    for (size_t i = 0; i < ARRAY_SIZE(words); i++)
        if (strlen(words[i].word) == len && strncmp(word, words[i].word, len) == 0) {
            verdict->code = words[i].code;
            return true;
        }
    return !verdict->known;
}

/* The kernel's numbers, of several enums. */
static const struct {
    const char *word;
    uint32_t number;
} symbols[] = {
    { "length", NFT_META_LEN },
    { "protocol", NFT_META_PROTOCOL },
    { "priority", NFT_META_PRIORITY },
    { "mark", NFT_META_MARK },
    { "iif", NFT_META_IIF },
    { "oif", NFT_META_OIF },
    { "iifname", NFT_META_IIFNAME },
    { "oifname", NFT_META_OIFNAME },
    { "nfproto", NFT_META_NFPROTO },
    { "l4proto", NFT_META_L4PROTO },
    { "pkttype", NFT_META_PKTTYPE },
    { "state", NFT_CT_STATE },
    { "direction", NFT_CT_DIRECTION },
    { "status", NFT_CT_STATUS },
    { "ctmark", NFT_CT_MARK },
    { "expires", NFT_CT_EXPIRATION },
    { "link", NFT_PAYLOAD_LL_HEADER },
    { "ip", NFT_PAYLOAD_NETWORK_HEADER },
    { "udp", NFT_PAYLOAD_TRANSPORT_HEADER },
    { "inner", NFT_PAYLOAD_INNER_HEADER },
    { "route", NFT_FIB_RESULT_OIF },
    { "routename", NFT_FIB_RESULT_OIFNAME },
    { "type", NFT_FIB_RESULT_ADDRTYPE },
    { "ne", NFT_CMP_NEQ },
    { "lt", NFT_CMP_LT },
    { "le", NFT_CMP_LTE },
    { "gt", NFT_CMP_GT },
    { "ge", NFT_CMP_GTE },
    { "shift", NFT_BITWISE_LSHIFT },
    { "saddr", NFTA_FIB_F_SADDR },
    { "daddr", NFTA_FIB_F_DADDR },
    { "saddr+iif", NFTA_FIB_F_SADDR | NFTA_FIB_F_IIF },
    { "daddr+iif", NFTA_FIB_F_DADDR | NFTA_FIB_F_IIF },
    { "daddr+oif", NFTA_FIB_F_DADDR | NFTA_FIB_F_OIF },
    { "saddr+iif+present", NFTA_FIB_F_SADDR | NFTA_FIB_F_IIF | NFTA_FIB_F_PRESENT },
};

/* Of the word KEY=NUMBER or KEY=SYMBOL; 0: there is none. */
static uint32_t number_in(char *words[], const char *key)
{
    for (size_t i = 0, len = strlen(key); words[i]; i++) {
        const char *value = words[i] + len + 1;
        if (strncmp(words[i], key, len) != 0 || words[i][len] != '=')
            continue;
        for (size_t k = 0; k < ARRAY_SIZE(symbols); k++)
            if (strcmp(symbols[k].word, value) == 0)
                return symbols[k].number;
        cr_assert(*value >= '0' && *value <= '9', "%s", words[i]);
        return (uint32_t)strtoul(value, NULL, 0);
    }
    return 0;
}

/* NAME [key=N] [to=REGISTER] [from=REGISTER] [off=N] [len=N] [op=N] [flags=N] [set=NAME] [BYTES [BYTES]] */
static struct nft_expression expression_of(char *text)
{
    char *words[12] = { 0 };
    size_t count = 0, values = 0;
    for (char *word; count < 11 && (word = strsep(&text, " "));)
        if (*word)
            words[count++] = word;
    struct nft_expression e = { .name = arena_strdup(arena, words[0]) };
    struct nft_verdict verdict;
    if (is_verdict(words[0], &verdict))
        return (struct nft_expression){ .name = "immediate",
                                        .destination = NFT_REG_VERDICT,
                                        .value.verdict = verdict };
    e.key = number_in(words, "key");
    e.destination = number_in(words, "to");
    e.source = number_in(words, "from");
    e.offset = number_in(words, "off");
    e.len = number_in(words, "len");
    e.operation = number_in(words, "op");
    e.flags = number_in(words, "flags");
    e.foreign = number_in(words, "foreign") != 0;
    for (size_t i = 1; i < count; i++)
        if (strncmp(words[i], "set=", 4) == 0)
            e.set = arena_strdup(arena, words[i] + 4);
        else if (*words[i] == '=' || !strchr(words[i], '='))
            (values++ ? &e.second : &e.value)->bytes = bytes_of(words[i]);
    return e;
}

static void add_rule(struct nft_chain *chain, char *text)
{
    struct nft_expression *expressions = arena_alloc(arena, 24, sizeof(*expressions));
    struct nft_rule *rule = ARENA_PUSH(arena, chain->rules, chain->nrules);
    *rule = (struct nft_rule){ .handle = chain->nrules, .expressions = expressions };
    for (char *one; (one = strsep(&text, ";"));) {
        one += strspn(one, " ");
        if (*one)
            expressions[rule->nexpressions++] = expression_of(one);
    }
}

static uint8_t family_of(const char *word)
{
    static const uint8_t families[] = { NFPROTO_INET, NFPROTO_IPV4, NFPROTO_IPV6, NFPROTO_NETDEV,
                                        NFPROTO_BRIDGE };
    for (size_t i = 0; i < ARRAY_SIZE(families); i++)
        if (strcmp(nft_family_text(families[i]), word) == 0)
            return families[i];
    cr_assert_fail("'%s' isn't a family", word);
    return NFPROTO_UNSPEC;
}

static struct nft_chain *add_base(const char *line)
{
    char family[8], policy[8], devices[2][16] = { "", "" };
    struct nft_chain chain = { .table = "t", .base = true };
    int got = sscanf(line, "base %7s %u %d %7s %15s %15s", family, &chain.hook, &chain.priority, policy,
                     devices[0], devices[1]);
    cr_assert_geq(got, 4, "%s", line);
    chain.family = family_of(family);
    chain.policy = strcmp(policy, "drop") == 0 ? NF_DROP : NF_ACCEPT;
    chain.name = arena_printf(arena, "base%zu", ruleset.nchains);
    for (int i = 4; i < got; i++)
        *ARENA_PUSH(arena, chain.devices, chain.ndevices) = arena_strdup(arena, devices[i - 4]);
    struct nft_chain *to = ARENA_PUSH(arena, ruleset.chains, ruleset.nchains);
    *to = chain;
    return to;
}

static void add_element(struct nft_set *set, char *text)
{
    struct nft_element element = { 0 };
    char *data = strchr(text, '>'), *end = strchr(text, '-');
    struct nft_verdict verdict;
    if (data)
        *data++ = '\0';
    if (end && (!data || end < data))
        *end++ = '\0';
    else
        end = NULL;
    if (data && is_verdict(data, &verdict))
        element.data.verdict = verdict;
    else if (data)
        element.data.bytes = bytes_of(data);
    if (*text == '*')
        element.flags = NFT_SET_ELEM_CATCHALL;
    else
        element.key = bytes_of(text);
    if (end)
        element.key_end = bytes_of(end);
    *ARENA_PUSH(arena, set->elements, set->nelements) = element;
}

static void add_set(char *line)
{
    static uint32_t two[] = { 4, 4 };
    char *elements = strchr(line, ':');
    char name[16];
    struct nft_set set = { .table = "t", .known = !strstr(line, " untold"), .family = NFPROTO_INET };
    cr_assert(elements && sscanf(line, "set %15s %u", name, &set.key_len) == 2, "%s", line);
    *elements++ = '\0';
    set.name = arena_strdup(arena, name);
    set.flags = (strstr(line, " map") ? NFT_SET_MAP : 0u) |
                (strstr(line, " interval") ? NFT_SET_INTERVAL : 0u) |
                (strstr(line, " eval") ? NFT_SET_EVAL : 0u);
    if (strstr(line, " two"))
        set.fields = two, set.nfields = 2;
    for (char *one; (one = strsep(&elements, " "));)
        if (*one)
            add_element(&set, one);
    *ARENA_PUSH(arena, ruleset.sets, ruleset.nsets) = set;
}

static int compare_chains(const void *a, const void *b)
{
    const struct nft_chain *x = a, *y = b;
    return x->family != y->family ? x->family - y->family : strcmp(x->name, y->name);
}

/* All chains and sets are of one table: what names them is of the first chain's family. */
struct ruleset rules_of(const char *text, struct arena *own)
{
    arena = own;
    char *copy = arena_strdup(arena, text), *line;
    struct nft_chain *chain = NULL;
    ruleset = (struct ruleset){ 0 };
    while ((line = strsep(&copy, "\n")))
        if (*line == '+') {
            add_rule(chain, line + 1);
        } else if (strncmp(line, "base ", 5) == 0) {
            chain = add_base(line);
        } else if (strncmp(line, "chain ", 6) == 0) {
            chain = ARENA_PUSH(arena, ruleset.chains, ruleset.nchains);
            *chain = (struct nft_chain){ .table = "t", .name = line + 6, .family = ruleset.chains[0].family };
        } else if (*line) {
            add_set(line);
        }
    for (size_t i = 0; i < ruleset.nsets; i++)
        ruleset.sets[i].family = ruleset.chains[0].family;
    if (ruleset.nchains)
        qsort(ruleset.chains, ruleset.nchains, sizeof(*ruleset.chains), compare_chains);
    return ruleset;
}
