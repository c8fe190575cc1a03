/* SPDX-License-Identifier: MIT */
/* Values that rules and sets of nftables compare packets with. Private to anonymise/. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/anonymise/anonymise.h"

enum value_kind {
    VALUE_SECRET, /* nobody knows what it is: it may be part of an address */
    VALUE_PLAIN,  /* a port, a protocol, a mark */
    VALUE_V4,
    VALUE_V6,
    VALUE_MAC,
    VALUE_NAME, /* of a netdev, with zeros behind it up to 16 bytes; shorter: all that begin so */
};

enum { VALUE_MOST = 64 }; /* bytes of all registers */

/* How many bytes one of the kind has; 0 when that isn't given. */
size_t value_size(enum value_kind kind);
/* Appends len bytes of data, changed; of an address only the first bits count, the others are zero. False,
 * and nothing appended: it can't be said of the changed address. */
bool value_put(const struct anonymiser *anonymiser, enum value_kind kind, const uint8_t *data, size_t len,
               size_t bits, struct bytes *out);
/* How many bits all from `from` to `to` have in common, when those are all that begin so; else -1. */
int value_prefix(const uint8_t *from, const uint8_t *to, size_t len);
/* Leading ones, when only zeros follow; else -1. */
int value_mask_bits(const uint8_t *mask, size_t len);
/* The changed interval, both ends included, in the place of the given one; false: it is none afterwards. */
bool value_map_interval(const struct anonymiser *anonymiser, enum value_kind kind, uint8_t *from, uint8_t *to,
                        size_t len);
