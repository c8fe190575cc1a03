/* SPDX-License-Identifier: MIT */
/* nftables' answers as a ruleset. Pure. Attributes and their meaning: linux/netfilter/nf_tables.h, and for
 * which expression has which, nf_tables_api.c and nft_*.c of the kernel. */
#pragma once

#include <stddef.h>

#include "model/ruleset.h"

/* The answers to NFT_MSG_GETTABLE, GETCHAIN, GETRULE and GETSET, in this order. Memory is the arena's,
 * nothing refers to bytes afterwards. 0, or -EBADMSG: what came before the broken part is kept. */
int nft_parse_tables(const void *bytes, size_t len, struct arena *arena, struct ruleset *ruleset);
int nft_parse_chains(const void *bytes, size_t len, struct arena *arena, struct ruleset *ruleset);
int nft_parse_rules(const void *bytes, size_t len, struct arena *arena, struct ruleset *ruleset);
int nft_parse_sets(const void *bytes, size_t len, struct arena *arena, struct ruleset *ruleset);
/* The answer to NFT_MSG_GETSETELEM for one set. */
int nft_parse_elements(const void *bytes, size_t len, struct arena *arena, struct nft_set *set);
