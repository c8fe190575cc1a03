/* SPDX-License-Identifier: MIT */
#include "selftest/result.h"

#include <string.h>

#include "base/mem.h"

struct result *results_add(struct results *results)
{
    if (results->count == results->size) {
        results->size = results->size ? results->size * 2 : 32;
        results->items = mem_resize(results->items, results->size, sizeof(*results->items));
    }
    struct result *result = &results->items[results->count++];
    memset(result, 0, sizeof(*result));
    return result;
}
