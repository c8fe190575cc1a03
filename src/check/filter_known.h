/* SPDX-License-Identifier: MIT */
/* Bytes of a packet, or of a rule's registers, as far as they are known, and how they compare. Private to
 * filter.c. Pure. */
#pragma once

#include "check/filter.h"

enum { ROOM = NFT_REGISTER_BYTES }; /* of a header roce knows as many */

/* Bytes that are known in part: by the bit, and fields by their bounds. */
struct bytes_known {
    uint8_t bits[ROOM], known[ROOM];
    uint8_t low[ROOM], high[ROOM];
    uint8_t run[ROOM]; /* how long the field is that begins here and has bounds; 0: none begins */
    const char *what[ROOM];
};

/* len bytes at `at` become a field from low to high, both included, in network order; what names them. */
void known_put_field(struct bytes_known *to, size_t at, const uint8_t *low, const uint8_t *high, size_t len,
                     const char *what);
void known_put_bytes(struct bytes_known *to, size_t at, const void *bytes, size_t len, const char *what);
void known_put_unknown(struct bytes_known *to, size_t at, size_t len, const char *what);
/* In the host's order; foreign: that of a machine of the other one. */
void known_put_number(struct bytes_known *to, size_t at, uint32_t number, bool foreign, const char *what);

/* The lowest and highest that len bytes can be. */
void known_bounds(const struct bytes_known *of, size_t at, size_t len, uint8_t low[static ROOM],
                  uint8_t high[static ROOM]);
/* Is it from `from` to `to`, both included? As memcmp orders, which is what the kernel compares with. */
enum match known_between(const struct bytes_known *of, size_t at, const uint8_t *from, const uint8_t *to,
                         size_t len);
/* Does the key at `at` lie in element i of the set? Intervals of one field are a start, and an end that isn't
 * in them; without one they go up to the next, or for ever (nft_set_rbtree.c). */
enum match known_in_element(const struct nft_set *set, const struct bytes_known *of, size_t at, size_t i);
