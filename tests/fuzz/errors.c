/* SPDX-License-Identifier: MIT */
/* The "errors" file of a recording. */
#include <stdint.h>
#include <stdlib.h>

#include "source/errors.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t bad;
    struct error_table table = error_table_parse((const char *)data, size, &bad);
    (void)error_table_find(&table, "sys/class/infiniband/mlx5_0/ports/1/gid_attrs/types/5");
    (void)error_table_find(&table, "");
    for (size_t i = 0; i < table.count; i++)
        if (!table.lines[i].err || !table.lines[i].dir || !table.lines[i].name)
            abort();
    error_table_free(&table);
    return 0;
}
