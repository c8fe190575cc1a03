/* SPDX-License-Identifier: MIT */
/* Maps each value to one other value, with a key that nobody has afterwards. */
#include "base/hash.h"
#include "source/anonymise/anonymise.h"

/* Made once, for all that this process anonymises. */
static const uint64_t *key(void)
{
    static uint64_t made[2];
    if (!made[0] && random_bytes(made, sizeof(made)) < 0)
        say_die("cannot anonymise: the kernel gives no random bytes");
    return made;
}

static uint64_t rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static void sip_round(uint64_t v[static 4])
{
    v[0] += v[1];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[0] = rotate(v[0], 32);
    v[2] += v[3];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[2] = rotate(v[2], 32);
}

static void sip_word(uint64_t v[static 4], uint64_t word)
{
    v[3] ^= word;
    sip_round(v);
    sip_round(v);
    v[0] ^= word;
}

/* SipHash-2-4 (Aumasson and Bernstein, 2012). Knowing some pairs of values reveals nothing about others. */
static uint64_t hash(const void *data, size_t len)
{
    uint64_t v[4] = { key()[0] ^ UINT64_C(0x736f6d6570736575), key()[1] ^ UINT64_C(0x646f72616e646f6d),
                      key()[0] ^ UINT64_C(0x6c7967656e657261), key()[1] ^ UINT64_C(0x7465646279746573) };
    const uint8_t *bytes = data;
    uint64_t word = 0;
    for (size_t i = 0; i < len; i++) {
        word |= (uint64_t)bytes[i] << i % 8 * 8;
        if (i % 8 == 7) {
            sip_word(v, word);
            word = 0;
        }
    }
    sip_word(v, word | (uint64_t)len << 56);
    v[2] ^= 0xff;
    for (int i = 0; i < 4; i++)
        sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* Maps three bytes one to one to three others: four rounds of a Feistel network. Zero stays zero. */
static void map_low(uint8_t bytes[static 3])
{
    uint32_t left = (uint32_t)bytes[0] << 4 | bytes[1] >> 4, right = (uint32_t)(bytes[1] & 15) << 8 | bytes[2];
    if (left == 0 && right == 0)
        return;
    for (uint8_t round = 1; round <= 4; round++) {
        uint8_t input[] = { 'l', round, (uint8_t)(right >> 8), (uint8_t)right };
        uint32_t next = left ^ (uint32_t)(hash(input, sizeof(input)) & 0xfff);
        left = right;
        right = next;
    }
    bytes[0] = (uint8_t)(left >> 4);
    bytes[1] = (uint8_t)(left << 4 | right >> 8);
    bytes[2] = (uint8_t)right;
}

/* Flips each bit from first to end depending on the bits before it, so that common prefixes stay common. */
static void map_prefix(uint8_t *bytes, size_t first, size_t end)
{
    uint8_t before[1 + 16 + 1] = { 'p' }; /* the original bits, then their number */
    for (size_t bit = 0; bit < end; bit++) {
        uint8_t mask = (uint8_t)(0x80 >> bit % 8);
        bool was = bytes[bit / 8] & mask;
        before[sizeof(before) - 1] = (uint8_t)bit;
        if (bit >= first && hash(before, sizeof(before)) & 1)
            bytes[bit / 8] ^= mask;
        if (was)
            before[1 + bit / 8] |= mask;
    }
}

void anonymise_v4(uint8_t bytes[static 4])
{
    if (bytes[0] && bytes[0] != 127 && bytes[0] < 224 && (bytes[0] != 169 || bytes[1] != 254))
        map_prefix(bytes, 8, 32);
}

void anonymise_v6(uint8_t bytes[static 16])
{
    static const uint8_t loopback[16] = { [15] = 1 };
    if (gid_is_v4_mapped(bytes)) {
        anonymise_v4(bytes + 12);
        return;
    }
    if (gid_is_zero(bytes) || memcmp(bytes, loopback, sizeof(loopback)) == 0 || bytes[0] == 0xff)
        return;
    if (!gid_is_link_local(bytes))
        map_prefix(bytes, 16, 64);
    map_low(bytes + 13);
}

void anonymise_mac(uint8_t *bytes, size_t len)
{
    static const uint8_t broadcast[3] = { 0xff, 0xff, 0xff };
    if (memcmp(bytes + len - 3, broadcast, 3) != 0)
        map_low(bytes + len - 3);
}

void anonymise_guid(uint64_t *guid)
{
    uint8_t low[3] = { (uint8_t)(*guid >> 16), (uint8_t)(*guid >> 8), (uint8_t)*guid };
    map_low(low);
    *guid = (*guid & ~UINT64_C(0xffffff)) | (uint64_t)low[0] << 16 | (uint64_t)low[1] << 8 | low[2];
}

void anonymise_word(const char *what, const char *word, size_t len, struct bytes *out)
{
    bytes_printf(out, "%s%06x", what, (unsigned)(hash(word, len) & 0xffffff));
}
