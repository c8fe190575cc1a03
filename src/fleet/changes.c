/* SPDX-License-Identifier: MIT */
/* Two other comparisons: with a file that says how hosts should be, and of a host with itself. */
#include "fleet/compare.h"

/* -- what should be ------------------------------------------------------------------------------------ */

struct mismatch {
    fleet_value value;
    uint32_t host;
};

struct against {
    struct findings findings;
    struct fleet_report *report;
    struct mismatch *mismatches;
    size_t count, size;
};

/* Do both have the same items, in any order? */
static bool same_items(const char *a, const char *b)
{
    const char *item;
    if (strlen(a) != strlen(b))
        return false;
    for (size_t len; (item = fleet_next_item(&a, &len));)
        if (!fleet_has_item(b, item, len))
            return false;
    return true;
}

static bool is_met(const struct fleet *fleet, const struct attribute *fact, fleet_value wanted,
                   fleet_value found)
{
    const char *pattern = fleet_text(fleet, wanted), *text = fleet_text(fleet, found);
    return wanted == found || (fact->flags & ATTRIBUTE_PATTERN && text_matches(pattern, text)) ||
           (value_type_is_list(attribute_type(fact)) && same_items(pattern, text));
}

static void push_mismatch(struct against *a, fleet_value value, uint32_t host)
{
    if (a->count && a->mismatches[a->count - 1].host == host && a->mismatches[a->count - 1].value == value)
        return;
    if (a->count == a->size) {
        a->size = a->size ? a->size * 2 : 256;
        a->mismatches = mem_resize(a->mismatches, a->size, sizeof(*a->mismatches));
    }
    a->mismatches[a->count++] = (struct mismatch){ value, host };
}

static int compare_mismatches(const void *one, const void *other)
{
    const struct mismatch *a = one, *b = other;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return a->host < b->host ? -1 : a->host > b->host;
}

/* Is an entry of the file about this subject? */
static bool takes(const struct fleet *fleet, const struct fleet_subject *entry,
                  const struct fleet_subject *subject)
{
    static const char *const keys[] = { "device", "port", "netdev" };
    for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
        size_t fact = fleet_fact(FACT_PORT, keys[i]), device = fleet_fact(FACT_DEVICE, keys[i]);
        const char *pattern = fleet_text(fleet, entry->values[fact]);
        const char *name = fleet_text(fleet, subject->values[fact]);
        if (!pattern && fact_at(device))
            pattern = fleet_text(fleet, entry->values[device]);
        if (pattern && !(name && text_matches(pattern, name)))
            return false;
    }
    return true;
}

static void note(struct against *a, const struct attribute *fact, fleet_value wanted, fleet_value found,
                 uint32_t host)
{
    if (found == FLEET_ABSENT)
        a->report->unknown++;
    else if (!is_met(a->findings.fleet, fact, wanted, found))
        push_mismatch(a, found, host);
}

/* entry: from the file; NULL for its keys of the host. */
static void judge_key(struct against *a, const struct fleet_rule *rule, size_t fact,
                      const struct fleet_subject *entry, fleet_value wanted)
{
    a->count = 0;
    for (size_t h = 0; h < a->report->nhosts; h++) {
        const struct fleet_host *host = a->report->hosts[h];
        if (!entry)
            note(a, fact_at(fact), wanted, host->values[fact], (uint32_t)h);
        for (size_t i = 0; entry && i < host->nsubjects; i++)
            if (takes(a->findings.fleet, entry, &host->subjects[i]))
                note(a, fact_at(fact), wanted, host->subjects[i].values[fact], (uint32_t)h);
    }
    a->report->keys++;
    if (a->count == 0)
        return;
    qsort(a->mismatches, a->count, sizeof(*a->mismatches), compare_mismatches);
    struct fleet_group *groups = NULL;
    size_t ngroups = 0;
    *ARENA_PUSH(a->findings.arena, groups,
                ngroups) = (struct fleet_group){ .value = findings_value(&a->findings, wanted),
                                                 .hosts = "expected" };
    for (size_t i = 0, end; i < a->count; i = end) {
        struct fleet_group *group = ARENA_PUSH(a->findings.arena, groups, ngroups);
        for (end = i + 1; end < a->count && a->mismatches[end].value == a->mismatches[i].value;)
            end++;
        uint32_t *members = arena_alloc(a->findings.arena, end - i, sizeof(*members));
        size_t count = 0;
        for (size_t m = i; m < end; m++)
            if (count == 0 || members[count - 1] != a->mismatches[m].host)
                members[count++] = a->mismatches[m].host;
        *group = (struct fleet_group){ .value = findings_value(&a->findings, a->mismatches[i].value),
                                       .members = members,
                                       .count = count,
                                       .odd = true };
    }
    findings_add(&a->findings, rule, rule->key, entry ? entry->name : NULL, groups, ngroups, 0);
}

static void judge_missing(struct against *a, const struct fleet_subject *entry)
{
    const struct fleet_rule *rule = fleet_rule(FACT_PORT, "port");
    struct fleet_group *groups = arena_alloc(a->findings.arena, 2, sizeof(*groups));
    uint32_t *members = arena_alloc(a->findings.arena, a->report->nhosts + 1, sizeof(*members));
    size_t count = 0;
    for (size_t h = 0; h < a->report->nhosts; h++) {
        const struct fleet_host *host = a->report->hosts[h];
        size_t i = 0;
        while (i < host->nsubjects && !takes(a->findings.fleet, entry, &host->subjects[i]))
            i++;
        if (i == host->nsubjects)
            members[count++] = (uint32_t)h;
    }
    groups[0] = (struct fleet_group){ .value = "there", .hosts = "expected" };
    groups[1] = (struct fleet_group){ .value = "missing", .members = members, .count = count, .odd = true };
    if (count)
        findings_add(&a->findings, rule, rule->key, entry->name, groups, 2, 0);
}

static bool is_asked(struct findings *findings, const struct fleet_rule *rule, const struct attribute *fact)
{
    return rule && !fact_is_expected_only(fact) && !(fact->flags & (ATTRIBUTE_OWN | ATTRIBUTE_PASSING)) &&
           findings_wants(findings, rule->key);
}

struct fleet_report fleet_against(struct fleet *fleet, const struct fleet_host *should,
                                  const struct fleet_host *const *hosts, size_t count,
                                  const struct fleet_wish *wish, struct arena *arena)
{
    struct fleet_report report = { .hosts = hosts, .nhosts = count };
    struct against a = { .findings = { .fleet = fleet, .arena = arena, .hosts = hosts, .wish = wish },
                         .report = &report };
    const struct attribute *fact;
    for (size_t i = 0; i < should->nsubjects; i++)
        if (findings_wants(&a.findings, "port"))
            judge_missing(&a, &should->subjects[i]);
    for (size_t f = 0; (fact = fact_at(f)); f++) {
        const struct fleet_rule *rule = fleet_rule(fact_of(fact), fact->key);
        if (!is_asked(&a.findings, rule, fact))
            continue;
        if (fact_of(fact) == FACT_HOST && should->values[f])
            judge_key(&a, rule, f, NULL, should->values[f]);
        for (size_t i = 0; fact_of(fact) != FACT_HOST && i < should->nsubjects; i++)
            if (should->subjects[i].values[f])
                judge_key(&a, rule, f, &should->subjects[i], should->subjects[i].values[f]);
    }
    findings_finish(&a.findings, &report);
    free(a.mismatches);
    return report;
}

/* -- what changed -------------------------------------------------------------------------------------- */

struct changes {
    struct findings findings;
    struct fleet_report *report;
};

/* before or after may be NULL if it didn't exist. */
static void add_change(struct changes *c, const struct fleet_rule *rule, const char *key, const char *subject,
                       const char *before, const char *after)
{
    struct fleet_group *groups = arena_alloc(c->findings.arena, 2, sizeof(*groups));
    static const uint32_t members[] = { 0, 1 };
    groups[0] = (struct fleet_group){ .value = before, .hosts = "before", .members = &members[0], .count = 1 };
    groups[1] = (struct fleet_group){
        .value = after, .hosts = "after", .members = &members[1], .count = 1, .odd = true
    };
    findings_add(&c->findings, rule, key, subject, groups, 2, 0);
}

/* A change isn't a fault in itself. */
static void soften(struct fleet_report *report)
{
    for (size_t i = 0; i < report->nfindings; i++)
        if (report->findings[i].verdict == VERDICT_FAIL)
            report->findings[i].verdict = VERDICT_WARN;
}

/* The value of an item NAME=VALUE; "not set" if missing. */
static const char *item_value(struct changes *c, const char *list, const char *name, size_t len)
{
    const char *item;
    for (size_t item_len; (item = fleet_next_item(&list, &item_len));)
        if (item_len > len && strncmp(item, name, len) == 0 && item[len] == '=')
            return arena_strndup(c->findings.arena, item + len + 1, item_len - len - 1);
    return "not set";
}

/* Every name in either list; those in both are reported with the first. */
static void compare_items(struct changes *c, const struct fleet_rule *rule, const char *subject,
                          const char *before, const char *after)
{
    const char *lists[] = { before, after }, *item;
    for (int pass = 0; pass < 2; pass++)
        for (size_t len; (item = fleet_next_item(&lists[pass], &len));) {
            size_t name = strcspn(item, (char[]){ FLEET_ITEM, '=', '\0' });
            const char *was = item_value(c, before, item, name), *is = item_value(c, after, item, name);
            if (strcmp(was, is) != 0 && !(pass && strcmp(was, "not set") != 0))
                add_change(c, rule, arena_printf(c->findings.arena, "%s.%.*s", rule->key, (int)name, item),
                           subject, was, is);
        }
}

static void compare_values(struct changes *c, const struct fleet_rule *rule, const char *subject,
                           fleet_value before, fleet_value after)
{
    const struct fleet *fleet = c->findings.fleet;
    if (!findings_wants(&c->findings, rule->key))
        return;
    if (before && after)
        c->report->keys++;
    else
        c->report->unknown += before != after;
    if (!before || !after || before == after)
        return;
    if (rule->each)
        compare_items(c, rule, subject, fleet_text(fleet, before), fleet_text(fleet, after));
    else if (!same_items(fleet_text(fleet, before), fleet_text(fleet, after)))
        add_change(c, rule, rule->key, subject, findings_value(&c->findings, before),
                   findings_value(&c->findings, after));
}

static size_t place_of(const struct fleet_rule *rule)
{
    return text_is(rule->key, "findings") ? fleet_findings() : fleet_fact(rule->of, rule->key);
}

static void compare_slot(struct changes *c, const struct slot *slot)
{
    const struct fleet_rule *rule = fleet_rule(FACT_PORT, "port");
    bool was = slot->members[0] != NO_SUBJECT, is = slot->members[1] != NO_SUBJECT;
    if (!was || !is) {
        if (findings_wants(&c->findings, rule->key))
            add_change(c, rule, rule->key, slot->name, was ? "there" : "missing", is ? "there" : "missing");
        return;
    }
    const struct fleet_subject *before = &c->report->hosts[0]->subjects[slot->members[0]];
    const struct fleet_subject *after = &c->report->hosts[1]->subjects[slot->members[1]];
    for (rule = fleet_rules; rule->key; rule++)
        if (rule->of != FACT_HOST && !text_is(rule->key, "port") && !text_is(rule->key, "family") &&
            !(rule->of == FACT_PORT && text_is(rule->key, "device")) &&
            (rule->of == FACT_PORT || before->first))
            compare_values(c, rule, slot->name, before->values[place_of(rule)], after->values[place_of(rule)]);
}

struct fleet_report fleet_changes(struct fleet *fleet, const struct fleet_host *const *hosts,
                                  const struct fleet_wish *wish, struct arena *arena)
{
    struct fleet_report report = { .hosts = hosts, .nhosts = 2 };
    struct changes c = { .findings = { .fleet = fleet, .arena = arena, .hosts = hosts, .wish = wish },
                         .report = &report };
    report.alignment = fleet_align(fleet, hosts, 2, arena);
    for (const struct fleet_rule *rule = fleet_rules; rule->key; rule++)
        if (rule->of == FACT_HOST && !text_is(rule->key, "host"))
            compare_values(&c, rule, NULL, hosts[0]->values[place_of(rule)], hosts[1]->values[place_of(rule)]);
    for (size_t s = 0; s < report.alignment.nslots; s++)
        compare_slot(&c, &report.alignment.slots[s]);
    findings_finish(&c.findings, &report);
    soften(&report);
    return report;
}
