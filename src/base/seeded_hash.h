/* SPDX-License-Identifier: MIT */
/* Hashes for tables of text that anybody may have chosen: who doesn't know the seed can't choose what collides. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Another one each time. */
uint64_t hash_seed(void);
uint64_t seeded_hash(uint64_t seed, const char *text, size_t len);
