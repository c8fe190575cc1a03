/* SPDX-License-Identifier: MIT */
/* What many hosts said: facts, peers and results. */
#include "target.h"

#include "command/mesh/mesh.h"
#include "fleet/compare.h"
#include "fleet/hosts.h"
#include "fleet/mesh/mesh.h"

/* What strangers' files of facts come to: cut into objects, read, compared in each way. */

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
    static const char expected[] =
        "{\"kernel\": \"6\", \"devices\": [{\"device\": \"*\", \"hca_type\": \"MT1\"}], \"ports\": "
        "[{\"netdev\": \"e*\", \"count\": 1}, {\"device\": \"*\", \"port\": 1, \"pfc\": [3]}]}";
    struct expectation *should = NULL;
    struct expectation_fault fault;
    struct fleet_wish wish = { 0 };
    size_t count;
    const struct fleet_host **hosts = fleet_settle(fleet, &count);
    struct fleet_report report = fleet_compare(fleet, hosts, count, &wish, arena);
    for (size_t i = 0; i < report.nfindings; i++)
        for (size_t g = 0; g < report.findings[i].ngroups; g++)
            if (!report.findings[i].groups[g].value || !report.findings[i].groups[g].hosts)
                abort();
    if (expectation_parse(expected, strlen(expected), arena, &should, &fault) < 0)
        abort();
    fleet_against(fleet, should, hosts, count, &wish, arena);
    if (count > 1)
        fleet_changes(fleet, hosts, &wish, arena);
}

TARGET(fleet)
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

/* What a stranger's list of peers and results come to: the list up to the first NUL, behind it files of
 * results, each up to a NUL. Read, judged, and the list written anew. The list is a call's greeting, too. */

static char *copy_of(const uint8_t *data, size_t len) /* a read behind its end is seen */
{
    char *copy = mem_alloc(1, len + 1);
    memcpy(copy, data, len);
    return copy;
}

static void check_odd(const struct peers *peers, const struct mesh_odd *odd)
{
    for (size_t i = 0; i < odd->nfrom; i++)
        if (odd->from[i] >= peers->count)
            abort();
    for (size_t i = 0; i < odd->nto; i++)
        if (odd->to[i] >= peers->count)
            abort();
    if (odd->kind >= ODD_KINDS || odd->cells > odd->tried || (odd->kind == ODD_PATHS && !odd->cell))
        abort();
}

static void judge(const struct peers *peers, struct mesh_results *results, struct arena *arena)
{
    mesh_results_settle(results);
    for (size_t i = 0; i < results->ncells; i++)
        if (results->cells[i].from >= peers->count || results->cells[i].to >= peers->count ||
            results->cells[i].bad_paths > CELL_PORTS_MOST)
            abort();
    struct mesh_verdicts verdicts = mesh_judge(peers, results->cells, results->ncells, results->rates,
                                               results->heard, results->rounds, arena);
    for (size_t i = 0; i < verdicts.nodd; i++)
        check_odd(peers, &verdicts.odd[i]);
}

/* What is taken in can be written, and says the same. */
static void write_anew(const struct peers *peers, struct arena *arena)
{
    struct bytes text = { 0 };
    struct peers again;
    struct fleet_fault fault;
    peers_head(&text);
    for (size_t i = 0; i < peers->count; i++)
        peers_line(&text, peers->items[i].address, peers->items[i].host, peers->items[i].device,
                   peers->items[i].rail, peers->items[i].leaf);
    if (peers_parse(text.data, text.len, arena, &again, &fault) < 0 || again.count != peers->count)
        abort();
    bytes_free(&text);
}

/* Only what a caller of our own writes is a call. */
static void call(const char *greeting)
{
    struct mesh_call call;
    char text[CALL_TEXT_SIZE];
    if (!mesh_call_parse(greeting, &call))
        return;
    mesh_call_text(&call, text);
    if (strcmp(text, greeting) != 0)
        abort();
}

TARGET(mesh)
{
    struct arena *arena = arena_new();
    struct peers peers;
    struct fleet_fault fault = { 0 };
    size_t len = strnlen((const char *)data, size);
    char *list = copy_of(data, len);
    call(list);
    int r = peers_parse(list, len, arena, &peers, &fault);
    if (r < 0 && !fault.what[0])
        abort();
    if (r == 0) {
        struct mesh_results results = mesh_results_new(&peers, arena);
        for (size_t at = len + 1; at < size; at += len + 1) {
            const char *what = NULL;
            len = strnlen((const char *)data + at, size - at);
            char *file = copy_of(data + at, len);
            if (mesh_results_add(&results, file, len, &what) == -EINVAL && !what)
                abort();
            free(file);
        }
        write_anew(&peers, arena);
        judge(&peers, &results, arena);
    }
    free(list);
    arena_free(arena);
    return 0;
}
