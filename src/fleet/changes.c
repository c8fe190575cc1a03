/* SPDX-License-Identifier: MIT */
/* Two other comparisons: with a file that says how hosts should be, and of a host with itself. */
#include "fleet/compare.h"

/* -- what should be ------------------------------------------------------------------------------------ */

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

static const char *text_of(const struct findings *findings, const struct fleet_subject *subject,
                           enum fact_of of, const char *key)
{
    return fleet_text(findings->fleet, subject->values[fleet_fact(of, key)]);
}

/* Is an entry of the file about this subject? One of a device is asked about once. */
static bool takes(const struct findings *findings, const struct expected_entry *entry,
                  const struct fleet_subject *subject)
{
    const char *device = text_of(findings, subject, entry->of, "device"),
               *port = text_of(findings, subject, FACT_PORT, "port");
    if (entry->of == FACT_DEVICE)
        return device && subject->first && expectation_takes_device(entry, device);
    return device && expectation_takes_port(entry, device, port ? strtoull(port, NULL, 10) : 0,
                                            text_of(findings, subject, FACT_PORT, "netdev"));
}

static bool is_met(const struct findings *findings, const struct expected *expected, const char *text)
{
    const char **items = NULL, *item;
    size_t count = 0;
    if (!value_type_is_list(attribute_type(expected->fact)))
        return expectation_is_met(expected, &text, 1);
    for (size_t len; (item = fleet_next_item(&text, &len));)
        *ARENA_PUSH(findings->arena, items, count) = arena_strndup(findings->arena, item, len);
    return expectation_is_met(expected, items, count);
}

/* Adds the hosts whose value isn't the one wanted, in a group for each value. */
static void add_mismatches(struct findings *findings, const struct fleet_rule *rule, const char *subject,
                           const char *wanted, struct fleet_rows *rows)
{
    struct fleet_group *groups = NULL;
    size_t ngroups = 0;
    rows_sort(rows);
    *ARENA_PUSH(findings->arena, groups, ngroups) = (struct fleet_group){ .value = wanted,
                                                                          .hosts = "expected" };
    for (size_t i = 0, count; i < rows->count; i += count) {
        count = rows_alike(&rows->items[i], rows->count - i);
        *ARENA_PUSH(findings->arena, groups, ngroups) = findings_group(findings, &rows->items[i], count, true);
    }
    if (rows->count)
        findings_add(findings, rule, rule->key, subject, groups, ngroups, 0);
    free(rows->items);
}

static void note(struct findings *findings, const struct expected *expected, const fleet_value *values,
                 size_t host, struct fleet_rows *rows)
{
    fleet_value value = values[fleet_fact(fact_of(expected->fact), expected->fact->key)];
    if (value == FLEET_ABSENT)
        findings->report->unknown++;
    else if (!is_met(findings, expected, fleet_text(findings->fleet, value)))
        rows_add(rows, (struct fleet_row){ .value = value, .host = (uint32_t)host });
}

static const char *wanted_text(struct findings *findings, const struct expected *expected)
{
    struct bytes text = { 0 };
    for (size_t i = 0; i < expected->nitems; i++)
        bytes_printf(&text, "%s%s", i ? (char[]){ FLEET_ITEM, '\0' } : "", expected->items[i]);
    fleet_value value = intern(&findings->fleet->texts, text.len ? text.data : "", text.len);
    bytes_free(&text);
    return findings_value(findings, value);
}

static void judge_key(struct findings *findings, const struct expected_entry *entry,
                      const struct expected *expected)
{
    const struct attribute *fact = expected->fact;
    const struct fleet_rule *rule = fleet_rule(entry->of, fact->key);
    struct fleet_rows rows = { 0 };
    if (!rule || fact_is_expected_only(fact) || fact->flags & (ATTRIBUTE_OWN | ATTRIBUTE_PASSING) ||
        !findings_wants(findings, rule->key))
        return;
    for (size_t h = 0; h < findings->report->nhosts; h++) {
        const struct fleet_host *host = findings->report->hosts[h];
        if (entry->of == FACT_HOST)
            note(findings, expected, host->values, h, &rows);
        for (size_t i = 0; entry->of != FACT_HOST && i < host->nsubjects; i++)
            if (takes(findings, entry, &host->subjects[i]))
                note(findings, expected, host->subjects[i].values, h, &rows);
    }
    findings->report->keys++;
    add_mismatches(findings, rule, entry->of == FACT_HOST ? NULL : expectation_name(entry, findings->arena),
                   wanted_text(findings, expected), &rows);
}

/* As many as there must be. */
static void judge_count(struct findings *findings, const struct expected_entry *entry)
{
    struct fleet_rows rows = { 0 };
    if (entry->of == FACT_HOST || !findings_wants(findings, "port"))
        return;
    for (size_t h = 0; h < findings->report->nhosts; h++) {
        const struct fleet_host *host = findings->report->hosts[h];
        char found[24] = "missing";
        size_t count = 0;
        for (size_t i = 0; i < host->nsubjects; i++)
            count += takes(findings, entry, &host->subjects[i]);
        if (expectation_is_counted(entry, count))
            continue;
        if (entry->count.known)
            snprintf(found, sizeof(found), "%zu", count);
        rows_add(&rows, (struct fleet_row){ .value = intern(&findings->fleet->texts, found, strlen(found)),
                                            .host = (uint32_t)h });
    }
    add_mismatches(findings, fleet_rule(FACT_PORT, "port"), expectation_name(entry, findings->arena),
                   entry->count.known ? arena_printf(findings->arena, "%" PRIu64, entry->count.value) : "there",
                   &rows);
}

struct fleet_report fleet_against(struct fleet *fleet, const struct expectation *should,
                                  const struct fleet_host *const *hosts, size_t count,
                                  const struct fleet_wish *wish, struct arena *arena)
{
    struct fleet_report report = { .hosts = hosts, .nhosts = count };
    struct findings findings = { .fleet = fleet, .arena = arena, .report = &report, .wish = wish };
    for (size_t i = 0; i < should->nentries; i++) {
        const struct expected_entry *entry = &should->entries[i];
        judge_count(&findings, entry);
        for (size_t k = 0; k < entry->nkeys; k++)
            judge_key(&findings, entry, &entry->keys[k]);
    }
    findings_finish(&findings);
    return report;
}

/* -- what changed -------------------------------------------------------------------------------------- */

static void add_change(struct findings *findings, const struct fleet_rule *rule, const char *key,
                       const char *subject, const char *before, const char *after)
{
    struct fleet_group *groups = arena_alloc(findings->arena, 2, sizeof(*groups));
    static const uint32_t members[] = { 0, 1 };
    groups[0] = (struct fleet_group){ .value = before, .hosts = "before", .members = &members[0], .count = 1 };
    groups[1] = (struct fleet_group){
        .value = after, .hosts = "after", .members = &members[1], .count = 1, .odd = true
    };
    findings_add(findings, rule, key, subject, groups, 2, 0);
}

/* The value of an item NAME=VALUE; NULL if missing. */
static const char *item_value(struct findings *findings, const char *list, const char *name, size_t len)
{
    const char *item;
    for (size_t item_len; (item = fleet_next_item(&list, &item_len));)
        if (item_len > len && strncmp(item, name, len) == 0 && item[len] == '=')
            return arena_strndup(findings->arena, item + len + 1, item_len - len - 1);
    return NULL;
}

/* Every name in either list; those in both are reported with the first. */
static void compare_items(struct findings *findings, const struct fleet_rule *rule, const char *subject,
                          const char *before, const char *after)
{
    const char *lists[] = { before, after }, *item, *without = rule->kind == RULE_NUMBER ? "0" : "not set";
    for (int pass = 0; pass < 2; pass++)
        for (size_t len; (item = fleet_next_item(&lists[pass], &len));) {
            size_t name = strcspn(item, (char[]){ FLEET_ITEM, '=', '\0' });
            const char *was = item_value(findings, before, item, name),
                       *is = item_value(findings, after, item, name);
            if ((was && is && strcmp(was, is) == 0) || (pass && was))
                continue;
            add_change(findings, rule, arena_printf(findings->arena, "%s.%.*s", rule->key, (int)name, item),
                       subject, was ? was : without, is ? is : without);
        }
}

static void compare_values(struct findings *findings, const struct fleet_rule *rule, const char *subject,
                           fleet_value before, fleet_value after)
{
    const struct fleet *fleet = findings->fleet;
    if (!findings_wants(findings, rule->key))
        return;
    if (before && after)
        findings->report->keys++;
    else
        findings->report->unknown += before != after;
    if (!before || !after || before == after)
        return;
    if (rule->each)
        compare_items(findings, rule, subject, fleet_text(fleet, before), fleet_text(fleet, after));
    else if (!same_items(fleet_text(fleet, before), fleet_text(fleet, after)))
        add_change(findings, rule, rule->key, subject, findings_value(findings, before),
                   findings_value(findings, after));
}

static void compare_slot(struct findings *findings, const struct slot *slot)
{
    const struct fleet_rule *rule = fleet_rule(FACT_PORT, "port");
    bool was = slot->members[0] != NO_SUBJECT, is = slot->members[1] != NO_SUBJECT;
    if (!was || !is) {
        if (findings_wants(findings, rule->key))
            add_change(findings, rule, rule->key, slot->name, was ? "there" : "missing",
                       is ? "there" : "missing");
        return;
    }
    const struct fleet_subject *before = &findings->report->hosts[0]->subjects[slot->members[0]];
    const struct fleet_subject *after = &findings->report->hosts[1]->subjects[slot->members[1]];
    for (rule = fleet_rules; rule->key; rule++) {
        size_t fact = fleet_fact(rule->of, rule->key);
        if (rule->of != FACT_HOST && fact != FLEET_NO_FACT && !text_is(rule->key, "port") &&
            !text_is(rule->key, "family") && !(rule->of == FACT_PORT && text_is(rule->key, "device")) &&
            (rule->of == FACT_PORT || before->first))
            compare_values(findings, rule, slot->name, before->values[fact], after->values[fact]);
    }
}

struct fleet_report fleet_changes(struct fleet *fleet, const struct fleet_host *const *hosts,
                                  const struct fleet_wish *wish, struct arena *arena)
{
    struct fleet_report report = { .hosts = hosts, .nhosts = 2 };
    struct findings findings = { .fleet = fleet, .arena = arena, .report = &report, .wish = wish };
    report.alignment = fleet_align(fleet, hosts, 2, arena);
    for (const struct fleet_rule *rule = fleet_rules; rule->key; rule++) {
        size_t fact = fleet_fact(rule->of, rule->key);
        if (rule->of == FACT_HOST && fact != FLEET_NO_FACT)
            compare_values(&findings, rule, NULL, hosts[0]->values[fact], hosts[1]->values[fact]);
    }
    for (size_t s = 0; s < report.alignment.nslots; s++)
        compare_slot(&findings, &report.alignment.slots[s]);
    findings_finish(&findings);
    for (size_t i = 0; i < report.nfindings; i++)
        if (report.findings[i].verdict == VERDICT_FAIL) /* a change isn't a fault in itself */
            report.findings[i].verdict = VERDICT_WARN;
    return report;
}
