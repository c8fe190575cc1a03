/* SPDX-License-Identifier: MIT */
/* Hashes, and random numbers from the kernel. */
#include "base/hash.h"

#include <sys/random.h>

uint64_t hash_seed(void)
{
    uint64_t seed;
    if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) < 0)
        seed = (uint64_t)(uintptr_t)&seed;
    return seed;
}

uint64_t seeded_hash(uint64_t seed, const char *text, size_t len)
{
    uint64_t h = seed;
    for (size_t i = 0; i < len; i++) {
        h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
        h ^= h >> 29;
    }
    return h ^ h >> 32;
}

int random_bytes(void *bytes, size_t size)
{
    ssize_t n;
    do
        n = getrandom(bytes, size, 0);
    while (n < 0 && errno == EINTR);
    return n < 0 ? -errno : (size_t)n == size ? 0 : -EIO;
}
