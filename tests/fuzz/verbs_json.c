/* SPDX-License-Identifier: MIT */
/* Recorded verbs attributes: any bytes. What is understood is written, read and written again to the same. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/verbs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    struct verbs_device *device, *again;
    if (verbs_decode((const char *)data, size, arena, &device) == 0) {
        struct bytes first = { 0 }, second = { 0 };
        verbs_encode(device, &first);
        if (verbs_decode(first.data, first.len, arena, &again) < 0)
            abort();
        verbs_encode(again, &second);
        if (first.len != second.len || memcmp(first.data, second.data, first.len) != 0)
            abort();
        bytes_free(&first);
        bytes_free(&second);
    }
    arena_free(arena);
    return 0;
}
