/* SPDX-License-Identifier: MIT */
#include "check/filter.h"

#include <byteswap.h>
#include <linux/netfilter/nf_tables.h>
#include <string.h>

void known_put_field(struct bytes_known *to, size_t at, const uint8_t *low, const uint8_t *high, size_t len,
                     const char *what)
{
    bool same = true;
    for (size_t i = 0; i < len; i++) {
        uint8_t differ = low[i] ^ high[i], known = 0xff;
        for (; differ; differ >>= 1)
            known = (uint8_t)(known << 1);
        to->known[at + i] = same ? known : 0;
        to->bits[at + i] = low[i] & to->known[at + i];
        same &= known == 0xff;
        to->low[at + i] = low[i];
        to->high[at + i] = high[i];
        to->run[at + i] = 0;
        to->what[at + i] = what;
    }
    to->run[at] = (uint8_t)len;
}

void known_put_bytes(struct bytes_known *to, size_t at, const void *bytes, size_t len, const char *what)
{
    known_put_field(to, at, bytes, bytes, len, what);
}

void known_put_unknown(struct bytes_known *to, size_t at, size_t len, const char *what)
{
    for (size_t i = at; i < at + len; i++) {
        to->known[i] = to->bits[i] = to->run[i] = 0;
        to->what[i] = what;
    }
}

void known_put_number(struct bytes_known *to, size_t at, uint32_t number, bool foreign, const char *what)
{
    number = foreign ? bswap_32(number) : number;
    known_put_bytes(to, at, &number, sizeof(number), what);
}

void known_bounds(const struct bytes_known *of, size_t at, size_t len, uint8_t low[static ROOM],
                  uint8_t high[static ROOM])
{
    for (size_t i = 0; i < len; i++) {
        bool field = of->run[at] >= len;
        low[i] = field ? of->low[at + i] : of->bits[at + i];
        high[i] = field ? of->high[at + i] : (uint8_t)(of->bits[at + i] | (uint8_t)~of->known[at + i]);
    }
}

enum match known_between(const struct bytes_known *of, size_t at, const uint8_t *from, const uint8_t *to,
                         size_t len)
{
    uint8_t low[ROOM], high[ROOM];
    known_bounds(of, at, len, low, high);
    if (memcmp(high, from, len) < 0 || memcmp(low, to, len) > 0)
        return MATCH_NO;
    if (memcmp(low, from, len) >= 0 && memcmp(high, to, len) <= 0)
        return MATCH_YES;
    if (memcmp(from, to, len) == 0)
        for (size_t i = 0; i < len; i++)
            if ((of->bits[at + i] ^ from[i]) & of->known[at + i])
                return MATCH_NO;
    return MATCH_MAYBE;
}

/* Is the key from `from` to `to`, field by field? */
static enum match fields_between(const struct nft_set *set, const struct bytes_known *of, size_t at,
                                 const uint8_t *from, const uint8_t *to)
{
    enum match all = MATCH_YES;
    size_t done = 0;
    for (size_t i = 0; i < set->nfields || (i == 0 && !set->nfields); i++) {
        size_t len = set->nfields ? set->fields[i] : set->key_len;
        if (!len || len > set->key_len - done)
            return MATCH_MAYBE;
        enum match match = known_between(of, at + done, from + done, to + done, len);
        all = match < all ? match : all;
        done += (len + NFT_REG32_SIZE - 1) / NFT_REG32_SIZE * NFT_REG32_SIZE;
        if (done >= set->key_len)
            break;
    }
    return all;
}

/* One less, as a number. */
static void step_down(uint8_t *key, size_t len)
{
    while (len-- && key[len]-- == 0)
        ;
}

enum match known_in_element(const struct nft_set *set, const struct bytes_known *of, size_t at, size_t i)
{
    const struct nft_element *element = &set->elements[i];
    uint8_t end[ROOM];
    size_t len = set->key_len;
    if (element->flags & (NFT_SET_ELEM_CATCHALL | NFT_SET_ELEM_INTERVAL_END))
        return MATCH_NO;
    if (element->key.len != len || (element->key_end.data && element->key_end.len != len))
        return MATCH_MAYBE;
    if (element->key_end.data)
        return fields_between(set, of, at, element->key.data, element->key_end.data);
    if (!(set->flags & NFT_SET_INTERVAL) || set->nfields > 1)
        return fields_between(set, of, at, element->key.data, element->key.data);
    memset(end, 0xff, sizeof(end));
    for (i++; i < set->nelements && set->elements[i].flags & NFT_SET_ELEM_CATCHALL; i++)
        ;
    if (i < set->nelements && set->elements[i].key.len == len) {
        memcpy(end, set->elements[i].key.data, len);
        step_down(end, len);
    }
    return known_between(of, at, element->key.data, end, len);
}
