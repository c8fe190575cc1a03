/* SPDX-License-Identifier: MIT */
/* What strangers' files of facts come to: cut into objects, read, compared in each way. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "fleet/compare.h"
#include "fleet/nodeset.h"
#include "fleet/split.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void take_object(void *data, const char *text, size_t len, unsigned line, const char *name)
{
    struct fleet_fault fault;
    char *copy = mem_alloc(1, len); /* a read behind its end is seen */
    memcpy(copy, text, len);
    if (fleet_add(data, copy, len, "file", line, name, &fault) < 0 && !fault.what[0])
        abort();
    free(copy);
}

static void take_fault(void *data, unsigned line, const char *what)
{
    (void)data;
    if (!line || !what)
        abort();
}

static void compare(struct fleet *fleet, struct arena *arena)
{
    const struct fleet_host **hosts = NULL;
    struct fleet_wish wish = { 0 };
    size_t count = 0;
    fleet_settle(fleet);
    for (size_t i = 0; i < fleet->nhosts; i++)
        if (!fleet->hosts[i].replaced)
            *ARENA_PUSH(arena, hosts, count) = &fleet->hosts[i];
    struct fleet_report report = fleet_compare(fleet, hosts, count, &wish, arena);
    for (size_t i = 0; i < report.nfindings; i++)
        for (size_t g = 0; g < report.findings[i].ngroups; g++)
            if (!report.findings[i].groups[g].value || !report.findings[i].groups[g].hosts)
                abort();
    if (count)
        fleet_against(fleet, hosts[0], hosts, count, &wish, arena);
    if (count > 1)
        fleet_changes(fleet, hosts, &wish, arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    struct fleet *fleet = fleet_new();
    struct split split = { .object = take_object, .fault = take_fault, .data = fleet, .most = 1 << 16 };
    size_t half = size / 2;
    split_feed(&split, (const char *)data, half);
    split_feed(&split, (const char *)data + half, size - half);
    split_end(&split);
    compare(fleet, arena);
    fleet_free(fleet);
    arena_free(arena);
    return 0;
}
