/* SPDX-License-Identifier: MIT */
/* Sets of nftables. What the elements of one are, only the answer about all sets says, and a recording has
 * the elements by the number of their set in the order of names, which change. Private to anonymise/. */
#pragma once

#include <stddef.h>

#include "source/anonymise/anonymise.h"

/* Sets, from the kernel's answer to NFT_MSG_GETSET; the caller frees them with nft_sets_free(). */
struct nft_sets *nft_sets_new(const struct anonymiser *anonymiser, const void *reply, size_t len);
void nft_sets_free(struct nft_sets *sets);
/* Which number the set has when the names are changed; as it is: there is none of that number. */
size_t nft_sets_number(const struct nft_sets *sets, size_t number);
/* Appends messages with the changed elements of the set of that number. False: what they are isn't known, or
 * can't be said of the changed ones, and the set has to be one whose elements weren't told. */
bool nft_sets_put_elements(const struct anonymiser *anonymiser, const struct nft_sets *sets, size_t number,
                           const void *reply, size_t len, struct bytes *out);
