/* SPDX-License-Identifier: MIT */
/* Resources and counters as nldev tells them. */
#include "netlink.h"

#include "source/netlink/nldev_res.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = input_begin(data, size);
    struct resource *items = NULL;
    struct resource_total *totals = NULL;
    struct optional_counter *counters = NULL;
    struct counter_value *values = NULL;
    struct bound_counter *bound = NULL;
    size_t nbound = 0, nitems = 0, ntotals = 0, ncounters = 0, nvalues = 0;
    for (int type = 0; type < RESOURCE_TYPES; type++)
        nldev_parse_resources(input.bytes, input.len, (enum resource_type)type, input.arena, "rxe0", &items,
                              &nitems);
    nldev_parse_totals(input.bytes, input.len, input.arena, &totals, &ntotals);
    for (size_t i = 0; i < ntotals; i++)
        if (!totals[i].device || !totals[i].type)
            abort();
    nldev_parse_optional(input.bytes, input.len, input.arena, &counters, &ncounters);
    nldev_parse_values(input.bytes, input.len, input.arena, &values, &nvalues);
    for (size_t i = 0; i < nvalues; i++)
        if (!values[i].name || !values[i].value.known)
            abort();
    nldev_parse_bound(input.bytes, input.len, input.arena, &bound, &nbound);
    for (size_t i = 0; i < nbound; i++)
        for (size_t v = 0; v < bound[i].nvalues; v++)
            if (!bound[i].values[v].name || !bound[i].values[v].value.known)
                abort();
    input_end(&input);
    return 0;
}
