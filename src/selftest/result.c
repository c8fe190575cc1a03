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

bool result_others_pass(const struct results *results, size_t i)
{
    const struct result *failed = &results->items[i];
    bool others = false;
    if (failed->verdict != VERDICT_FAIL || !failure_is_silence(&failed->failure) || !failed->size)
        return false;
    for (size_t j = i + 1; j < results->count; j++) {
        const struct result *r = &results->items[j];
        others |= r->verdict == VERDICT_PASS && r->messages && r->size >= failed->size;
    }
    return others;
}
