/* SPDX-License-Identifier: MIT */
/* What the fuzzers of netlink parsers share: the bytes in a block of their own that ends where they end,
 * aligned as a reply is, and an arena. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    void *bytes;
    size_t len;
    struct arena *arena;
};

static inline struct input input_begin(const uint8_t *data, size_t size)
{
    struct input input = { .bytes = malloc(size ? size : 1), .len = size, .arena = arena_new() };
    if (!input.bytes)
        abort();
    if (size)
        memcpy(input.bytes, data, size);
    return input;
}

static inline void input_end(struct input *input)
{
    arena_free(input->arena);
    free(input->bytes);
}
