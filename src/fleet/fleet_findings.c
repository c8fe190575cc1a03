/* SPDX-License-Identifier: MIT */
/* The findings of a comparison, merged where several subjects have the same. */
#include "fleet/compare.h"

#include "fleet/hosts.h"

enum { MOST_VALUES = 4 };

/* "errors" also asks for "errors.port_rcv_errors". */
static bool names(const char *list, const char *key, const char *base)
{
    return text_in_list(list, key) || text_in_list(list, base);
}

bool findings_wants(const struct findings *findings, const char *key)
{
    const struct fleet_wish *wish = findings->wish;
    const char *base = arena_strndup(findings->arena, key, strcspn(key, "."));
    return (!wish->only || names(wish->only, key, base)) && !(wish->skip && names(wish->skip, key, base));
}

const char *findings_value(struct findings *findings, fleet_value value)
{
    const char *text = fleet_text(findings->fleet, value);
    if (!text || !*text)
        return "none";
    struct bytes out = { 0 };
    for (const char *at = text; *at; at++)
        bytes_append(&out, *at == FLEET_ITEM ? ", " : at, *at == FLEET_ITEM ? 2 : 1);
    const char *copy = arena_strndup(findings->arena, out.data, out.len);
    bytes_free(&out);
    return copy;
}

/* -- the same of several subjects ---------------------------------------------------------------------- */

static uint64_t mark_of(const char *key, const struct fleet_group *groups, size_t ngroups)
{
    uint64_t mark = UINT64_C(0xcbf29ce484222325);
    for (const char *at = key; *at; at++)
        mark = (mark ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    for (size_t g = 0; g < ngroups; g++) {
        if (!groups[g].odd)
            continue;
        mark = (mark ^ groups[g].count) * UINT64_C(0x9e3779b97f4a7c15);
        for (size_t i = 0; i < groups[g].count; i++)
            mark = (mark ^ groups[g].members[i]) * UINT64_C(0x100000001b3);
    }
    return mark;
}

/* The number of hosts that are right may differ between rails. */
static bool same_members(const struct fleet_group *a, const struct fleet_group *b)
{
    return a->odd == b->odd && (!a->odd || a->count == b->count) &&
           (!a->odd || memcmp(a->members, b->members, a->count * sizeof(*a->members)) == 0);
}

static bool same_values(const struct fleet_group *a, const struct fleet_group *b, size_t count)
{
    for (size_t g = 0; g < count; g++)
        if (strcmp(a[g].value, b[g].value) != 0)
            return false;
    return true;
}

static struct draft *find_draft(struct findings *findings, const struct fleet_rule *rule, const char *key,
                                uint64_t mark, const struct fleet_group *groups, size_t ngroups)
{
    for (size_t i = 0; i < findings->count; i++) {
        struct draft *draft = &findings->drafts[i];
        bool same = draft->mark == mark && draft->finding.ngroups == ngroups && draft->finding.rule == rule &&
                    strcmp(draft->finding.key, key) == 0 &&
                    (rule->own_values || same_values(draft->finding.groups, groups, ngroups));
        for (size_t g = 0; same && g < ngroups; g++)
            same = same_members(&draft->finding.groups[g], &groups[g]);
        if (same)
            return draft;
    }
    return NULL;
}

/* Values that differ by rail, such as names: the first few represent all. */
static void merge_values(struct findings *findings, struct draft *draft, const struct fleet_group *groups)
{
    struct fleet_finding *finding = &draft->finding;
    for (size_t g = 0; g < finding->ngroups; g++)
        if (groups[g].count > finding->groups[g].count) {
            finding->groups[g].members = groups[g].members;
            finding->groups[g].count = groups[g].count;
        }
    if (draft->nvalues > MOST_VALUES ||
        (draft->nvalues == 1 && same_values(finding->groups, groups, finding->ngroups)))
        return;
    const char *ends = draft->nvalues == MOST_VALUES ? ", …" : NULL;
    for (size_t g = 0; g < finding->ngroups; g++)
        finding->groups[g].value = arena_printf(findings->arena, "%s%s%s", finding->groups[g].value,
                                                ends ? ends : ", ", ends ? "" : groups[g].value);
    draft->nvalues++;
}

static void add_subject(struct findings *findings, struct draft *draft, const char *subject)
{
    for (size_t i = 0; i < draft->nsubjects; i++)
        if (strcmp(draft->subjects[i], subject) == 0)
            return;
    *ARENA_PUSH(findings->arena, draft->subjects, draft->nsubjects) = subject;
}

void findings_add(struct findings *findings, const struct fleet_rule *rule, const char *key,
                  const char *subject, struct fleet_group *groups, size_t ngroups, size_t more_values)
{
    uint64_t mark = mark_of(key, groups, ngroups);
    struct draft *draft = find_draft(findings, rule, key, mark, groups, ngroups);
    if (draft) {
        merge_values(findings, draft, groups);
    } else {
        draft = ARENA_PUSH_MANY(findings->arena, findings->drafts, findings->count);
        *draft = (struct draft){ .finding = { .rule = rule,
                                              .verdict = rule->verdict,
                                              .key = arena_strdup(findings->arena, key),
                                              .groups = groups,
                                              .ngroups = ngroups,
                                              .more_values = more_values },
                                 .nvalues = 1,
                                 .mark = mark };
        for (size_t g = 0; g < ngroups; g++)
            draft->finding.odd += groups[g].odd ? groups[g].count : 0;
    }
    if (subject)
        add_subject(findings, draft, subject);
}

/* -- causes -------------------------------------------------------------------------------------------- */

static bool is_odd(const struct fleet_finding *finding, uint32_t host)
{
    for (size_t g = 0; g < finding->ngroups; g++) {
        const struct fleet_group *group = &finding->groups[g];
        size_t low = 0, high = group->count;
        while (group->odd && low < high) {
            size_t middle = (low + high) / 2;
            if (group->members[middle] == host)
                return true;
            if (group->members[middle] < host)
                low = middle + 1;
            else
                high = middle;
        }
    }
    return false;
}

static bool hosts_are_among(const struct fleet_finding *finding, const struct fleet_finding *cause)
{
    for (size_t g = 0; g < finding->ngroups; g++)
        for (size_t i = 0; finding->groups[g].odd && i < finding->groups[g].count; i++)
            if (!is_odd(cause, finding->groups[g].members[i]))
                return false;
    return true;
}

static bool subjects_are_among(const struct draft *draft, const struct draft *cause)
{
    for (size_t i = 0; cause->nsubjects && i < draft->nsubjects; i++) {
        bool found = false;
        for (size_t other = 0; other < cause->nsubjects && !found; other++)
            found = strcmp(draft->subjects[i], cause->subjects[other]) == 0;
        if (!found)
            return false;
    }
    return true;
}

static bool explains(const struct draft *cause, const struct draft *draft)
{
    const char *because = draft->finding.rule->because;
    return cause != draft && because && text_in_list(because, cause->finding.rule->key) &&
           subjects_are_among(draft, cause) && hosts_are_among(&draft->finding, &cause->finding);
}

static const struct draft *cause_of(const struct findings *findings, const struct draft *draft)
{
    for (size_t i = 0; i < findings->count; i++)
        if (explains(&findings->drafts[i], draft))
            return &findings->drafts[i];
    return NULL;
}

/* -- the end ------------------------------------------------------------------------------------------- */

static void fold_hosts(struct findings *findings, struct fleet_group *group)
{
    if (group->hosts)
        return;
    const char **texts = mem_alloc(group->count + 1, sizeof(*texts));
    for (size_t i = 0; i < group->count; i++)
        texts[i] = findings->hosts[group->members[i]]->name;
    char *folded = nodeset_fold(texts, group->count);
    group->hosts = arena_strdup(findings->arena, folded);
    free(folded);
    free(texts);
}

static int compare_findings(const void *one, const void *other)
{
    const struct fleet_finding *a = one, *b = other;
    if (a->verdict != b->verdict)
        return a->verdict > b->verdict ? -1 : 1;
    if (a->rule != b->rule)
        return a->rule < b->rule ? -1 : 1;
    int r = a->odd != b->odd ? (a->odd > b->odd ? -1 : 1) : text_version_compare(a->key, b->key);
    if (r == 0)
        r = text_version_compare(a->subject ? a->subject : "", b->subject ? b->subject : "");
    return r ? r : text_version_compare(a->groups[a->ngroups - 1].hosts, b->groups[b->ngroups - 1].hosts);
}

/* A device's facts are kept with its first port. */
static const char **names_of(const struct findings *findings, const struct draft *draft)
{
    const char **names = mem_alloc(draft->nsubjects, sizeof(*names));
    for (size_t i = 0; i < draft->nsubjects; i++) {
        const char *name = draft->subjects[i];
        bool device = draft->finding.rule->of == FACT_DEVICE;
        names[i] = device ? arena_strndup(findings->arena, name, strcspn(name, "/")) : name;
    }
    return names;
}

static void keep(struct findings *findings, struct fleet_report *report, struct draft *draft)
{
    struct fleet_finding *finding = ARENA_PUSH_MANY(findings->arena, report->findings, report->nfindings);
    *finding = draft->finding;
    if (draft->nsubjects) {
        const char **names = names_of(findings, draft);
        char *folded = nodeset_fold(names, draft->nsubjects);
        finding->subject = arena_strdup(findings->arena, folded);
        free(folded);
        free(names);
    }
    for (size_t g = 0; g < finding->ngroups; g++)
        fold_hosts(findings, &finding->groups[g]);
}

void findings_finish(struct findings *findings, struct fleet_report *report)
{
    const struct draft **causes = mem_alloc(findings->count + 1, sizeof(*causes));
    for (size_t i = 0; i < findings->count; i++) {
        causes[i] = cause_of(findings, &findings->drafts[i]);
        struct draft *cause = (struct draft *)causes[i];
        if (cause)
            *ARENA_PUSH(findings->arena, cause->finding.also,
                        cause->finding.nalso) = findings->drafts[i].finding.key;
    }
    for (size_t i = 0; i < findings->count; i++)
        if (!causes[i])
            keep(findings, report, &findings->drafts[i]);
    if (report->nfindings)
        qsort(report->findings, report->nfindings, sizeof(*report->findings), compare_findings);
    free(causes);
}
