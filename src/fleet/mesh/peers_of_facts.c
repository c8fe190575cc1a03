/* SPDX-License-Identifier: MIT */
/* Makes a list of peers from the facts of hosts. */
#include "fleet/mesh/mesh.h"

#include "base/hash.h"

/* The first address of a family that isn't link-local; NULL if none. */
static const char *pick(struct arena *arena, const char *addresses, bool six)
{
    const char *at;
    for (size_t len; (at = fleet_next_item(&addresses, &len));) {
        bool colon = memchr(at, ':', len) != NULL;
        if (colon == six && !text_starts(at, "fe80:") && !text_starts(at, "169.254."))
            return arena_strndup(arena, at, strcspn(at, (char[]){ FLEET_ITEM, '/', '\0' }));
    }
    return NULL;
}

static const struct fleet_subject *subject_of(const struct slot *slot, const struct fleet_host *const *hosts,
                                              size_t h)
{
    return slot->members[h] == NO_SUBJECT ? NULL : &hosts[h]->subjects[slot->members[h]];
}

static const char *address_of(const struct fleet *fleet, struct arena *arena,
                              const struct fleet_subject *subject, bool six)
{
    return subject ? pick(arena, fleet_text(fleet, subject->values[fleet_fact(FACT_PORT, "addresses")]), six)
                   : NULL;
}

/* Hosts with addresses of only one family can only talk to each other in that family. */
static bool wants_six(const struct fleet *fleet, const struct slot *slot, const struct fleet_host *const *hosts,
                      size_t count, struct arena *arena)
{
    size_t four = 0, six = 0;
    for (size_t h = 0; h < count; h++) {
        four += address_of(fleet, arena, subject_of(slot, hosts, h), false) != NULL;
        six += address_of(fleet, arena, subject_of(slot, hosts, h), true) != NULL;
    }
    return six > four;
}

/* Words in the file are separated by blanks and limited in length. */
static const char *word(struct arena *arena, const char *text)
{
    char *safe = arena_strndup(arena, text, strnlen(text, PEERS_WORD_MOST));
    for (char *c = safe; *c; c++)
        if (*c <= ' ' || *c == 0x7f || strchr("\"'\\`$<>&;|#", *c))
            *c = '_';
    return *safe ? safe : "_";
}

static const char *device_of(const struct fleet *fleet, const struct fleet_subject *subject)
{
    const char *device = fleet_text(fleet, subject->values[fleet_fact(FACT_PORT, "device")]);
    return device && *device ? device : subject->name;
}

/* A line of the list; key: where it stands among those of its rail. */
struct line {
    const char *address, *host, *device, *rail;
    uint64_t key;
    size_t slot;
    fleet_value chassis, subnets;
};

struct lines {
    struct line *items;
    size_t count;
};

/* The same each time, and without likeness where addresses are alike. */
static uint64_t shuffled(uint64_t seed, const char *address)
{
    uint64_t key = seeded_hash(seed, address, strlen(address));
    for (int i = 0; i < 2; i++) {
        key = (key ^ key >> 32) * UINT64_C(0x9e3779b97f4a7c15);
        key ^= key >> 29;
    }
    return key;
}

static int compare_lines(const void *one, const void *other)
{
    const struct line *a = one, *b = other;
    int r = number_order(a->slot, b->slot);
    return r ? r : number_order(a->key, b->key);
}

static void add_rail(const struct fleet *fleet, const struct slot *slot, size_t number,
                     const struct fleet_host *const *hosts, size_t count, struct arena *arena,
                     struct lines *lines, struct plan_made *made)
{
    bool six = wants_six(fleet, slot, hosts, count, arena);
    const char *rail = word(arena, slot->name);
    size_t chassis = fleet_fact(FACT_PORT, "switch_chassis"), subnets = fleet_fact(FACT_PORT, "subnets");
    for (size_t h = 0; h < count; h++) {
        const struct fleet_subject *subject = subject_of(slot, hosts, h);
        const char *address = address_of(fleet, arena, subject, six);
        made->ports += subject && !address;
        if (address)
            *ARENA_PUSH_MANY(arena, lines->items,
                             lines->count) = (struct line){ address,
                                                            word(arena, hosts[h]->name),
                                                            word(arena, device_of(fleet, subject)),
                                                            rail,
                                                            lines->count,
                                                            number,
                                                            subject->values[chassis],
                                                            subject->values[subnets] };
    }
}

static void write_lines(const struct fleet *fleet, const struct lines *lines, struct arena *arena,
                        struct bytes *out, struct plan_made *made)
{
    bool lldp = false;
    for (size_t i = 0; i < lines->count; i++)
        lldp |= lines->items[i].chassis != FLEET_ABSENT;
    made->leaves_by = lldp ? "LLDP" : "subnets";
    for (size_t i = 0; i < lines->count; i++) {
        const struct line *line = &lines->items[i];
        const char *leaf = fleet_text(fleet, lldp ? line->chassis : line->subnets);
        peers_line(out, line->address, line->host, line->device, line->rail,
                   leaf && *leaf ? word(arena, leaf) : NULL);
    }
}

void plan_write(struct fleet *fleet, const struct fleet_host *const *hosts, size_t count,
                const struct plan_wish *wish, struct arena *arena, struct bytes *out, struct plan_made *made)
{
    struct alignment alignment = fleet_align(fleet, hosts, count, arena);
    struct lines lines = { 0 };
    bool all = text_is(wish->rails, "all");
    *made = (struct plan_made){ 0 };
    peers_head(out);
    if (all)
        bytes_printf(out, "rails all\n");
    if (wish->rounds)
        bytes_printf(out, "rounds %zu\n", wish->rounds);
    for (size_t s = 0; s < alignment.nslots; s++) {
        const struct slot *slot = &alignment.slots[s];
        if (!made->rails || !text_in_list(made->rails, slot->name))
            made->rails = made->rails ? arena_printf(arena, "%s,%s", made->rails, slot->name) : slot->name;
        if (all || !wish->rails || text_in_list(wish->rails, slot->name))
            add_rail(fleet, slot, s, hosts, count, arena, &lines, made);
    }
    for (size_t i = 0; wish->rounds && i < lines.count; i++) {
        lines.items[i].key = shuffled(all ? 0 : lines.items[i].slot, lines.items[i].address);
        lines.items[i].slot = all ? 0 : lines.items[i].slot;
    }
    if (lines.count)
        qsort(lines.items, lines.count, sizeof(*lines.items), compare_lines);
    made->peers = lines.count;
    if (lines.count)
        write_lines(fleet, &lines, arena, out, made);
}

/* -- what a sample covers -------------------------------------------------------------------------------- */

enum { LEAVES_MOST = 1 << 13 };
enum meeting { MEETING_NONE, MEETING_WANTED, MEETING_DONE };

/* The meeting of leaves a and b, in a table of all. */
static uint8_t *meeting_of(const struct peers *peers, uint8_t *meetings, uint32_t a, uint32_t b)
{
    return &meetings[(size_t)(a < b ? a : b) * (peers->nleaves + 1) + (a < b ? b : a)];
}

/* Leaves of a rail are to meet. Returns how many pairs there are. */
static size_t want_meetings(const struct peers *peers, uint8_t *meetings)
{
    uint32_t *leaves = mem_alloc(peers->nleaves + 1, sizeof(*leaves));
    size_t *seen = mem_alloc(peers->nleaves + 1, sizeof(*seen)),
           pairs = 0; /* seen: on which rail last, from 1 */
    for (size_t rail = 0, end; rail < peers->count; rail = end) {
        size_t count = 0;
        end = rail + peers->items[peers->members[rail]].together;
        for (size_t i = rail; i < end; i++) {
            uint32_t leaf = peers->items[peers->members[i]].leaves;
            if (leaf && seen[leaf] != end)
                leaves[count++] = leaf;
            seen[leaf] = end;
        }
        for (size_t a = 0; a < count; a++)
            for (size_t b = 0; b < a; b++) {
                uint8_t *meeting = meeting_of(peers, meetings, leaves[a], leaves[b]);
                pairs += *meeting == MEETING_NONE;
                *meeting = MEETING_WANTED;
            }
    }
    free(leaves);
    free(seen);
    return pairs;
}

void plan_cover(const struct peers *peers, struct plan_made *made)
{
    bool *paired = mem_alloc(peers->count + 1, sizeof(*paired)), known = peers->nleaves > peers->nrails &&
                                                                         peers->nleaves <= peers->count / 2 &&
                                                                         peers->nleaves < LEAVES_MOST;
    uint8_t *meetings = mem_alloc(known ? (peers->nleaves + 1) * (peers->nleaves + 1) : 1, 1);
    made->leaves_by = known ? made->leaves_by : NULL;
    made->alone = peers->count;
    made->unmet = made->pairs = known ? want_meetings(peers, meetings) : 0;
    for (size_t round = 0; round < peers->rounds && (made->unmet || made->alone); round++)
        for (size_t i = 0; i < peers->count; i++) {
            int partner = peers_partner(peers, i, round);
            if (partner == PEERS_NOBODY)
                continue;
            made->alone -= !paired[i];
            paired[i] = true;
            uint32_t a = peers->items[i].leaves, b = peers->items[partner].leaves;
            uint8_t *meeting = known ? meeting_of(peers, meetings, a, b) : meetings;
            made->unmet -= *meeting == MEETING_WANTED;
            *meeting = *meeting == MEETING_WANTED ? MEETING_DONE : *meeting;
        }
    free(meetings);
    free(paired);
}
