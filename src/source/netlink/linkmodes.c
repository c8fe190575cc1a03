/* SPDX-License-Identifier: MIT */
/* Which speed a link mode has, by the number of its bit (enum ethtool_link_mode_bit_indices of Linux 7.2;
 * older headers end earlier, and a kernel never gives a number another meaning). */
#include <linux/ethtool_netlink.h>
#include <string.h>

#include "base/mem.h"
#include "source/netlink/ethtool.h"
#include "source/netlink/message.h"

enum { BITS = 256, WORDS = BITS / 32 };

/* The gaps are ports, pause and FEC. */
static const struct {
    uint8_t first, last;
    uint32_t mbps;
} speeds[] = {
    { 0, 1, 10 },         { 2, 3, 100 },        { 4, 5, 1000 },        { 12, 12, 10000 },
    { 15, 15, 2500 },     { 17, 17, 1000 },     { 18, 20, 10000 },     { 21, 22, 20000 },
    { 23, 26, 40000 },    { 27, 30, 56000 },    { 31, 33, 25000 },     { 34, 35, 50000 },
    { 36, 39, 100000 },   { 40, 40, 50000 },    { 41, 41, 1000 },      { 42, 46, 10000 },
    { 47, 47, 2500 },     { 48, 48, 5000 },     { 52, 56, 50000 },     { 57, 61, 100000 },
    { 62, 66, 200000 },   { 67, 67, 100 },      { 68, 68, 1000 },      { 69, 73, 400000 },
    { 75, 79, 100000 },   { 80, 84, 200000 },   { 85, 89, 400000 },    { 90, 91, 100 },
    { 92, 92, 10 },       { 93, 98, 800000 },   { 99, 102, 10 },       { 103, 108, 200000 },
    { 109, 114, 400000 }, { 115, 120, 800000 }, { 121, 124, 1600000 },
};

static bool has_bit(const uint32_t bits[static WORDS], unsigned bit)
{
    return bits[bit / 32] >> bit % 32 & 1;
}

static struct num fastest(const uint32_t bits[static WORDS])
{
    struct num mbps = { 0 };
    for (size_t i = 0; i < ARRAY_SIZE(speeds); i++)
        for (unsigned bit = speeds[i].first; bit <= speeds[i].last; bit++)
            if (has_bit(bits, bit) && (!mbps.known || mbps.value < speeds[i].mbps))
                mbps = num_of(speeds[i].mbps);
    return mbps;
}

/* A compact bitset's words, as many as there are. */
static void take_words(uint32_t bits[static WORDS], const struct nlattr *attr)
{
    size_t len;
    const void *data = attr_bytes(attr, &len);
    if (data)
        memcpy(bits, data, len < WORDS * sizeof(*bits) ? len : WORDS * sizeof(*bits));
    for (size_t i = 0; i < WORDS; i++)
        bits[i] = order32(bits[i]);
}

/* A verbose bitset: an entry for each bit of the mask, with a flag where the value has it too. */
static void take_entries(uint32_t mask[static WORDS], uint32_t value[static WORDS], const struct nlattr *list)
{
    struct attrs bit;
    for (const struct nlattr *attr = NULL; (attr = attr_next(list, attr, ETHTOOL_A_BITSET_BITS_BIT));) {
        attrs_parse_nest(&bit, attr);
        struct num index = attr_u32(bit.at[ETHTOOL_A_BITSET_BIT_INDEX]);
        if (!index.known || index.value >= BITS)
            continue;
        mask[index.value / 32] |= UINT32_C(1) << index.value % 32;
        if (bit.at[ETHTOOL_A_BITSET_BIT_VALUE])
            value[index.value / 32] |= UINT32_C(1) << index.value % 32;
    }
}

void ethtool_take_modes(const struct nlattr *bitset, struct qos_ethtool *ethtool)
{
    uint32_t supported[WORDS] = { 0 }, advertised[WORDS] = { 0 };
    struct attrs set;
    attrs_parse_nest(&set, bitset);
    if (set.at[ETHTOOL_A_BITSET_NOMASK]) /* a list of one kind only: which isn't said */
        return;
    take_words(supported, set.at[ETHTOOL_A_BITSET_MASK]);
    take_words(advertised, set.at[ETHTOOL_A_BITSET_VALUE]);
    take_entries(supported, advertised, set.at[ETHTOOL_A_BITSET_BITS]);
    ethtool->supported_mbps = fastest(supported);
    ethtool->advertised_mbps = fastest(advertised);
}
