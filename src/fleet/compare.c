/* SPDX-License-Identifier: MIT */
/* Compares the facts of many hosts. */
#include "fleet/compare.h"

#include "fleet/cables.h"

enum {
    MOST_GROUPS = 8, /* listed in a finding */
    MAJORITY = 80,   /* percent: if this many agree, the rest is odd */
    MOST_GENERATIONS = 64,
    MOST_WITHIN = 4, /* keys of a rule */
    FEWEST_OF_NUMBERS = 4,
};

/* The values that hosts have for a key. */
struct column {
    struct findings *findings;
    const struct fleet_rule *rule;
    const char *key, *subject; /* subject is NULL for hosts */
    struct fleet_rows rows;
};

/* -- equal, and pairs that fit ------------------------------------------------------------------------- */

/* Rows with the same value. */
struct run {
    const struct fleet_row *rows;
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
    if (!column->rule->common)
        return false;
    if (have_one_in_common(a->text, b->text))
        return true;
    /* both have a route, or may have one; but without an address nothing can be reached */
    const char *from = fleet_text(fleet, a->rows->with), *to = fleet_text(fleet, b->rows->with);
    return column->rule->with && *a->text && *b->text && !text_is(from, "no") && !text_is(to, "no");
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
        groups[i] = findings_group(column->findings, runs[i].rows, runs[i].count, i > 0 || !majority);
    findings_add(column->findings, column->rule, column->key, column->subject, groups, told + 1, odd - told);
}

/* Of sorted rows. The caller frees them. */
static struct run *make_runs(const struct fleet *fleet, const struct fleet_row *rows, size_t count,
                             size_t *nruns)
{
    struct run *runs = mem_alloc(count + 1, sizeof(*runs));
    *nruns = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || rows[i - 1].value != rows[i].value || rows[i - 1].with != rows[i].with)
            runs[(*nruns)++] = (struct run){ .rows = &rows[i], .text = fleet_text(fleet, rows[i].value) };
        runs[*nruns - 1].count++;
    }
    return runs;
}

/* Rows with the same value of the rule's `within` key. */
static void judge_part(const struct column *column, const struct fleet_row *rows, size_t count)
{
    size_t nruns;
    struct run *runs = make_runs(column->findings->fleet, rows, count, &nruns);
    if (nruns > 1)
        judge_runs(column, runs, nruns, count);
    free(runs);
}

static bool all_alike(const struct fleet_rows *rows)
{
    for (size_t i = 1; i < rows->count; i++)
        if (rows->items[i].value != rows->items[0].value)
            return false;
    return true;
}

static void judge_column(struct column *column)
{
    const struct fleet_row *rows = column->rows.items;
    if (column->rows.count < 2 || all_alike(&column->rows))
        return;
    bool folds = false;
    rows_sort(&column->rows);
    for (size_t i = 0, end; i < column->rows.count; i = end) {
        for (end = i + 1; end < column->rows.count && rows[end].within == rows[i].within;)
            end++;
        judge_part(column, rows + i, end - i);
        folds |= column->rule->within && column->rule->kind == RULE_EQUAL && rows[i].value != rows[0].value;
    }
    if (folds)
        *ARENA_PUSH_MANY(column->findings->arena, column->findings->folds,
                         column->findings->nfolds) = (struct fold){ column->rule, column->subject };
}

/* -- numbers ------------------------------------------------------------------------------------------- */

/* The median; sorts numbers. */
static uint64_t median(uint64_t *numbers, size_t count)
{
    qsort(numbers, count, sizeof(*numbers), number_ascending);
    return count % 2 ? numbers[count / 2] : numbers[count / 2 - 1] / 2 + numbers[count / 2] / 2;
}

/* Those beyond the limit, each with its number; the rest in one group. */
static void add_numbers(const struct column *column, const uint64_t *numbers, uint64_t middle, uint64_t limit)
{
    struct arena *arena = column->findings->arena;
    struct fleet_rows rest = { 0 };
    struct fleet_group *groups = arena_alloc(arena, MOST_GROUPS + 1, sizeof(*groups));
    size_t nodd = 0;
    for (size_t i = 0; i < column->rows.count; i++) {
        if (numbers[i] <= limit)
            rows_add(&rest, column->rows.items[i]);
        else if (nodd++ < MOST_GROUPS)
            groups[nodd] = findings_group(column->findings, &column->rows.items[i], 1, true);
    }
    if (nodd) {
        size_t told = nodd < MOST_GROUPS ? nodd : MOST_GROUPS;
        groups[0] = findings_group(column->findings, rest.items, rest.count, false);
        groups[0].value = arena_printf(arena, "%" PRIu64 " in the middle", middle);
        findings_add(column->findings, column->rule, column->key, column->subject, groups, told + 1,
                     nodd - told);
    }
    free(rest.items);
}

static void judge_numbers(const struct column *column)
{
    enum { FAR = 6 };
    size_t count = column->rows.count;
    if (count < FEWEST_OF_NUMBERS)
        return;
    uint64_t *numbers = mem_alloc(count, sizeof(*numbers)), *away = mem_alloc(count, sizeof(*away));
    for (size_t i = 0; i < count; i++)
        numbers[i] = away[i] = strtoull(fleet_text(column->findings->fleet, column->rows.items[i].value), NULL,
                                        10);
    uint64_t middle = median(away, count), limit = 0;
    for (size_t i = 0; i < count; i++)
        away[i] = numbers[i] > middle ? numbers[i] - middle : middle - numbers[i];
    uint64_t mad = median(away, count);
    if (__builtin_mul_overflow(mad, FAR, &limit) || __builtin_add_overflow(limit, middle, &limit))
        limit = UINT64_MAX;
    uint64_t least = middle > UINT64_MAX - column->rule->least ? UINT64_MAX : middle + column->rule->least;
    add_numbers(column, numbers, middle, limit > least ? limit : least);
    free(numbers);
    free(away);
}

/* -- items by their name ------------------------------------------------------------------------------- */

/* An item NAME=VALUE as a row: its name is what it is compared within, and host the place in the column. */
static void split_items(struct intern *texts, const char *list, uint32_t place, struct fleet_rows *items)
{
    const char *at;
    for (size_t len; (at = fleet_next_item(&list, &len));) {
        size_t name = strcspn(at, (char[]){ FLEET_ITEM, '=', '\0' });
        const char *value = name < len ? at + name + 1 : at + len;
        rows_add(items, (struct fleet_row){ .within = intern(texts, at, name),
                                            .value = intern(texts, value, (size_t)(at + len - value)),
                                            .host = place });
    }
}

static int compare_items(const void *one, const void *other)
{
    const struct fleet_row *a = one, *b = other;
    int r = number_order(a->within, b->within);
    return r ? r : number_order(a->host, b->host);
}

/* Items of one name, in a column of their own: hosts without it have "not set", or 0. */
static void judge_name(const struct column *column, const struct fleet_row *items, size_t count,
                       struct column *own)
{
    struct intern *texts = &column->findings->fleet->texts;
    const char *without = column->rule->kind == RULE_NUMBER        ? "0"
                          : text_is(column->rule->key, "findings") ? ""
                                                                   : "not set";
    own->key = arena_printf(column->findings->arena, "%s.%s", column->rule->key,
                            intern_text(texts, items->within));
    own->rows.count = 0;
    for (size_t i = 0; i < column->rows.count; i++) {
        rows_add(&own->rows, column->rows.items[i]);
        own->rows.items[i].value = intern(texts, without, strlen(without));
    }
    for (size_t i = 0; i < count; i++)
        own->rows.items[items[i].host].value = items[i].value;
    if (column->rule->kind == RULE_NUMBER)
        judge_numbers(own);
    else
        judge_column(own);
}

static void judge_each(const struct column *column)
{
    const struct fleet *fleet = column->findings->fleet;
    struct fleet_rows items = { 0 };
    struct column own = *column;
    own.rows = (struct fleet_rows){ 0 };
    if (all_alike(&column->rows) && column->rule->kind != RULE_NUMBER)
        return;
    for (size_t i = 0; i < column->rows.count; i++)
        split_items(&column->findings->fleet->texts, fleet_text(fleet, column->rows.items[i].value),
                    (uint32_t)i, &items);
    if (items.count)
        qsort(items.items, items.count, sizeof(*items.items), compare_items);
    for (size_t i = 0, end; i < items.count; i = end) {
        for (end = i + 1; end < items.count && items.items[end].within == items.items[i].within;)
            end++;
        judge_name(column, items.items + i, end - i, &own);
    }
    free(own.rows.items);
    free(items.items);
}

/* -- columns ------------------------------------------------------------------------------------------- */

/* The facts of the keys that the rule's subjects are compared within. */
static size_t facts_within(const struct fleet_rule *rule, size_t facts[static MOST_WITHIN])
{
    size_t count = 0;
    const char *list = rule->within, *at;
    for (size_t len; count < MOST_WITHIN && (at = text_next_item(&list, ',', &len));) {
        char key[32];
        snprintf(key, sizeof(key), "%.*s", (int)len, at);
        size_t fact = fleet_fact(FACT_DEVICE, key);
        facts[count++] = fact == FLEET_NO_FACT ? fleet_fact(FACT_PORT, key) : fact;
    }
    return count;
}

/* The values of those that have the subject; unknown ones are left out, and counted if others are known. */
static void collect(struct column *column, const struct slot *slot)
{
    const struct fleet_rule *rule = column->rule;
    const struct findings *findings = column->findings;
    struct fleet_report *report = findings->report;
    size_t fact = fleet_fact(rule->of, rule->key), unknown = 0, facts[MOST_WITHIN];
    size_t nwithin = facts_within(rule, facts), with = rule->with ? fleet_fact(FACT_PORT, rule->with) : 0;
    for (size_t h = 0; h < report->nhosts; h++) {
        const struct fleet_host *host = report->hosts[h];
        if (slot && slot->members[h] == NO_SUBJECT)
            continue;
        const struct fleet_subject *subject = slot ? &host->subjects[slot->members[h]] : NULL;
        const fleet_value *values = subject ? subject->values : host->values;
        if (rule->of == FACT_DEVICE && subject && !subject->first)
            continue;
        fleet_value within = nwithin && !subject ? findings->generations[h] : FLEET_ABSENT;
        for (size_t i = 0; subject && i < nwithin && !within; i++)
            within = values[facts[i]];
        if (values[fact] == FLEET_ABSENT)
            unknown++;
        else
            rows_add(&column->rows, (struct fleet_row){ within, values[fact], rule->with ? values[with] : 0,
                                                        (uint32_t)h, column->subject });
    }
    report->keys += column->rows.count > 1;
    report->unknown += column->rows.count ? unknown : 0;
}

static void judge_rule(struct findings *findings, const struct fleet_rule *rule, const struct slot *slot)
{
    struct column column = {
        .findings = findings, .rule = rule, .key = rule->key, .subject = slot ? slot->name : NULL
    };
    if (rule->kind == RULE_NONE || rule->kind == RULE_UNIQUE || !findings_wants(findings, rule->key))
        return;
    collect(&column, slot);
    if (column.rows.count >= 2 && rule->each)
        judge_each(&column);
    else
        judge_column(&column);
    free(column.rows.items);
}

/* Hosts that lack a port that others have, or have one that others lack. */
static void judge_presence(struct findings *findings, const struct slot *slot)
{
    const struct fleet_rule *rule = fleet_rule(FACT_PORT, "port");
    if (!rule || slot->count == findings->report->nhosts || !findings_wants(findings, rule->key))
        return;
    struct column column = { .findings = findings, .rule = rule, .key = rule->key, .subject = slot->name };
    for (uint32_t h = 0; h < findings->report->nhosts; h++) {
        const char *text = slot->members[h] == NO_SUBJECT ? "missing" : "there";
        rows_add(&column.rows, (struct fleet_row){ .within = findings->generations[h],
                                                   .value = intern(&findings->fleet->texts, text, strlen(text)),
                                                   .host = h });
    }
    judge_column(&column);
    free(column.rows.items);
}

/* -- unique -------------------------------------------------------------------------------------------- */

/* A value that every host has, or one that isn't assigned yet. */
static bool is_nobodys(const char *text)
{
    return text_starts(text, "fe80:") || text_starts(text, "169.254.") || text_starts(text, "127.") ||
           text_is(text, "::1/128") || strspn(text, "0:") == strlen(text);
}

static void add_owners(struct findings *findings, const char *list, size_t host, const char *subject,
                       struct fleet_rows *owners)
{
    const char *at;
    for (size_t len; (at = fleet_next_item(&list, &len));) {
        size_t bare = strcspn(at, (char[]){ FLEET_ITEM, '/', '\0' });
        if (!is_nobodys(at))
            rows_add(owners, (struct fleet_row){ .value = intern(&findings->fleet->texts, at, bare),
                                                 .host = (uint32_t)host,
                                                 .subject = subject });
    }
}

static void judge_unique(struct findings *findings, const struct fleet_rule *rule)
{
    struct fleet_rows owners = { 0 };
    size_t fact = fleet_fact(rule->of, rule->key);
    if (!findings_wants(findings, rule->key))
        return;
    for (size_t h = 0; h < findings->report->nhosts; h++) {
        const struct fleet_host *host = findings->report->hosts[h];
        if (rule->of == FACT_HOST)
            add_owners(findings, host->twin, h, NULL, &owners);
        for (size_t i = 0; rule->of != FACT_HOST && i < host->nsubjects; i++)
            if (rule->of != FACT_DEVICE || host->subjects[i].first)
                add_owners(findings, fleet_text(findings->fleet, host->subjects[i].values[fact]), h,
                           host->subjects[i].name, &owners);
    }
    rows_sort(&owners);
    for (size_t i = 0, count; i < owners.count; i += count) {
        const struct fleet_row *owner = &owners.items[i];
        count = rows_alike(owner, owners.count - i);
        if (owner->host == owner[count - 1].host)
            continue;
        struct fleet_group *group = arena_alloc(findings->arena, 1, sizeof(*group));
        *group = findings_group(findings, owner, count, true);
        findings_add(findings, rule, rule->key, owner->subject, group, 1, 0);
    }
    free(owners.items);
}

/* -- generations ---------------------------------------------------------------------------------------- */

/* A host's models, each once, in an order that is the same for all. */
static fleet_value models_of(struct findings *findings, const struct fleet_host *host)
{
    struct bytes text = { 0 };
    struct fleet_rows models = { 0 };
    size_t model = fleet_fact(FACT_DEVICE, "hca_type");
    for (size_t i = 0; i < host->nsubjects; i++)
        if (host->subjects[i].values[model] != FLEET_ABSENT)
            rows_add(&models, (struct fleet_row){ .value = host->subjects[i].values[model] });
    rows_sort(&models);
    for (size_t i = 0; i < models.count; i += rows_alike(&models.items[i], models.count - i))
        bytes_printf(&text, "%s%s", i ? (char[]){ FLEET_ITEM, '\0' } : "",
                     fleet_text(findings->fleet, models.items[i].value));
    fleet_value value = intern(&findings->fleet->texts, text.data ? text.data : "", text.len);
    bytes_free(&text);
    free(models.items);
    return value;
}

static bool has_all(const char *list, const char *of)
{
    const char *item;
    for (size_t len; (item = fleet_next_item(&of, &len));)
        if (!fleet_has_item(list, item, len))
            return false;
    return true;
}

static bool is_of_generation(const struct findings *findings, const struct run *first, const struct run *run)
{
    return findings->generations[first->rows->host] == first->rows->value &&
           (has_all(first->text, run->text) || has_all(run->text, first->text));
}

/* Hosts are of the most frequent generation that has all of their models, or some of them and no other: one
 * that lacks a card isn't another generation, nor is one that has a card too many. */
static void settle_generations(struct findings *findings)
{
    size_t nhosts = findings->report->nhosts, nruns;
    struct fleet_rows rows = { 0 };
    findings->generations = arena_alloc(findings->arena, nhosts + 1, sizeof(*findings->generations));
    for (size_t h = 0; h < nhosts; h++)
        rows_add(&rows, (struct fleet_row){ .value = models_of(findings, findings->report->hosts[h]),
                                            .host = (uint32_t)h });
    rows_sort(&rows);
    struct run *runs = make_runs(findings->fleet, rows.items, rows.count, &nruns);
    qsort(runs, nruns, sizeof(*runs), compare_runs);
    for (size_t i = 0; i < nruns; i++) {
        size_t of = 0, most = i < MOST_GENERATIONS ? i : MOST_GENERATIONS;
        while (of < most && !is_of_generation(findings, &runs[of], &runs[i]))
            of++;
        fleet_value generation = of < most ? findings->generations[runs[of].rows->host] : runs[i].rows->value;
        for (size_t r = 0; r < runs[i].count; r++)
            findings->generations[runs[i].rows[r].host] = generation;
    }
    free(runs);
    free(rows.items);
}

/* -- all ----------------------------------------------------------------------------------------------- */

struct fleet_report fleet_compare(struct fleet *fleet, const struct fleet_host *const *hosts, size_t count,
                                  const struct fleet_wish *wish, struct arena *arena)
{
    struct fleet_report report = { .hosts = hosts, .nhosts = count };
    struct findings findings = { .fleet = fleet, .arena = arena, .report = &report, .wish = wish };
    if (!wish->no_others) {
        settle_generations(&findings);
        report.alignment = fleet_align(fleet, hosts, count, arena);
        for (size_t s = 0; s < report.alignment.nslots; s++)
            judge_presence(&findings, &report.alignment.slots[s]);
    }
    for (const struct fleet_rule *rule = fleet_rules; rule->key; rule++) {
        if (rule->kind == RULE_UNIQUE && !wish->no_uniques)
            judge_unique(&findings, rule);
        if (rule->of == FACT_HOST && !wish->no_others)
            judge_rule(&findings, rule, NULL);
        for (size_t s = 0; rule->of != FACT_HOST && s < report.alignment.nslots; s++)
            judge_rule(&findings, rule, &report.alignment.slots[s]);
    }
    cables_judge(&findings);
    findings_finish(&findings);
    return report;
}

enum verdict fleet_verdict(const struct fleet_report *report)
{
    return report->nfindings ? report->findings[0].verdict : VERDICT_PASS;
}
