/* SPDX-License-Identifier: MIT */
/* Which of many hosts' cables end in the wrong switch or switch port. */
#include "fleet/cables.h"

enum {
    MOST_OBEY = 90,  /* percent of hosts that a rule must fit before it judges the others */
    FEW_HOSTS = 5,   /* fewer don't show an order */
    FEW_RAILS = 3,   /* fewer don't show that a host has one port everywhere */
    MUCH_LARGER = 4, /* hosts that differ alike are a unit of their own unless another is so much larger */
    NUMBERS = 4,     /* in a port's name */
    TRIED = 64,      /* units that share a switch with a host */
    NEAR = 2,        /* places away: a slip of the hand, not a host that was replaced */
    NO_UNIT = -1,
};

/* Hosts that are cabled to the same switches, rail by rail: a scalable unit, a pod, a rack. */
struct unit {
    const fleet_value *chassis; /* by rail */
    size_t count;
    bool same_port; /* its hosts have one port number on all their rails */
};

struct cabling {
    struct findings *findings;
    const struct fleet_report *report;
    size_t nrails;
    /* Where cables end, by host, then rail: chassis, and port there. FLEET_ABSENT: not known. */
    fleet_value *vectors, *sockets;
    size_t names, ports; /* facts */
    struct unit *units;
    size_t nunits;
    struct entry *entries;
    size_t nentries;
    int *unit_of; /* by host */
    bool *told;   /* by host, then rail: a finding names it */
};

static fleet_value port_of(const struct cabling *c, size_t host, size_t rail)
{
    return c->sockets[host * c->nrails + rail];
}

static const fleet_value *vector_of(const struct cabling *c, size_t host)
{
    return &c->vectors[host * c->nrails];
}

static void collect(struct cabling *c)
{
    size_t chassis = fleet_fact(FACT_PORT, "switch_chassis");
    for (size_t h = 0; h < c->report->nhosts; h++)
        for (size_t r = 0; r < c->nrails; r++) {
            int member = c->report->alignment.slots[r].members[h];
            if (member == NO_SUBJECT)
                continue;
            const fleet_value *values = c->report->hosts[h]->subjects[member].values;
            c->vectors[h * c->nrails + r] = values[chassis];
            c->sockets[h * c->nrails + r] = values[c->ports];
        }
}

/* -- units ------------------------------------------------------------------------------------------------- */

struct order {
    const fleet_value *vector;
    uint32_t host;
    size_t nrails;
};

static int compare_vectors(const void *one, const void *other)
{
    const struct order *a = one, *b = other;
    int r = memcmp(a->vector, b->vector, a->nrails * sizeof(*a->vector));
    return r ? r : number_order(a->host, b->host);
}

static int larger_first(const void *one, const void *other)
{
    const struct unit *a = one, *b = other;
    return number_order(b->count, a->count);
}

/* Does the vector share most of the rails that are known of both, but not all? */
static bool shares_most(const struct cabling *c, const fleet_value *vector, const struct unit *unit,
                        size_t *same)
{
    size_t known = 0;
    *same = 0;
    for (size_t r = 0; r < c->nrails; r++) {
        known += vector[r] && unit->chassis[r];
        *same += vector[r] && vector[r] == unit->chassis[r];
    }
    return *same * 2 > known;
}

/* Which unit has which switch on which rail, to find those that share one with a host. */
struct entry {
    fleet_value chassis;
    uint32_t rail, unit;
};

static int compare_entries(const void *one, const void *other)
{
    const struct entry *a = one, *b = other;
    int r = number_order(a->chassis, b->chassis);
    r = r ? r : number_order(a->rail, b->rail);
    return r ? r : number_order(a->unit, b->unit);
}

static void index_units(struct cabling *c)
{
    c->entries = mem_alloc(c->nunits * c->nrails + 1, sizeof(*c->entries));
    for (size_t u = 0; u < c->nunits; u++)
        for (size_t r = 0; r < c->nrails; r++)
            if (c->units[u].chassis[r])
                c->entries[c->nentries++] = (struct entry){ c->units[u].chassis[r], (uint32_t)r, (uint32_t)u };
    qsort(c->entries, c->nentries, sizeof(*c->entries), compare_entries);
}

/* The first entry of a switch on a rail. */
static size_t find_entry(const struct cabling *c, fleet_value chassis, size_t rail)
{
    const struct entry wanted = { chassis, (uint32_t)rail, 0 };
    size_t low = 0, high = c->nentries;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_entries(&c->entries[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The unit that shares the most rails with the vector, of those before the end and of at least so many hosts;
 * NO_UNIT if none shares most. */
static int nearest_unit(const struct cabling *c, const fleet_value *vector, size_t end, size_t least)
{
    size_t best = 0, same;
    int found = NO_UNIT;
    for (size_t r = 0; r < c->nrails; r++) {
        size_t tried = 0, i = vector[r] ? find_entry(c, vector[r], r) : c->nentries;
        for (;
             i < c->nentries && c->entries[i].chassis == vector[r] && c->entries[i].rail == r && tried < TRIED;
             i++) {
            const struct unit *unit = &c->units[c->entries[i].unit];
            tried++;
            if (c->entries[i].unit < end && unit->count >= least && shares_most(c, vector, unit, &same) &&
                same > best) {
                best = same;
                found = (int)c->entries[i].unit;
            }
        }
    }
    return found;
}

static bool is_empty(const struct cabling *c, const fleet_value *vector)
{
    for (size_t r = 0; r < c->nrails; r++)
        if (vector[r])
            return false;
    return true;
}

/* Vectors that several hosts have are units, the largest first; but a few hosts that share most rails with a
 * much larger unit are cabled wrong alike. */
static void find_units(struct cabling *c)
{
    size_t nhosts = c->report->nhosts;
    struct order *orders = mem_alloc(nhosts + 1, sizeof(*orders));
    for (size_t h = 0; h < nhosts; h++)
        orders[h] = (struct order){ vector_of(c, h), (uint32_t)h, c->nrails };
    qsort(orders, nhosts, sizeof(*orders), compare_vectors);
    for (size_t i = 0, end; i < nhosts; i = end) {
        for (end = i + 1; end < nhosts && memcmp(orders[end].vector, orders[i].vector,
                                                 c->nrails * sizeof(*orders[i].vector)) == 0;)
            end++;
        if (end - i > 1 && !is_empty(c, orders[i].vector))
            *ARENA_PUSH_MANY(c->findings->arena, c->units, c->nunits) = (struct unit){ orders[i].vector,
                                                                                       end - i, false };
    }
    free(orders);
    if (c->nunits)
        qsort(c->units, c->nunits, sizeof(*c->units), larger_first);
    index_units(c);
    for (size_t u = 0; u < c->nunits; u++)
        if (nearest_unit(c, c->units[u].chassis, u, MUCH_LARGER * c->units[u].count) != NO_UNIT)
            c->units[u].count = 0;
    for (size_t h = 0; h < nhosts; h++)
        c->unit_of[h] = nearest_unit(c, vector_of(c, h), c->nunits, 1);
    free(c->entries);
}

/* -- findings ---------------------------------------------------------------------------------------------- */

static const char *text_of(const struct cabling *c, fleet_value value)
{
    const char *text = fleet_text(c->findings->fleet, value);
    return text ? text : "?";
}

/* What people call a switch: the name that a plug in it has. */
static const char *switch_name(const struct cabling *c, fleet_value chassis, size_t rail)
{
    for (size_t h = 0; h < c->report->nhosts; h++)
        if (vector_of(c, h)[rail] == chassis) {
            int member = c->report->alignment.slots[rail].members[h];
            return text_of(c, c->report->hosts[h]->subjects[member].values[c->names]);
        }
    return text_of(c, chassis);
}

/* "gpu05 mlx5_0/1 in leaf1 swp5s0" */
static const char *plug_text(const struct cabling *c, size_t host, size_t rail)
{
    const struct fleet_host *fleet_host = c->report->hosts[host];
    const struct fleet_subject *subject = &fleet_host->subjects[c->report->alignment.slots[rail].members[host]];
    return arena_printf(c->findings->arena, "%s %s in %s %s", fleet_host->name, subject->name,
                        text_of(c, subject->values[c->names]), text_of(c, subject->values[c->ports]));
}

static void tell(struct cabling *c, const char *key, const char *text, size_t rail, size_t host, size_t other)
{
    const struct fleet_rule *rule = fleet_rule(FACT_PORT, key);
    struct fleet_group *group = arena_alloc(c->findings->arena, 1, sizeof(*group));
    uint32_t *members = arena_alloc(c->findings->arena, 2, sizeof(*members));
    members[0] = (uint32_t)(host < other ? host : other);
    members[1] = (uint32_t)(host < other ? other : host);
    *group = (struct fleet_group){
        .value = text, .members = members, .count = host == other ? 1 : 2, .odd = true
    };
    findings_add(c->findings, rule, rule->key, c->report->alignment.slots[rail].name, group, 1, 0);
    c->told[host * c->nrails + rail] = c->told[other * c->nrails + rail] = true;
}

static void tell_swapped(struct cabling *c, size_t host, size_t rail, size_t other, size_t other_rail)
{
    tell(c, "cables",
         arena_printf(c->findings->arena, "swapped: %s, and %s: each belongs where the other is",
                      plug_text(c, host, rail), plug_text(c, other, other_rail)),
         rail, host, other);
    c->told[other * c->nrails + other_rail] = true;
}

/* -- the wrong switch ------------------------------------------------------------------------------------- */

/* Where the plug should be, if it is known to be elsewhere; FLEET_ABSENT: it is right, or nothing says. */
static fleet_value missed_switch(const struct cabling *c, size_t host, size_t rail)
{
    int unit = c->unit_of[host];
    fleet_value should = unit == NO_UNIT ? FLEET_ABSENT : c->units[unit].chassis[rail],
                is = vector_of(c, host)[rail];
    return should && is && is != should ? should : FLEET_ABSENT;
}

static bool tell_if_swapped(struct cabling *c, size_t host, size_t rail, fleet_value should)
{
    fleet_value is = vector_of(c, host)[rail];
    for (size_t r = rail + 1; r < c->nrails; r++)
        if (missed_switch(c, host, r) == is && vector_of(c, host)[r] == should) {
            tell_swapped(c, host, rail, host, r);
            return true;
        }
    for (size_t h = host + 1; h < c->report->nhosts; h++)
        if (missed_switch(c, h, rail) == is && vector_of(c, h)[rail] == should &&
            !c->told[h * c->nrails + rail]) {
            tell_swapped(c, host, rail, h, rail);
            return true;
        }
    return false;
}

static void judge_switches(struct cabling *c)
{
    for (size_t h = 0; h < c->report->nhosts; h++)
        for (size_t r = 0; r < c->nrails; r++) {
            fleet_value should = c->told[h * c->nrails + r] ? FLEET_ABSENT : missed_switch(c, h, r);
            if (should && !tell_if_swapped(c, h, r, should))
                tell(c, "cables",
                     arena_printf(c->findings->arena, "%s, the others of its unit in %s", plug_text(c, h, r),
                                  switch_name(c, should, r)),
                     r, h, h);
        }
}

/* -- one port everywhere ---------------------------------------------------------------------------------- */

static bool is_in_place(const struct cabling *c, size_t host, size_t rail)
{
    fleet_value chassis = vector_of(c, host)[rail];
    int unit = c->unit_of[host];
    return unit != NO_UNIT && port_of(c, host, rail) && chassis && chassis == c->units[unit].chassis[rail];
}

/* The port that most of a host's rails have, *nothers don't; FLEET_ABSENT if no port has most, or too few are
 * known. */
static fleet_value usual_port(const struct cabling *c, size_t host, size_t *nothers)
{
    size_t known = 0, best = 0;
    fleet_value usual = FLEET_ABSENT;
    for (size_t r = 0; r < c->nrails; r++) {
        size_t same = 0;
        known += is_in_place(c, host, r);
        for (size_t other = 0; is_in_place(c, host, r) && other < c->nrails; other++)
            same += is_in_place(c, host, other) && port_of(c, host, other) == port_of(c, host, r);
        if (same > best) {
            best = same;
            usual = port_of(c, host, r);
        }
    }
    *nothers = known - best;
    return known >= FEW_RAILS && best * 2 > known ? usual : FLEET_ABSENT;
}

/* Do a unit's rails end in different switches, at one port on each? */
static void find_same_ports(struct cabling *c)
{
    for (size_t u = 0; u < c->nunits; u++) {
        size_t hosts = 0, obey = 0, nothers;
        bool differ = true;
        for (size_t r = 0; r < c->nrails; r++)
            for (size_t other = 0; other < r; other++)
                differ &= !c->units[u].chassis[r] || c->units[u].chassis[r] != c->units[u].chassis[other];
        for (size_t h = 0; h < c->report->nhosts && differ; h++)
            if (c->unit_of[h] == (int)u) {
                hosts++;
                obey += usual_port(c, h, &nothers) && nothers <= 1;
            }
        c->units[u].same_port = hosts && obey * 100 >= hosts * MOST_OBEY;
    }
}

/* A host whose usual port is the one that this plug has, and whose plug on the rail has this host's: swapped.
 */
static bool tell_ports_swapped(struct cabling *c, size_t host, size_t rail, fleet_value usual)
{
    size_t nothers;
    for (size_t h = host + 1; h < c->report->nhosts; h++)
        if (c->unit_of[h] == c->unit_of[host] && is_in_place(c, h, rail) && port_of(c, h, rail) == usual &&
            usual_port(c, h, &nothers) == port_of(c, host, rail)) {
            tell_swapped(c, host, rail, h, rail);
            return true;
        }
    return false;
}

static void judge_same_ports(struct cabling *c)
{
    size_t nothers;
    for (size_t h = 0; h < c->report->nhosts; h++) {
        int unit = c->unit_of[h];
        fleet_value usual = unit != NO_UNIT && c->units[unit].same_port ? usual_port(c, h, &nothers)
                                                                        : FLEET_ABSENT;
        for (size_t r = 0; usual && r < c->nrails; r++)
            if (is_in_place(c, h, r) && port_of(c, h, r) != usual && !c->told[h * c->nrails + r] &&
                !tell_ports_swapped(c, h, r, usual))
                tell(c, "cables",
                     arena_printf(c->findings->arena, "%s, its other rails in %s of their switches",
                                  plug_text(c, h, r), text_of(c, usual)),
                     r, h, h);
    }
}

/* -- the order of hosts ----------------------------------------------------------------------------------- */

/* A host on one switch and rail: its number, and its port's. */
struct place {
    uint32_t host;
    int unit;
    size_t prefix; /* of its name, before the number */
    int64_t number, port;
    unsigned numbers[NUMBERS];
    size_t count;
};

static size_t read_numbers(const char *text, unsigned numbers[static NUMBERS])
{
    size_t count = 0;
    for (const char *at = text; *at;) {
        if (!isdigit((unsigned char)*at)) {
            at++;
            continue;
        }
        char *end;
        unsigned long number = strtoul(at, &end, 10);
        if (count == NUMBERS || number > UINT16_MAX)
            return 0;
        numbers[count++] = (unsigned)number;
        at = end;
    }
    return count;
}

/* The number at the end of a host's short name, and how much is before it. */
static bool read_host_number(const char *name, int64_t *number, size_t *prefix)
{
    size_t len = strcspn(name, ".");
    *prefix = len;
    while (*prefix && isdigit((unsigned char)name[*prefix - 1]))
        --*prefix;
    *number = *prefix < len && len - *prefix < 9 ? strtol(name + *prefix, NULL, 10) : 0;
    return *prefix < len && len - *prefix < 9;
}

/* Cages and lanes as one number: each part counts as many as its largest. */
static void number_ports(struct place *places, size_t count)
{
    unsigned most[NUMBERS] = { 0 };
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < places[i].count; k++)
            most[k] = places[i].numbers[k] > most[k] ? places[i].numbers[k] : most[k];
    for (size_t i = 0; i < count; i++) {
        places[i].port = 0;
        for (size_t k = 0; k < places[i].count; k++)
            places[i].port = places[i].port * (most[k] + 1) + places[i].numbers[k];
    }
}

static int compare_integers(const void *one, const void *other)
{
    const int64_t *a = one, *b = other;
    return *a < *b ? -1 : *a > *b;
}

/* The most frequent number; *times: how often. Sorts them. */
static int64_t most_frequent(int64_t *numbers, size_t count, size_t *times)
{
    int64_t best = 0;
    *times = 0;
    qsort(numbers, count, sizeof(*numbers), compare_integers);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && numbers[end] == numbers[i];)
            end++;
        if (end - i > *times) {
            *times = end - i;
            best = numbers[i];
        }
    }
    return best;
}

/* A unit's places, of those at i on: where the next unit's begin. */
static size_t unit_end(const struct place *places, size_t count, size_t i)
{
    size_t end = i + 1;
    while (end < count && places[end].unit == places[i].unit)
        end++;
    return end;
}

/* The step from one host's port to the next one's that is the most frequent; 0: none. */
static int64_t find_step(const struct place *places, size_t count, int64_t *numbers)
{
    size_t steps = 0, times;
    for (size_t i = 1; i < count; i++) {
        int64_t hosts = places[i].number - places[i - 1].number, ports = places[i].port - places[i - 1].port;
        if (places[i].unit == places[i - 1].unit && hosts > 0 && ports && ports % hosts == 0)
            numbers[steps++] = ports / hosts;
    }
    return most_frequent(numbers, steps, &times);
}

/* Where a unit begins: port = step * number + this, as most of its places have it. *times: how many. */
static int64_t find_first(const struct place *places, size_t count, int64_t step, int64_t *numbers,
                          size_t *times)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = places[i].port - step * places[i].number;
    return most_frequent(numbers, count, times);
}

static void judge_place(struct cabling *c, const struct place *places, size_t count, size_t i, size_t rail,
                        int64_t step, int64_t first)
{
    int64_t should = step * places[i].number + first, away = (places[i].port - should) / step;
    if (places[i].port == should || c->told[places[i].host * c->nrails + rail])
        return;
    for (size_t k = i + 1; k < count; k++)
        if (places[k].port == should && step * places[k].number + first == places[i].port) {
            tell_swapped(c, places[i].host, rail, places[k].host, rail);
            return;
        }
    tell(c, away >= -NEAR && away <= NEAR ? "cables" : "cable_order",
         arena_printf(c->findings->arena, "%s, out of the order of its unit: %" PRId64 " place%s %s",
                      plug_text(c, places[i].host, rail), away < 0 ? -away : away,
                      away == 1 || away == -1 ? "" : "s", away < 0 ? "before its own" : "behind its own"),
         rail, places[i].host, places[i].host);
}

/* Judges units' places by the order that most of them have. False if there is none. */
static bool judge_places(struct cabling *c, const struct place *places, size_t count, size_t rail)
{
    int64_t *numbers = mem_alloc(count + 1, sizeof(*numbers)), step = find_step(places, count, numbers);
    size_t obey = 0, times;
    for (size_t i = 0; i < count; i = unit_end(places, count, i)) {
        find_first(places + i, unit_end(places, count, i) - i, step, numbers, &times);
        obey += times;
    }
    bool is_order = count >= FEW_HOSTS && step && obey * 100 >= count * MOST_OBEY;
    for (size_t i = 0, end; is_order && i < count; i = end) {
        end = unit_end(places, count, i);
        int64_t first = find_first(places + i, end - i, step, numbers, &times);
        for (size_t k = i; times > 1 && k < end; k++)
            judge_place(c, places + i, end - i, k - i, rail, step, first);
    }
    free(numbers);
    return is_order;
}

static int compare_places(const void *one, const void *other)
{
    const struct place *a = one, *b = other;
    int r = number_order((uint64_t)a->unit, (uint64_t)b->unit); /* neither is below 0 */
    return r ? r : number_order((uint64_t)a->number, (uint64_t)b->number);
}

/* The hosts on one rail whose names and ports have numbers, alike in a unit. */
static size_t find_places(const struct cabling *c, size_t rail, struct place *places)
{
    size_t count = 0,
           *first = mem_alloc(c->nunits + 1, sizeof(*first)); /* of each unit, and one; 0: none yet */
    for (size_t h = 0; h < c->report->nhosts; h++) {
        struct place *place = &places[count];
        const char *name = c->report->hosts[h]->name;
        if (!is_in_place(c, h, rail) || !read_host_number(name, &place->number, &place->prefix))
            continue;
        place->host = (uint32_t)h;
        place->unit = c->unit_of[h];
        place->count = read_numbers(text_of(c, port_of(c, h, rail)), place->numbers);
        size_t *known = &first[place->unit];
        const struct place *like = *known ? &places[*known - 1] : place;
        if (!place->count || place->count != like->count || place->prefix != like->prefix ||
            strncmp(name, c->report->hosts[like->host]->name, place->prefix) != 0)
            continue;
        count++;
        *known = *known ? *known : count;
    }
    free(first);
    number_ports(places, count);
    qsort(places, count, sizeof(*places), compare_places);
    return count;
}

/* By the order that all units have in common, which small ones don't show; else each by its own. */
static void judge_order(struct cabling *c)
{
    struct place *places = mem_alloc(c->report->nhosts + 1, sizeof(*places));
    for (size_t r = 0; r < c->nrails; r++) {
        size_t count = find_places(c, r, places);
        bool in_common = judge_places(c, places, count, r);
        for (size_t i = 0; !in_common && i < count; i = unit_end(places, count, i))
            judge_places(c, places + i, unit_end(places, count, i) - i, r);
    }
    free(places);
}

void cables_judge(struct findings *findings)
{
    const struct fleet_report *report = findings->report;
    size_t nrails = report->alignment.nslots, count = report->nhosts * nrails;
    if (!count || !findings_wants(findings, "cables"))
        return;
    struct cabling c = { .findings = findings,
                         .report = report,
                         .nrails = nrails,
                         .vectors = mem_alloc(count, sizeof(*c.vectors)),
                         .sockets = mem_alloc(count, sizeof(*c.sockets)),
                         .names = fleet_fact(FACT_PORT, "switch"),
                         .ports = fleet_fact(FACT_PORT, "switch_port"),
                         .unit_of = mem_alloc(report->nhosts, sizeof(*c.unit_of)),
                         .told = mem_alloc(count, sizeof(*c.told)) };
    collect(&c);
    find_units(&c);
    judge_switches(&c);
    find_same_ports(&c);
    judge_same_ports(&c);
    judge_order(&c);
    free(c.vectors);
    free(c.sockets);
    free(c.unit_of);
    free(c.told);
}
