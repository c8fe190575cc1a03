/* SPDX-License-Identifier: MIT */
/* Rows of values, which hosts have which; and the findings of a comparison, merged where subjects have the
 * same. */
#include "base/hash.h"
#include "fleet/compare.h"
#include "fleet/hosts.h"

void rows_add(struct fleet_rows *rows, struct fleet_row row)
{
    if (rows->count == rows->size) {
        rows->size = rows->size ? rows->size * 2 : 256;
        rows->items = mem_resize(rows->items, rows->size, sizeof(*rows->items));
    }
    rows->items[rows->count++] = row;
}

static int compare_rows(const void *one, const void *other)
{
    const struct fleet_row *a = one, *b = other;
    int r = number_order(a->within, b->within);
    r = r ? r : number_order(a->value, b->value);
    r = r ? r : number_order(a->with, b->with);
    return r ? r : number_order(a->host, b->host);
}

void rows_sort(struct fleet_rows *rows)
{
    if (rows->count)
        qsort(rows->items, rows->count, sizeof(*rows->items), compare_rows);
}

size_t rows_alike(const struct fleet_row *rows, size_t count)
{
    size_t end = 1;
    while (end < count && rows[end].within == rows->within && rows[end].value == rows->value)
        end++;
    return end;
}

enum { MOST_VALUES = 4 };

const struct fleet_rule *fleet_rule(enum fact_of of, const char *key)
{
    for (const struct fleet_rule *rule = fleet_rules; rule->key; rule++)
        if ((rule->of == of || of == FACT_KINDS) && strcmp(rule->key, key) == 0)
            return rule;
    return NULL;
}

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

struct fleet_group findings_group(struct findings *findings, const struct fleet_row *rows, size_t count,
                                  bool odd)
{
    uint32_t *members = arena_alloc(findings->arena, count, sizeof(*members));
    struct fleet_group group = { .members = members, .odd = odd };
    for (size_t i = 0; i < count; i++)
        if (group.count == 0 || members[group.count - 1] != rows[i].host)
            members[group.count++] = rows[i].host;
    group.value = count ? findings_value(findings, rows->value) : "none";
    return group;
}

/* -- the same of several subjects ---------------------------------------------------------------------- */

static uint32_t mark_of(const char *key, const struct fleet_group *groups, size_t ngroups)
{
    uint32_t mark = hash_text(HASH_BEGIN, key);
    for (size_t g = 0; g < ngroups; g++)
        if (groups[g].odd)
            mark = hash_more(mark, groups[g].members, groups[g].count * sizeof(*groups[g].members));
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
                                uint32_t mark, const struct fleet_group *groups, size_t ngroups)
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

static bool has_subject(const struct draft *draft, const char *subject)
{
    for (size_t i = 0; i < draft->nsubjects; i++)
        if (strcmp(draft->subjects[i], subject) == 0)
            return true;
    return false;
}

void findings_add(struct findings *findings, const struct fleet_rule *rule, const char *key,
                  const char *subject, struct fleet_group *groups, size_t ngroups, size_t more_values)
{
    uint32_t mark = mark_of(key, groups, ngroups);
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
    if (subject && !has_subject(draft, subject))
        *ARENA_PUSH(findings->arena, draft->subjects, draft->nsubjects) = subject;
}

/* -- causes -------------------------------------------------------------------------------------------- */

static int compare_members(const void *one, const void *other)
{
    return number_order(*(const uint32_t *)one, *(const uint32_t *)other);
}

static bool is_odd(const struct fleet_finding *finding, uint32_t host)
{
    bool odd = false;
    for (size_t g = 0; g < finding->ngroups && !odd; g++) {
        const struct fleet_group *group = &finding->groups[g];
        odd = group->odd && group->count &&
              bsearch(&host, group->members, group->count, sizeof(host), compare_members);
    }
    return odd;
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
    for (size_t i = 0; cause->nsubjects && i < draft->nsubjects; i++)
        if (!has_subject(cause, draft->subjects[i]))
            return false;
    return true;
}

static bool explains(const struct draft *cause, const struct draft *draft)
{
    const char *because = draft->finding.rule->because;
    return cause != draft && because && text_in_list(because, cause->finding.rule->key) &&
           subjects_are_among(draft, cause) && hosts_are_among(&draft->finding, &cause->finding);
}

static struct draft *cause_of(const struct findings *findings, const struct draft *draft)
{
    for (size_t i = 0; i < findings->count; i++)
        if (explains(&findings->drafts[i], draft))
            return &findings->drafts[i];
    return NULL;
}

/* -- the end ------------------------------------------------------------------------------------------- */

/* Folds names, which it frees. */
static const char *fold(const struct findings *findings, const char **names, size_t count)
{
    char *folded = nodeset_fold(names, count);
    const char *kept = arena_strdup(findings->arena, folded);
    free(folded);
    free(names);
    return kept;
}

static const char *fold_hosts(const struct findings *findings, const struct fleet_group *group)
{
    const char **names = mem_alloc(group->count + 1, sizeof(*names));
    for (size_t i = 0; i < group->count; i++)
        names[i] = findings->report->hosts[group->members[i]]->name;
    return fold(findings, names, group->count);
}

/* A device's facts are kept with its first port. */
static const char *fold_subjects(const struct findings *findings, const struct draft *draft)
{
    bool device = draft->finding.rule->of == FACT_DEVICE;
    const char **names = mem_alloc(draft->nsubjects, sizeof(*names));
    for (size_t i = 0; i < draft->nsubjects; i++)
        names[i] = arena_strndup(findings->arena, draft->subjects[i],
                                 strcspn(draft->subjects[i], device ? "/" : ""));
    return fold(findings, names, draft->nsubjects);
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

/* What differs between models is named with the finding that they do, of that subject if it has one. */
static void name_folds(struct findings *findings)
{
    for (size_t f = 0; f < findings->nfolds; f++) {
        const struct fold *fold = &findings->folds[f];
        struct draft *cause = NULL;
        for (size_t i = 0; i < findings->count; i++) {
            struct draft *draft = &findings->drafts[i];
            if (text_in_list(fold->rule->within, draft->finding.rule->key) &&
                (!cause || (fold->subject && has_subject(draft, fold->subject))))
                cause = draft;
        }
        if (cause)
            *ARENA_PUSH(findings->arena, cause->finding.also, cause->finding.nalso) = fold->rule->key;
    }
}

void findings_finish(struct findings *findings)
{
    struct fleet_report *report = findings->report;
    bool *explained = mem_alloc(findings->count + 1, sizeof(*explained));
    name_folds(findings);
    for (size_t i = 0; i < findings->count; i++) {
        struct draft *cause = cause_of(findings, &findings->drafts[i]);
        explained[i] = cause != NULL;
        if (cause)
            *ARENA_PUSH(findings->arena, cause->finding.also,
                        cause->finding.nalso) = findings->drafts[i].finding.key;
    }
    for (size_t i = 0; i < findings->count; i++) {
        if (explained[i])
            continue;
        struct draft *draft = &findings->drafts[i];
        struct fleet_finding *finding = ARENA_PUSH_MANY(findings->arena, report->findings, report->nfindings);
        *finding = draft->finding;
        finding->subject = draft->nsubjects ? fold_subjects(findings, draft) : NULL;
        for (size_t g = 0; g < finding->ngroups; g++)
            if (!finding->groups[g].hosts)
                finding->groups[g].hosts = fold_hosts(findings, &finding->groups[g]);
    }
    if (report->nfindings)
        qsort(report->findings, report->nfindings, sizeof(*report->findings), compare_findings);
    free(explained);
}
