/* SPDX-License-Identifier: MIT */
/* Compares the facts of many hosts. */
#include "fleet/compare.h"

enum {
    MOST_GROUPS = 8, /* listed in a finding */
    MAJORITY = 80,   /* percent: if this many agree, the rest is odd */
    FEWEST_OF_NUMBERS = 4,
};

/* One value of a key: whose it is, and the values that it is compared within and with. */
struct row {
    fleet_value within, value, with;
    uint32_t host;
};

struct column {
    struct findings *findings;
    const struct fleet_rule *rule;
    const char *key, *subject; /* subject is NULL for hosts */
    struct row *rows;
    size_t count;
};

struct comparing {
    struct findings findings;
    struct fleet_report *report;
    struct row *rows; /* room for a row per host */
};

const struct fleet_rule *fleet_rule(enum fact_of of, const char *key)
{
    for (const struct fleet_rule *rule = fleet_rules; rule->key; rule++)
        if ((rule->of == of || of == FACT_KINDS) && strcmp(rule->key, key) == 0)
            return rule;
    return NULL;
}

/* -- equal, and pairs that fit ------------------------------------------------------------------------- */

static int compare_rows(const void *one, const void *other)
{
    const struct row *a = one, *b = other;
    if (a->within != b->within)
        return a->within < b->within ? -1 : 1;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    if (a->with != b->with)
        return a->with < b->with ? -1 : 1;
    return a->host < b->host ? -1 : a->host > b->host;
}

/* Rows with the same value. */
struct run {
    const struct row *rows;
    size_t count;
    const char *text;
};

static int compare_runs(const void *one, const void *other)
{
    const struct run *a = one, *b = other;
    return a->count != b->count ? (a->count > b->count ? -1 : 1) : text_version_compare(a->text, b->text);
}

static bool have_one_in_common(const char *a, const char *b)
{
    const char *item;
    for (size_t len; (item = fleet_next_item(&a, &len));)
        if (fleet_has_item(b, item, len))
            return true;
    return false;
}

static bool fits(const struct column *column, const struct run *a, const struct run *b)
{
    const struct fleet *fleet = column->findings->fleet;
    const char *x = fleet_text(fleet, a->rows->value), *y = fleet_text(fleet, b->rows->value);
    if (!column->rule->common)
        return false;
    if (have_one_in_common(x, y))
        return true;
    /* both have a route, or may have one; but without an address nothing can be reached */
    const char *from = fleet_text(fleet, a->rows->with), *to = fleet_text(fleet, b->rows->with);
    return column->rule->with && *x && *y && !text_is(from, "no") && !text_is(to, "no");
}

static struct fleet_group group_of(const struct column *column, const struct run *run, bool odd)
{
    uint32_t *members = arena_alloc(column->findings->arena, run->count, sizeof(*members));
    for (size_t i = 0; i < run->count; i++)
        members[i] = run->rows[i].host;
    return (struct fleet_group){ .value = findings_value(column->findings, run->rows->value),
                                 .members = members,
                                 .count = run->count,
                                 .odd = odd };
}

/* The most frequent first; what fits it is as good. */
static void judge_runs(const struct column *column, struct run *runs, size_t nruns, size_t total)
{
    qsort(runs, nruns, sizeof(*runs), compare_runs);
    size_t right = runs[0].count, odd = 0;
    for (size_t i = 1; i < nruns; i++) {
        if (fits(column, &runs[0], &runs[i]))
            right += runs[i].count;
        else
            runs[1 + odd++] = runs[i];
    }
    if (odd == 0)
        return;
    bool majority = right * 100 >= total * MAJORITY;
    size_t told = odd < MOST_GROUPS ? odd : MOST_GROUPS;
    struct fleet_group *groups = arena_alloc(column->findings->arena, told + 1, sizeof(*groups));
    for (size_t i = 0; i <= told; i++)
        groups[i] = group_of(column, &runs[i], i > 0 || !majority);
    findings_add(column->findings, column->rule, column->key, column->subject, groups, told + 1, odd - told);
}

static bool all_alike(const struct column *column)
{
    for (size_t i = 1; i < column->count; i++)
        if (column->rows[i].value != column->rows[0].value)
            return false;
    return true;
}

/* Rows with the same value of the rule's `within` key. */
static void judge_part(const struct column *column, const struct row *rows, size_t count)
{
    size_t nruns = 0;
    struct run *runs = mem_alloc(count, sizeof(*runs));
    for (size_t i = 0; i < count; i++) {
        struct run *last = nruns ? &runs[nruns - 1] : NULL;
        if (!last || last->rows->value != rows[i].value || last->rows->with != rows[i].with)
            runs[nruns++] = (struct run){ .rows = &rows[i],
                                          .text = fleet_text(column->findings->fleet, rows[i].value) };
        runs[nruns - 1].count++;
    }
    if (nruns > 1)
        judge_runs(column, runs, nruns, count);
    free(runs);
}

static void judge_column(const struct column *column)
{
    if (column->count < 2 || all_alike(column))
        return;
    qsort(column->rows, column->count, sizeof(*column->rows), compare_rows);
    for (size_t i = 0, end; i < column->count; i = end) {
        for (end = i + 1; end < column->count && column->rows[end].within == column->rows[i].within;)
            end++;
        judge_part(column, column->rows + i, end - i);
    }
}

/* -- numbers ------------------------------------------------------------------------------------------- */

static int compare_counts(const void *one, const void *other)
{
    const uint64_t *a = one, *b = other;
    return *a < *b ? -1 : *a > *b;
}

/* The median; sorts numbers. */
static uint64_t median(uint64_t *numbers, size_t count)
{
    qsort(numbers, count, sizeof(*numbers), compare_counts);
    return count % 2 ? numbers[count / 2] : numbers[count / 2 - 1] / 2 + numbers[count / 2] / 2;
}

/* Those beyond the limit, each with its number; the rest in one group. */
static void add_numbers(const struct column *column, const uint64_t *numbers, uint64_t middle, uint64_t limit)
{
    struct arena *arena = column->findings->arena;
    struct row *rest = mem_alloc(column->count, sizeof(*rest));
    struct run odd[MOST_GROUPS], others = { .rows = rest };
    size_t nodd = 0;
    for (size_t i = 0; i < column->count; i++) {
        if (numbers[i] <= limit)
            rest[others.count++] = column->rows[i];
        else if (nodd++ < MOST_GROUPS)
            odd[nodd - 1] = (struct run){ .rows = &column->rows[i], .count = 1 };
    }
    if (nodd) {
        size_t told = nodd < MOST_GROUPS ? nodd : MOST_GROUPS;
        struct fleet_group *groups = arena_alloc(arena, told + 1, sizeof(*groups));
        groups[0] = group_of(column, &others, false);
        groups[0].value = arena_printf(arena, "%" PRIu64 " in the middle", middle);
        for (size_t i = 0; i < told; i++)
            groups[i + 1] = group_of(column, &odd[i], true);
        findings_add(column->findings, column->rule, column->key, column->subject, groups, told + 1,
                     nodd - told);
    }
    free(rest);
}

static void judge_numbers(const struct column *column)
{
    enum { FAR = 6 };
    if (column->count < FEWEST_OF_NUMBERS)
        return;
    uint64_t *numbers = mem_alloc(column->count, sizeof(*numbers)),
             *away = mem_alloc(column->count, sizeof(*away));
    for (size_t i = 0; i < column->count; i++)
        numbers[i] = away[i] = strtoull(fleet_text(column->findings->fleet, column->rows[i].value), NULL, 10);
    uint64_t middle = median(away, column->count), limit = 0;
    for (size_t i = 0; i < column->count; i++)
        away[i] = numbers[i] > middle ? numbers[i] - middle : middle - numbers[i];
    uint64_t mad = median(away, column->count);
    if (__builtin_mul_overflow(mad, FAR, &limit) || __builtin_add_overflow(limit, middle, &limit))
        limit = UINT64_MAX;
    uint64_t least = middle > UINT64_MAX - column->rule->least ? UINT64_MAX : middle + column->rule->least;
    add_numbers(column, numbers, middle, limit > least ? limit : least);
    free(numbers);
    free(away);
}

/* -- items by their name ------------------------------------------------------------------------------- */

struct item {
    fleet_value name, value;
    uint32_t row;
};

static int compare_items(const void *one, const void *other)
{
    const struct item *a = one, *b = other;
    if (a->name != b->name)
        return a->name < b->name ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

struct items {
    struct item *items;
    size_t count, size;
};

static void split_items(struct intern *texts, const char *list, uint32_t row, struct items *out)
{
    const char *at;
    for (size_t len; (at = fleet_next_item(&list, &len));) {
        size_t name = strcspn(at, (char[]){ FLEET_ITEM, '=', '\0' });
        const char *value = name < len ? at + name + 1 : at + len;
        if (out->count == out->size) {
            out->size = out->size ? out->size * 2 : 256;
            out->items = mem_resize(out->items, out->size, sizeof(*out->items));
        }
        out->items[out->count++] = (struct item){ intern(texts, at, name),
                                                  intern(texts, value, (size_t)(at + len - value)), row };
    }
}

/* One name: hosts without it have "not set", or 0. */
static void judge_name(const struct column *column, const struct item *items, size_t count, struct row *room)
{
    struct intern *texts = &column->findings->fleet->texts;
    struct arena *arena = column->findings->arena;
    bool number = column->rule->kind == RULE_NUMBER;
    fleet_value without = number ? intern(texts, "0", 1) : intern(texts, "not set", 7);
    if (text_is(column->rule->key, "findings"))
        without = intern(texts, "", 0);
    struct column one = *column;
    one.key = arena_printf(arena, "%s.%s", column->rule->key, intern_text(texts, items[0].name));
    one.rows = room;
    memcpy(room, column->rows, column->count * sizeof(*room));
    for (size_t i = 0; i < column->count; i++)
        room[i].value = without;
    for (size_t i = 0; i < count; i++)
        room[items[i].row].value = items[i].value;
    if (number)
        judge_numbers(&one);
    else
        judge_column(&one);
}

static void judge_each(const struct column *column)
{
    struct items out = { 0 };
    if (all_alike(column) && column->rule->kind != RULE_NUMBER)
        return;
    for (size_t i = 0; i < column->count; i++)
        split_items(&column->findings->fleet->texts, fleet_text(column->findings->fleet, column->rows[i].value),
                    (uint32_t)i, &out);
    if (out.count)
        qsort(out.items, out.count, sizeof(*out.items), compare_items);
    struct row *room = mem_alloc(column->count + 1, sizeof(*room));
    for (size_t i = 0, end; i < out.count; i = end) {
        for (end = i + 1; end < out.count && out.items[end].name == out.items[i].name;)
            end++;
        judge_name(column, out.items + i, end - i, room);
    }
    free(room);
    free(out.items);
}

/* -- columns ------------------------------------------------------------------------------------------- */

/* The fact with a rule's values. */
static size_t fact_of_rule(const struct fleet_rule *rule)
{
    return text_is(rule->key, "family")     ? fleet_family()
           : text_is(rule->key, "findings") ? fleet_findings()
                                            : fleet_fact(rule->of, rule->key);
}

static size_t other_fact(const char *key)
{
    size_t fact = fleet_fact(FACT_DEVICE, key);
    return fact_at(fact) ? fact : fleet_fact(FACT_PORT, key);
}

/* The values of those that have the subject; unknown ones are left out, and counted if others are known. */
static void collect(struct comparing *c, const struct fleet_rule *rule, const struct slot *slot,
                    struct column *column)
{
    size_t fact = fact_of_rule(rule), unknown = 0;
    size_t within = rule->within ? other_fact(rule->within) : 0, with = rule->with ? other_fact(rule->with) : 0;
    *column = (struct column){ .findings = &c->findings,
                               .rule = rule,
                               .key = rule->key,
                               .subject = slot ? slot->name : NULL,
                               .rows = c->rows };
    for (size_t h = 0; h < c->report->nhosts; h++) {
        const struct fleet_host *host = c->report->hosts[h];
        if (slot && slot->members[h] == NO_SUBJECT)
            continue;
        const struct fleet_subject *subject = slot ? &host->subjects[slot->members[h]] : NULL;
        const fleet_value *values = subject ? subject->values : host->values;
        if (rule->of == FACT_DEVICE && subject && !subject->first)
            continue;
        if (values[fact] == FLEET_ABSENT || (rule->within && values[within] == FLEET_ABSENT)) {
            unknown++;
            continue;
        }
        c->rows[column->count++] = (struct row){ rule->within ? values[within] : 0, values[fact],
                                                 rule->with ? values[with] : 0, (uint32_t)h };
    }
    c->report->keys += column->count > 1;
    c->report->unknown += column->count ? unknown : 0;
}

static void judge_rule(struct comparing *c, const struct fleet_rule *rule, const struct slot *slot)
{
    struct column column;
    if (rule->kind == RULE_NONE || rule->kind == RULE_UNIQUE || !findings_wants(&c->findings, rule->key))
        return;
    collect(c, rule, slot, &column);
    if (column.count < 2)
        return;
    if (rule->each)
        judge_each(&column);
    else
        judge_column(&column);
}

/* Hosts that lack a port that others have, or have one that others lack. */
static void judge_presence(struct comparing *c, const struct slot *slot)
{
    struct column column;
    const struct fleet_rule *rule = fleet_rule(FACT_PORT, "port");
    struct intern *texts = &c->findings.fleet->texts;
    if (slot->count == c->report->nhosts || !findings_wants(&c->findings, rule->key))
        return;
    column = (struct column){
        .findings = &c->findings, .rule = rule, .key = rule->key, .subject = slot->name, .rows = c->rows
    };
    for (size_t h = 0; h < c->report->nhosts; h++) {
        bool there = slot->members[h] != NO_SUBJECT;
        const char *text = there ? "there" : "missing";
        c->rows[column.count++] = (struct row){ .value = intern(texts, text, strlen(text)),
                                                .host = (uint32_t)h };
    }
    judge_column(&column);
}

/* -- unique -------------------------------------------------------------------------------------------- */

struct owner {
    fleet_value value;
    uint32_t host;
    const char *subject;
};

static int compare_owners(const void *one, const void *other)
{
    const struct owner *a = one, *b = other;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return a->host < b->host ? -1 : a->host > b->host;
}

/* A value that every host has, or one that isn't assigned yet. */
static bool is_nobodys(const char *text)
{
    return text_starts(text, "fe80:") || text_starts(text, "169.254.") || text_starts(text, "127.") ||
           text_is(text, "::1/128") || strspn(text, "0:") == strlen(text);
}

static void push_owners(struct comparing *c, const char *list, uint32_t host, const char *subject,
                        struct owner **owners, size_t *count, size_t *size)
{
    const char *at;
    for (size_t len; (at = fleet_next_item(&list, &len));) {
        if (is_nobodys(at))
            continue;
        if (*count == *size) {
            *size = *size ? *size * 2 : 1024;
            *owners = mem_resize(*owners, *size, sizeof(**owners));
        }
        size_t bare = strcspn(at, (char[]){ FLEET_ITEM, '/', '\0' });
        (*owners)[(*count)++] = (struct owner){ intern(&c->findings.fleet->texts, at, bare), host, subject };
    }
}

static void add_owners(struct comparing *c, const struct fleet_rule *rule, const struct owner *owners,
                       size_t count)
{
    struct fleet_group *group = arena_alloc(c->findings.arena, 1, sizeof(*group));
    uint32_t *members = arena_alloc(c->findings.arena, count, sizeof(*members));
    for (size_t i = 0; i < count; i++)
        if (group->count == 0 || members[group->count - 1] != owners[i].host)
            members[group->count++] = owners[i].host;
    if (group->count < 2)
        return;
    group->members = members;
    group->odd = true;
    group->value = findings_value(&c->findings, owners[0].value);
    findings_add(&c->findings, rule, rule->key, owners[0].subject, group, 1, 0);
}

static void judge_unique(struct comparing *c, const struct fleet_rule *rule)
{
    struct owner *owners = NULL;
    size_t count = 0, size = 0, fact = fact_of_rule(rule);
    bool is_host = rule->of == FACT_HOST;
    if (!findings_wants(&c->findings, rule->key))
        return;
    for (size_t h = 0; h < c->report->nhosts; h++) {
        const struct fleet_host *host = c->report->hosts[h];
        if (is_host && host->twin)
            push_owners(c, host->twin, (uint32_t)h, NULL, &owners, &count, &size);
        for (size_t i = 0; !is_host && i < host->nsubjects; i++) {
            const char *list = fleet_text(c->findings.fleet, host->subjects[i].values[fact]);
            if (list && (rule->of != FACT_DEVICE || host->subjects[i].first))
                push_owners(c, list, (uint32_t)h, host->subjects[i].name, &owners, &count, &size);
        }
    }
    if (count)
        qsort(owners, count, sizeof(*owners), compare_owners);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && owners[end].value == owners[i].value;)
            end++;
        if (end - i > 1)
            add_owners(c, rule, owners + i, end - i);
    }
    free(owners);
}

/* -- all ----------------------------------------------------------------------------------------------- */

struct fleet_report fleet_compare(struct fleet *fleet, const struct fleet_host *const *hosts, size_t count,
                                  const struct fleet_wish *wish, struct arena *arena)
{
    struct fleet_report report = { .hosts = hosts, .nhosts = count };
    struct comparing c = { .findings = { .fleet = fleet, .arena = arena, .hosts = hosts, .wish = wish },
                           .report = &report,
                           .rows = mem_alloc(count + 1, sizeof(*c.rows)) };
    if (!wish->no_others) {
        report.alignment = fleet_align(fleet, hosts, count, arena);
        for (size_t s = 0; s < report.alignment.nslots; s++)
            judge_presence(&c, &report.alignment.slots[s]);
    }
    for (const struct fleet_rule *rule = fleet_rules; rule->key; rule++) {
        if (rule->kind == RULE_UNIQUE && !wish->no_uniques)
            judge_unique(&c, rule);
        if (rule->of == FACT_HOST && !wish->no_others)
            judge_rule(&c, rule, NULL);
        for (size_t s = 0; rule->of != FACT_HOST && s < report.alignment.nslots; s++)
            judge_rule(&c, rule, &report.alignment.slots[s]);
    }
    findings_finish(&c.findings, &report);
    free(c.rows);
    return report;
}

enum verdict fleet_verdict(const struct fleet_report *report)
{
    return report->nfindings ? report->findings[0].verdict : VERDICT_PASS;
}
