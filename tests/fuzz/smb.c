/* SPDX-License-Identifier: MIT */
/* The SMB client's servers: any text, and any line that isn't ended by a NUL. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "source/files/smb.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    struct service *items = NULL;
    size_t count = 0;
    char *text = strndup((const char *)data, size), *line = malloc(size ? size : 1);
    if (!text || !line)
        abort();
    smb_parse(text, arena, &items, &count);
    for (size_t i = 0; i < count; i++)
        if (items[i].kind != SERVICE_SMB_CLIENT)
            abort();
    if (size)
        memcpy(line, data, size); /* exactly as long as it is: a read behind it is seen */
    struct smb_line told = smb_line_parse(line, size);
    if (told.word && (!told.len || told.word < line || told.word + told.len > line + size))
        abort();
    free(line);
    free(text);
    arena_free(arena);
    return 0;
}
