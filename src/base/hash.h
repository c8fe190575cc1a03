/* SPDX-License-Identifier: MIT */
/* Hashes, and unpredictable numbers. */
#pragma once

/* FNV-1a, 32 bits: detects accidental changes, but not deliberately hidden ones. */

#define HASH_BEGIN UINT32_C(2166136261)

static inline uint32_t hash_more(uint32_t hash, const void *data, size_t len)
{
    const uint8_t *bytes = (const uint8_t *)data;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    return hash;
}

/* A number of that many bytes; the same on machines of either byte order. */
static inline uint32_t hash_number(uint32_t hash, uint64_t number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        uint8_t byte = (uint8_t)(number >> 8 * i);
        hash = hash_more(hash, &byte, 1);
    }
    return hash;
}

/* Includes the terminator, so that "a" and "b" aren't "ab". NULL counts as "". */
static inline uint32_t hash_text(uint32_t hash, const char *text)
{
    return hash_more(hash, text ? text : "", text ? strlen(text) + 1 : 1);
}

/* Hashes for tables of untrusted text: without the seed nobody can choose texts that collide. */

/* A different one each time. */
uint64_t hash_seed(void);
uint64_t seeded_hash(uint64_t seed, const char *text, size_t len);

/* Unpredictable numbers. */

/* size is at most 256. Returns 0, or -errno if the kernel has none to give. */
int random_bytes(void *bytes, size_t size);
