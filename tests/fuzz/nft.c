/* SPDX-License-Identifier: MIT */
/* nftables' rules: any bytes. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "source/netlink/nft.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    void *aligned = malloc(size ? size : 1); /* exactly as long: a read behind it is seen */
    const char *rule;
    if (!aligned)
        abort();
    memcpy(aligned, data, size);
    (void)nft_find_refusal(aligned, size, 4791, arena, &rule);
    free(aligned);
    arena_free(arena);
    return 0;
}
