/* SPDX-License-Identifier: MIT */
/* Hashes, and numbers that nobody can guess. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* FNV-1a, 32 bits: to see that something has changed, not against who wants it to stay unseen. */

#define HASH_BEGIN UINT32_C(2166136261)

static inline uint32_t hash_more(uint32_t hash, const void *data, size_t len)
{
    const uint8_t *bytes = (const uint8_t *)data;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    return hash;
}

/* A number of that many bytes: the same on machines of either byte order. */
static inline uint32_t hash_number(uint32_t hash, uint64_t number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        uint8_t byte = (uint8_t)(number >> 8 * i);
        hash = hash_more(hash, &byte, 1);
    }
    return hash;
}

/* With an end, so that "a" and "b" aren't "ab"; NULL is "". */
static inline uint32_t hash_text(uint32_t hash, const char *text)
{
    return hash_more(hash, text ? text : "", text ? strlen(text) + 1 : 1);
}

/* Hashes for tables of text that anybody may have chosen: who doesn't know the seed can't choose what collides.
 */

/* Another one each time. */
uint64_t hash_seed(void);
uint64_t seeded_hash(uint64_t seed, const char *text, size_t len);

/* Numbers that nobody can guess. */

/* size at most 256. 0, or -errno where the kernel has none to give. */
int random_bytes(void *bytes, size_t size);
