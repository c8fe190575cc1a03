/* SPDX-License-Identifier: MIT */
#include "model/ruleset.h"

#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <stdlib.h>
#include <string.h>

struct place {
    uint8_t family;
    const char *table, *name;
};

static int compare(struct place a, struct place b)
{
    if (a.family != b.family)
        return a.family < b.family ? -1 : 1;
    int order = strcmp(a.table, b.table);
    return order ? order : strcmp(a.name, b.name);
}

static int compare_chain(const void *key, const void *element)
{
    const struct nft_chain *chain = element;
    return compare(*(const struct place *)key, (struct place){ chain->family, chain->table, chain->name });
}

static int compare_set(const void *key, const void *element)
{
    const struct nft_set *set = element;
    return compare(*(const struct place *)key, (struct place){ set->family, set->table, set->name });
}

struct nft_chain *ruleset_chain(const struct ruleset *ruleset, uint8_t family, const char *table,
                                const char *name)
{
    struct place place = { family, table, name };
    return ruleset->nchains
               ? bsearch(&place, ruleset->chains, ruleset->nchains, sizeof(*ruleset->chains), compare_chain)
               : NULL;
}

struct nft_set *ruleset_set(const struct ruleset *ruleset, uint8_t family, const char *table, const char *name)
{
    struct place place = { family, table, name };
    return ruleset->nsets ? bsearch(&place, ruleset->sets, ruleset->nsets, sizeof(*ruleset->sets), compare_set)
                          : NULL;
}

const char *nft_family_text(uint8_t family)
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
    case NFPROTO_ARP:
        return "arp";
    default:
        return "other";
    }
}

size_t nft_register_at(uint32_t number, size_t len)
{
    size_t at = number >= NFT_REG32_00 && number <= NFT_REG32_15 ? (number - NFT_REG32_00) * NFT_REG32_SIZE
                : number >= NFT_REG_1 && number <= NFT_REG_4     ? (number - NFT_REG_1) * NFT_REG_SIZE
                                                                 : NFT_REGISTER_BYTES;
    return at + len <= NFT_REGISTER_BYTES ? at : NFT_REGISTER_BYTES;
}
