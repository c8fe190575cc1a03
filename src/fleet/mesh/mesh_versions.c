/* SPDX-License-Identifier: MIT */
/* Which hosts of a mesh run another roce than most. */
#include "fleet/mesh/mesh.h"

struct versioned {
    const char *version;
    uint32_t peer;
};

static int by_version(const void *one, const void *other)
{
    const struct versioned *a = one, *b = other;
    int order = text_version_compare(a->version, b->version);
    return order ? order : number_order(a->peer, b->peer);
}

/* Up to where they have the same version. */
static size_t end_of_version(const struct versioned *all, size_t count, size_t begin)
{
    size_t end = begin + 1;
    while (end < count && strcmp(all[end].version, all[begin].version) == 0)
        end++;
    return end;
}

void mesh_judge_versions(const struct peers *peers, const struct mesh_heard *heard, struct arena *arena,
                         struct mesh_verdicts *out)
{
    struct versioned *all = mem_alloc(peers->count + 1, sizeof(*all));
    bool *seen = mem_alloc(peers->nhosts + 1, sizeof(*seen));
    size_t count = 0, usual = 0, most = 0;
    for (size_t p = 0; p < peers->count; p++)
        if (heard[p].version && !seen[peers->items[p].hosts]) {
            seen[peers->items[p].hosts] = true;
            all[count++] = (struct versioned){ heard[p].version, (uint32_t)p };
        }
    qsort(all, count, sizeof(*all), by_version);
    for (size_t begin = 0, end; begin < count; begin = end) {
        end = end_of_version(all, count, begin);
        if (end - begin >= most) {
            most = end - begin;
            usual = begin;
        }
    }
    for (size_t begin = 0, end; begin < count; begin = end) {
        end = end_of_version(all, count, begin);
        if (begin == usual)
            continue;
        uint32_t *members = arena_alloc(arena, end - begin, sizeof(*members));
        for (size_t i = begin; i < end; i++)
            members[i - begin] = all[i].peer;
        *ARENA_PUSH_MANY(arena, out->odd, out->nodd) = (struct mesh_odd){ .kind = ODD_VERSION,
                                                                          .to = members,
                                                                          .nto = end - begin,
                                                                          .version = all[begin].version,
                                                                          .usual_version = all[usual].version };
    }
    free(seen);
    free(all);
}
