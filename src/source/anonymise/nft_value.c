/* SPDX-License-Identifier: MIT */
#include "source/anonymise/anonymise.h"

#include <string.h>

enum { V4_BYTES = 4, V6_BYTES = 16, MAC_BYTES = 6, NAME_BYTES = 16, V6_KEPT_BITS = 104, MAC_KEPT_BITS = 24 };

size_t value_size(enum value_kind kind)
{
    return kind == VALUE_V4                         ? V4_BYTES
           : kind == VALUE_MAC                      ? MAC_BYTES
           : kind == VALUE_V6 || kind == VALUE_NAME ? V6_BYTES
                                                    : 0;
}

static void keep_bits(uint8_t *bytes, size_t len, size_t bits)
{
    for (size_t i = 0; i < len; i++)
        bytes[i] &= bits >= 8 * (i + 1) ? 0xff : bits <= 8 * i ? 0 : (uint8_t)(0xff << (8 * (i + 1) - bits));
}

/* What begins a name is known to begin the changed name, too, only where it stays as it is. */
static bool put_name(const struct anonymiser *anonymiser, const uint8_t *data, size_t len, struct bytes *out)
{
    struct bytes name = { 0 };
    char padded[NAME_BYTES] = { 0 };
    size_t size = strnlen((const char *)data, len);
    bool whole = len == NAME_BYTES && size < len;
    anonymise_name(anonymiser, (const char *)data, size, &name);
    bool same = name.len == size && memcmp(name.data, data, size) == 0;
    if (whole) {
        memcpy(padded, name.data, name.len < sizeof(padded) ? name.len : sizeof(padded) - 1);
        bytes_append(out, padded, sizeof(padded));
    } else if (same) {
        bytes_append(out, data, len);
    }
    bytes_free(&name);
    return whole || same;
}

bool value_put(const struct anonymiser *anonymiser, enum value_kind kind, const uint8_t *data, size_t len,
               size_t bits, struct bytes *out)
{
    uint8_t whole[V6_BYTES] = { 0 };
    size_t size = value_size(kind);
    bits = bits < 8 * len ? bits : 8 * len;
    if (kind == VALUE_PLAIN) {
        bytes_append(out, data, len);
        return true;
    }
    if (kind == VALUE_NAME)
        return len <= NAME_BYTES && put_name(anonymiser, data, len, out);
    if (kind == VALUE_SECRET || len > size)
        return false;
    memcpy(whole, data, len);
    if (kind == VALUE_V4)
        anonymise_v4(anonymiser, whole);
    else if (kind == VALUE_V6)
        anonymise_v6(anonymiser, whole);
    else if (bits == 8 * MAC_BYTES)
        anonymise_mac(anonymiser, whole, MAC_BYTES);
    if ((kind == VALUE_V6 && bits > V6_KEPT_BITS && bits < 8 * V6_BYTES) ||
        (kind == VALUE_MAC && bits > MAC_KEPT_BITS && bits < 8 * MAC_BYTES))
        return false; /* the last three bytes change as a whole */
    keep_bits(whole, len, bits);
    bytes_append(out, whole, len);
    return true;
}

int value_prefix(const uint8_t *from, const uint8_t *to, size_t len)
{
    size_t bits = 0;
    while (bits < 8 * len && !((from[bits / 8] ^ to[bits / 8]) & 0x80 >> bits % 8))
        bits++;
    for (size_t bit = bits; bit < 8 * len; bit++)
        if (from[bit / 8] & 0x80 >> bit % 8 || !(to[bit / 8] & 0x80 >> bit % 8))
            return -1;
    return (int)bits;
}

int value_mask_bits(const uint8_t *mask, size_t len)
{
    int bits = 0;
    while ((size_t)bits < 8 * len && mask[bits / 8] & 0x80 >> bits % 8)
        bits++;
    for (size_t bit = (size_t)bits; bit < 8 * len; bit++)
        if (mask[bit / 8] & 0x80 >> bit % 8)
            return -1;
    return bits;
}

bool value_map_interval(const struct anonymiser *anonymiser, enum value_kind kind, uint8_t *from, uint8_t *to,
                        size_t len)
{
    struct bytes begin = { 0 };
    int bits = value_prefix(from, to, len);
    if (kind == VALUE_PLAIN)
        return true;
    bool whole = (size_t)bits == 8 * len;
    size_t given = kind == VALUE_NAME && !whole ? (size_t)bits / 8 : len;
    if (bits < 0 || (given != len && bits % 8 != 0) ||
        !value_put(anonymiser, kind, from, given, (size_t)bits, &begin))
        return false;
    memcpy(from, begin.data, given);
    memcpy(to, from, len);
    for (size_t bit = (size_t)bits; bit < 8 * len; bit++)
        to[bit / 8] |= (uint8_t)(0x80 >> bit % 8);
    bytes_free(&begin);
    return true;
}
