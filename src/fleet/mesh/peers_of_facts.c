/* SPDX-License-Identifier: MIT */
/* Makes a list of peers from the facts of hosts. */
#include "fleet/mesh/mesh.h"

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
    char *safe = arena_strndup(arena, text, PEERS_WORD_MOST);
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

void plan_write(struct fleet *fleet, const struct fleet_host *const *hosts, size_t count, bool all_rails,
                struct arena *arena, struct bytes *out, struct plan_left *left)
{
    struct alignment alignment = fleet_align(fleet, hosts, count, arena);
    *left = (struct plan_left){ 0 };
    peers_head(out);
    if (all_rails)
        bytes_printf(out, "rails all\n");
    for (size_t s = 0; s < alignment.nslots; s++) {
        const struct slot *slot = &alignment.slots[s];
        bool six = wants_six(fleet, slot, hosts, count, arena);
        for (size_t h = 0; h < count; h++) {
            const struct fleet_subject *subject = subject_of(slot, hosts, h);
            const char *address = address_of(fleet, arena, subject, six);
            left->ports += subject && !address;
            left->peers += address != NULL;
            if (address)
                peers_line(out, address, word(arena, hosts[h]->name), word(arena, device_of(fleet, subject)),
                           word(arena, slot->name));
        }
    }
}
