/* SPDX-License-Identifier: MIT */
/* Lists of CPUs: any text. What a list is joined to meets it, and is joined to itself. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/cpus.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    const char *list = arena_strndup(arena, (const char *)data, size);
    const char *joined = cpus_join(&list, 1, arena);
    if (*joined && !cpus_meet(joined, list))
        abort();
    if (strcmp(cpus_join(&joined, 1, arena), joined) != 0)
        abort();
    arena_free(arena);
    return 0;
}
