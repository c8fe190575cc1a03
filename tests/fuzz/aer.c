/* SPDX-License-Identifier: MIT */
/* What PCI functions counted of errors: any text. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/aer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    char *text = size ? strndup((const char *)data, size) : strdup(""); /* a read behind it is seen */
    if (!text)
        abort();
    struct aer aer = aer_parse(text, arena);
    for (size_t i = 0; i < aer.nkinds; i++)
        for (enum aer_severity severity = 0; severity < AER_SEVERITIES; severity++)
            if (aer_nature(severity, aer.kinds[i].name) > AER_HARMLESS)
                abort();
    free(text);
    arena_free(arena);
    return 0;
}
