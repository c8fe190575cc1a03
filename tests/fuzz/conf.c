/* SPDX-License-Identifier: MIT */
/* Files that configure RDMA libraries, and what a recording says of them: any bytes. */
#include "source/files/conf.h"

#include <stdint.h>
#include <stdlib.h>

#include "source/files/settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads each byte, so that the sanitizer sees where it lies. */
static void look(void *data, const struct conf_line *line)
{
    size_t *sum = data;
    for (size_t i = 0; i < line->name_len; i++)
        *sum += (unsigned char)line->name[i];
    for (size_t i = 0; i < line->value_len; i++)
        *sum += (unsigned char)line->value[i];
    if (line->number == 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t sum = 0;
    struct setting setting;
    struct arena *arena = arena_new();
    const char *text = (const char *)data;
    nccl_conf_parse(text, size, look, &sum);
    ucx_conf_parse(text, size, look, &sum);
    mpi_conf_parse(text, size, look, &sum);
    if (settings_parse_line(text, size, arena, &setting) && (!setting.file || !setting.name || !setting.value))
        abort();
    arena_free(arena);
    return 0;
}
