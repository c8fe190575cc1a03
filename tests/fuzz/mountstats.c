/* SPDX-License-Identifier: MIT */
/* NFS' statistics and mounts, and cgroups' paths: any text, the two files parted by a NUL. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "source/files/mountstats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    char *text = malloc(size + 1), *mounts = NULL;
    struct service *items = NULL;
    size_t count = 0;
    if (!text)
        abort();
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    size_t len = strlen(text);
    if (len < size)
        mounts = strdup(text + len + 1);
    char *stats = strdup(text); /* each exactly as long as it is: a read behind it is seen */
    mountstats_parse(stats, mounts, arena, &items, &count);
    (void)cgroup_words(arena, stats);
    free(stats);
    free(mounts);
    free(text);
    arena_free(arena);
    return 0;
}
