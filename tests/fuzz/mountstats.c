/* SPDX-License-Identifier: MIT */
/* NFS' statistics and mounts, the SMB client's servers, and cgroups' paths: any text, NFS' two files parted by a NUL. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "source/files/mountstats.h"
#include "source/files/smb.h"

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
    size_t before = count;
    smb_parse(stats, arena, &items, &count);
    for (size_t i = before; i < count; i++)
        if (items[i].kind != SERVICE_SMB_CLIENT)
            abort();
    free(stats);
    char *line = malloc(len ? len : 1); /* that no NUL ends */
    if (!line)
        abort();
    memcpy(line, text, len);
    struct smb_line told = smb_line_parse(line, len);
    if (told.word && (!told.len || told.word < line || told.word + told.len > line + len))
        abort();
    free(line);
    free(mounts);
    free(text);
    arena_free(arena);
    return 0;
}
