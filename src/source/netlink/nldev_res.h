/* SPDX-License-Identifier: MIT */
/* nldev's resource tracking and statistics. Pure parsers, as in nldev.h. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/resources.h"

struct arena;

/* A dump of one type. resource.comm is set for the kernel's own only; device as it's given. */
int nldev_parse_resources(const void *bytes, size_t len, enum resource_type type, struct arena *arena,
                          const char *device, struct resource **items, size_t *count);
/* RES_GET: of all devices; total.device is the name in the answer. */
int nldev_parse_totals(const void *bytes, size_t len, struct arena *arena, struct resource_total **totals,
                       size_t *count);
/* STAT_GET_STATUS: those counters that can be switched. */
int nldev_parse_optional(const void *bytes, size_t len, struct arena *arena,
                         struct optional_counter **counters, size_t *count);
/* STAT_GET: the counters of a port that count, in the driver's order. */
struct counter_value {
    const char *name;
    struct num value;
};
int nldev_parse_values(const void *bytes, size_t len, struct arena *arena, struct counter_value **values,
                       size_t *count);
/* STAT_GET of queue pairs: the counters that some are bound to (drivers/infiniband/core/nldev.c:
 * fill_res_counter_entry()). */
struct bound_counter {
    struct num number;
    struct counter_value *values;
    size_t nvalues;
    uint32_t *lqpns; /* the queue pairs that it counts for */
    size_t nlqpns;
};
int nldev_parse_bound(const void *bytes, size_t len, struct arena *arena, struct bound_counter **counters,
                      size_t *count);
