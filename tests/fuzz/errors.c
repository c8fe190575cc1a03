/* SPDX-License-Identifier: MIT */
/* The "errors" file of a recording. */
#include <stdint.h>
#include <stdlib.h>

#include "source/errors.h"
#include "source/recording/filetree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct filetree *tree = filetree_new();
    size_t bad, first_bad, lines = 1;
    int r = errors_enter(tree, (const char *)data, size, &bad, &first_bad);
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n';
    if (bad > lines || first_bad > lines || !bad != !first_bad || r > 0)
        abort();
    for (size_t i = 0; i < tree->table_size; i++)
        if (tree->table[i] && (tree->table[i]->err < 0 || !tree->table[i]->parent))
            abort();
    (void)filetree_resolve(tree, "sys/class/infiniband/mlx5_0/ports/1/gid_attrs/types/5");
    filetree_free(tree);
    return 0;
}
