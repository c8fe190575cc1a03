/* SPDX-License-Identifier: MIT */
/* Which devices and ports of many hosts correspond to each other. */
#include "fleet/compare.h"

/* What a subject is recognised by: facts, of which the first three tell nothing if they aren't known, and its
 * place among those of its model on the host, by PCI address. */
enum { SUBNETS, PCI, NAME, MODEL, PORT, FACTS, ORDER = FACTS, MARKS };

struct marks {
    uint32_t at[MARKS];
};

struct aligning {
    const struct fleet *fleet;
    const struct fleet_host *const *hosts;
    size_t count;
    struct arena *arena;
    struct alignment out;
    struct marks *marks; /* of the slots */
    size_t facts[FACTS];
};

static struct marks marks_of(const struct aligning *a, const struct fleet_host *host, size_t i)
{
    struct marks marks = { 0 };
    for (size_t mark = 0; mark < FACTS; mark++)
        marks.at[mark] = host->subjects[i].values[a->facts[mark]];
    const char *subnets = fleet_text(a->fleet, marks.at[SUBNETS]), *own = fleet_text(a->fleet, marks.at[PCI]);
    if (subnets && !*subnets)
        marks.at[SUBNETS] = FLEET_ABSENT;
    for (size_t other = 0; other < host->nsubjects; other++) {
        const fleet_value *theirs = host->subjects[other].values;
        if (other == i || theirs[a->facts[MODEL]] != marks.at[MODEL])
            continue;
        const char *pci = fleet_text(a->fleet, theirs[a->facts[PCI]]);
        int r = pci && own ? strcmp(pci, own) : 0;
        marks.at[ORDER] += r < 0 || (r == 0 && other < i);
    }
    return marks;
}

/* -- a host's subjects and the slots ------------------------------------------------------------------- */

#define BY(mark) (1u << (mark))
enum { ANY = BY(MARKS) }; /* of several slots that fit, the first one */

/* The ways to recognise a subject, in turn. Of two ports in one subnet, the one that is where it should be goes
 * first. */
static const unsigned ways[] = { BY(SUBNETS) | BY(PCI) | BY(MODEL) | BY(PORT),
                                 BY(SUBNETS),
                                 BY(PCI) | BY(MODEL) | BY(PORT),
                                 BY(NAME) | BY(MODEL) | BY(PORT),
                                 BY(MODEL) | BY(ORDER),
                                 BY(MODEL) | ANY,
                                 BY(NAME) | BY(PORT), /* another model in its place */
                                 ANY };

static bool fits(unsigned way, const struct marks *slot, const struct marks *subject)
{
    for (unsigned mark = 0; mark < MARKS; mark++)
        if (way & BY(mark) &&
            (slot->at[mark] != subject->at[mark] || (mark < MODEL && slot->at[mark] == FLEET_ABSENT)))
            return false;
    return true;
}

/* The only slot that fits the subject and is still free on the host; NO_SUBJECT if none, or several. */
static int free_slot(const struct aligning *a, size_t h, unsigned way, const struct marks *marks)
{
    int found = NO_SUBJECT;
    for (size_t s = 0; s < a->out.nslots; s++) {
        if (a->out.slots[s].members[h] != NO_SUBJECT || !fits(way, &a->marks[s], marks))
            continue;
        if (way & ANY)
            return (int)s;
        if (found != NO_SUBJECT)
            return NO_SUBJECT;
        found = (int)s;
    }
    return found;
}

static void put(struct aligning *a, size_t s, size_t h, size_t subject)
{
    a->out.slots[s].members[h] = (int16_t)subject;
    a->out.slots[s].count++;
}

static void add_slot(struct aligning *a, size_t h, size_t subject, const struct marks *marks)
{
    if (a->out.nslots == SLOTS_MOST)
        return;
    if (a->out.nslots % 64 == 0)
        a->marks = mem_resize(a->marks, a->out.nslots + 64, sizeof(*a->marks));
    a->marks[a->out.nslots] = *marks;
    struct slot *slot = ARENA_PUSH(a->arena, a->out.slots, a->out.nslots);
    slot->members = arena_alloc(a->arena, a->count, sizeof(*slot->members));
    for (size_t i = 0; i < a->count; i++)
        slot->members[i] = NO_SUBJECT;
    slot->name = a->hosts[h]->subjects[subject].name;
    put(a, a->out.nslots - 1, h, subject);
}

/* Places a host's subjects: tries each way for those not placed yet. */
static void place_host(struct aligning *a, size_t h)
{
    const struct fleet_host *host = a->hosts[h];
    bool placed[FLEET_PORTS_MOST * 2] = { false };
    struct marks *marks = mem_alloc(host->nsubjects + 1, sizeof(*marks));
    for (size_t i = 0; i < host->nsubjects; i++)
        marks[i] = marks_of(a, host, i);
    for (size_t way = 0; way < ARRAY_SIZE(ways); way++)
        for (size_t i = 0; i < host->nsubjects; i++) {
            int s = placed[i] ? NO_SUBJECT : free_slot(a, h, ways[way], &marks[i]);
            placed[i] |= s != NO_SUBJECT;
            if (s != NO_SUBJECT)
                put(a, (size_t)s, h, i);
        }
    for (size_t i = 0; i < host->nsubjects; i++)
        if (!placed[i])
            add_slot(a, h, i, &marks[i]);
    free(marks);
}

/* -- what most have ------------------------------------------------------------------------------------ */

/* The value that most of a slot's hosts have, if more than one has it. */
static fleet_value most_common(const struct aligning *a, const struct slot *slot, size_t fact)
{
    size_t most = 1;
    fleet_value best = FLEET_ABSENT;
    struct fleet_rows rows = { 0 };
    for (size_t h = 0; h < a->count; h++)
        if (slot->members[h] != NO_SUBJECT) {
            fleet_value value = a->hosts[h]->subjects[slot->members[h]].values[fact];
            const char *text = fleet_text(a->fleet, value);
            if (text && *text)
                rows_add(&rows, (struct fleet_row){ .value = value });
        }
    rows_sort(&rows);
    for (size_t i = 0, count; i < rows.count; i += count) {
        count = rows_alike(&rows.items[i], rows.count - i);
        best = count > most ? rows.items[i].value : best;
        most = count > most ? count : most;
    }
    free(rows.items);
    return best;
}

/* Slots came from the first host that had them: sets them to what most have, and empties them, so that
 * everything can be placed anew. */
static void reset_slots(struct aligning *a)
{
    for (size_t s = 0; s < a->out.nslots; s++) {
        struct slot *slot = &a->out.slots[s];
        for (size_t mark = SUBNETS; mark <= NAME; mark++) {
            fleet_value most = most_common(a, slot, a->facts[mark]);
            a->marks[s].at[mark] = most || mark == SUBNETS ? most : a->marks[s].at[mark];
        }
        slot->subnets = a->marks[s].at[SUBNETS];
        for (size_t other = 0; other < s; other++) /* two rails on one subnet: it can't tell them apart */
            if (a->out.slots[other].subnets == slot->subnets)
                a->marks[s].at[SUBNETS] = FLEET_ABSENT;
        slot->count = 0;
        for (size_t h = 0; h < a->count; h++)
            slot->members[h] = NO_SUBJECT;
    }
}

static const char *name_of(const struct aligning *a, size_t s)
{
    const struct slot *slot = &a->out.slots[s];
    for (size_t h = 0; h < a->count; h++)
        if (slot->members[h] != NO_SUBJECT) {
            const struct fleet_subject *subject = &a->hosts[h]->subjects[slot->members[h]];
            if (subject->values[a->facts[NAME]] == a->marks[s].at[NAME])
                return subject->name;
        }
    return slot->name;
}

static int compare_slots(const void *one, const void *other)
{
    const struct slot *a = one, *b = other;
    return text_version_compare(a->name, b->name);
}

/* Starts with the host whose ports match most others', so that the odd one out defines nothing. */
static size_t first_host(const struct aligning *a)
{
    size_t best = 0, most = 0, look = a->count < 64 ? a->count : 64;
    for (size_t i = 0; i < look; i++) {
        size_t same = 0;
        for (size_t other = 0; other < look; other++) {
            const struct fleet_host *x = a->hosts[i], *y = a->hosts[other];
            bool equal = x->nsubjects == y->nsubjects;
            for (size_t s = 0; equal && s < x->nsubjects; s++)
                for (size_t mark = PCI; equal && mark <= MODEL; mark++)
                    equal = x->subjects[s].values[a->facts[mark]] == y->subjects[s].values[a->facts[mark]];
            same += equal;
        }
        if (same > most) {
            most = same;
            best = i;
        }
    }
    return best;
}

struct alignment fleet_align(const struct fleet *fleet, const struct fleet_host *const *hosts, size_t count,
                             struct arena *arena)
{
    struct aligning a = { .fleet = fleet,
                          .hosts = hosts,
                          .count = count,
                          .arena = arena,
                          .facts = { [SUBNETS] = fleet_fact(FACT_PORT, "subnets"),
                                     [PCI] = fleet_fact(FACT_DEVICE, "pci"),
                                     [NAME] = fleet_fact(FACT_PORT, "device"),
                                     [MODEL] = fleet_fact(FACT_DEVICE, "hca_type"),
                                     [PORT] = fleet_fact(FACT_PORT, "port") } };
    if (count == 0)
        return a.out;
    size_t first = first_host(&a);
    place_host(&a, first);
    for (size_t h = 0; h < count; h++)
        if (h != first)
            place_host(&a, h);
    reset_slots(&a);
    for (size_t h = 0; h < count; h++)
        place_host(&a, h);
    for (size_t s = 0; s < a.out.nslots; s++)
        a.out.slots[s].name = name_of(&a, s);
    if (a.out.nslots)
        qsort(a.out.slots, a.out.nslots, sizeof(*a.out.slots), compare_slots);
    free(a.marks);
    return a.out;
}
