/* SPDX-License-Identifier: MIT */
/* nftables' tables, chains, rules and sets as the kernel keeps them, which is also how iptables-nft writes
 * its rules. Numbers are the kernel's (linux/netfilter/nf_tables.h); data and keys are its bytes. Who judges
 * them: check/filter.h. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

struct nft_bytes {
    const uint8_t *data; /* NULL: not there */
    size_t len;
};

/* What a packet meets when it is decided: NF_* (drop 0, accept 1 …) or NFT_* (continue -1 … return -5). */
struct nft_verdict {
    bool known;
    int32_t code;
    const char *chain; /* of a jump or goto; NULL: none */
};

/* A value: bytes or a verdict. */
struct nft_data {
    struct nft_bytes bytes;
    struct nft_verdict verdict;
};

/* One expression of a rule. What its kind doesn't have is 0 or NULL. */
struct nft_expression {
    const char *name;             /* "meta", "payload", "cmp", "match" …: the kernel's */
    uint32_t source, destination; /* registers: NFT_REG_* or NFT_REG32_*; 0: none */
    uint32_t key;                 /* of meta, ct, fib (its result); base of payload; type of nat */
    uint32_t operation, offset, len, flags;
    struct nft_data value, second; /* cmp, immediate; range: from and to; bitwise: mask and xor */
    const char *set;               /* of lookup; the match or target of iptables */
    uint32_t revision;             /* of these */
    bool foreign; /* of a machine of the other byte order: so are numbers in value and registers */
};

struct nft_rule {
    uint64_t handle;
    const struct nft_expression *expressions;
    size_t nexpressions;
};

struct nft_chain {
    uint8_t family; /* NFPROTO_* */
    const char *table, *name;
    bool base; /* the kernel calls it: what follows is known */
    uint32_t hook;
    int32_t priority;
    uint32_t policy;      /* NF_DROP, NF_ACCEPT */
    const char *type;     /* "filter", "nat", "route" */
    const char **devices; /* of an ingress or egress hook */
    size_t ndevices;
    bool dormant; /* its table is switched off */
    struct nft_rule *rules;
    size_t nrules;
};

struct nft_element {
    struct nft_bytes key, key_end; /* key_end: of an interval of a concatenation, inclusive */
    struct nft_data data;          /* of a map */
    uint32_t flags;                /* NFT_SET_ELEM_* */
};

struct nft_set {
    uint8_t family;
    const char *table, *name;
    uint32_t flags; /* NFT_SET_* */
    uint32_t key_len;
    uint32_t key_type, data_type; /* as nft numbers them, 6 bits a field; the kernel doesn't use them */
    uint32_t *fields; /* of a concatenation: bytes of each, which stand at multiples of 4 in the key */
    size_t nfields;
    bool known; /* its elements were told */
    struct nft_element *elements;
    size_t nelements;
};

struct nft_table {
    uint8_t family;
    const char *name;
};

struct ruleset {
    struct nft_table *dormant; /* the tables that are switched off */
    size_t ndormant;
    struct nft_chain *chains; /* by family, table, name */
    size_t nchains;
    struct nft_set *sets; /* the same */
    size_t nsets;
};

/* NULL: there is none. */
struct nft_chain *ruleset_chain(const struct ruleset *ruleset, uint8_t family, const char *table,
                                const char *name);
struct nft_set *ruleset_set(const struct ruleset *ruleset, uint8_t family, const char *table,
                            const char *name);
enum { NFT_REGISTER_BYTES = 64 };
/* Where a register (NFT_REG_* or NFT_REG32_*) begins; NFT_REGISTER_BYTES when the kernel has none of that
 * number, or len bytes don't fit. */
size_t nft_register_at(uint32_t number, size_t len);
/* "inet", "ip", "ip6", "netdev", "bridge", "arp". */
const char *nft_family_text(uint8_t family);
