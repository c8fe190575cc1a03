/* SPDX-License-Identifier: MIT */
/* What comparing hosts found, as text and JSON. */
#include "view/comparison.h"

#include "view/json.h"
#include "view/page.h"
#include "view/rows.h"
#include "view/terminal.h"

enum { LABEL = 10 };

/* -- for a person -------------------------------------------------------------------------------------- */

static void print_block(const struct look *look, const char *label, char *text)
{
    block_print(label, LABEL - 1, text, look->width);
    free(text);
}

/* "h3: 4096", "the other 63: 1024". */
static char *group_text(const struct fleet_finding *finding, size_t g)
{
    const struct fleet_group *group = &finding->groups[g];
    if (finding->rule->kind == RULE_UNIQUE && finding->ngroups == 1)
        return mem_printf("%s: all have %s", group->hosts, group->value);
    if (group->odd || finding->groups[0].odd || !group->members || group->count < 2)
        return mem_printf("%s: %s", group->hosts, group->value);
    return mem_printf("the other %zu: %s", group->count, group->value);
}

/* The odd ones first, then what the rest have. */
static void print_groups(const struct look *look, const struct fleet_finding *finding, bool changes)
{
    bool first = true;
    for (int odd = 1; odd >= 0; odd--)
        for (size_t i = 0; i < finding->ngroups; i++) {
            size_t g = changes ? finding->ngroups - 1 - i : i;
            if (finding->groups[g].odd != (odd != 0))
                continue;
            print_block(look, first ? "found" : "", group_text(finding, g));
            first = false;
        }
    if (finding->more_values)
        print_block(look, "", mem_printf("and %zu values more", finding->more_values));
}

static void print_also(const struct look *look, const struct fleet_finding *finding)
{
    struct bytes line = { 0 };
    for (size_t i = 0; i < finding->nalso; i++) {
        bool seen = false;
        for (size_t before = 0; before < i && !seen; before++)
            seen = strcmp(finding->also[before], finding->also[i]) == 0;
        if (!seen)
            bytes_printf(&line, "%s%s", line.len ? ", " : "", finding->also[i]);
    }
    if (line.len)
        block_print("also", LABEL - 1, line.data, look->width);
    bytes_free(&line);
}

static void print_finding(const struct look *look, const struct fleet_finding *finding, bool changes)
{
    const char *name = finding->verdict == VERDICT_FAIL   ? "FAIL"
                       : finding->verdict == VERDICT_WARN ? "WARN"
                                                          : "INFO";
    char *key = text_clean(finding->key, TEXT_ONE_LINE);
    printf("\n%s%s%s %s%s%s\n", tone_start(verdict_tone(finding->verdict), look->color), name,
           tone_end(verdict_tone(finding->verdict), look->color), key, finding->subject ? " of " : "",
           finding->subject ? finding->subject : "");
    free(key);
    print_groups(look, finding, changes);
    if (changes)
        return;
    block_print("why", LABEL - 1, packed_line(finding->rule->why), look->width);
    block_print("fix", LABEL - 1, packed_line(finding->rule->fix), look->width);
    print_also(look, finding);
}

static void print_when(const struct fleet_report *report)
{
    const struct fleet_host *before = report->hosts[0], *after = report->hosts[1];
    printf("%s: %s to %s\n", after->name, before->time ? before->time : before->file,
           after->time ? after->time : after->file);
}

static size_t count_verdict(const struct comparison *comparison, enum verdict verdict)
{
    size_t count = 0;
    for (size_t r = 0; r < comparison->nreports; r++)
        for (size_t i = 0; i < comparison->reports[r].nfindings; i++)
            count += comparison->reports[r].findings[i].verdict == verdict;
    return count;
}

static size_t count_keys(const struct comparison *comparison)
{
    size_t keys = 0;
    for (size_t r = 0; r < comparison->nreports; r++)
        keys += comparison->reports[r].keys;
    return keys;
}

static void print_summary(const struct comparison *comparison)
{
    static const enum verdict verdicts[] = { VERDICT_FAIL, VERDICT_WARN, VERDICT_INFO };
    static const char *const words[][2] = { { "failure", "failures" },
                                            { "warning", "warnings" },
                                            { "worth knowing", "worth knowing" } };
    size_t keys = count_keys(comparison);
    if (!comparison->changes)
        printf("%zu host%s, ", comparison->nhosts, comparison->nhosts == 1 ? "" : "s");
    printf("%zu key%s compared", keys, keys == 1 ? "" : "s");
    bool any = false;
    for (size_t i = 0; i < ARRAY_SIZE(verdicts); i++) {
        size_t count = count_verdict(comparison, verdicts[i]);
        if (count)
            printf("%s %zu %s", any ? "," : ":", count, words[i][count != 1]);
        any |= count > 0;
    }
    if (!any)
        printf(": %s", comparison->changes   ? "nothing changed"
                       : comparison->against ? "all are as expected"
                                             : "nothing differs");
    putchar('\n');
}

void comparison_print(const struct look *look, const struct comparison *comparison)
{
    if (comparison->changes)
        print_when(&comparison->reports[0]);
    print_summary(comparison);
    for (size_t r = 0; r < comparison->nreports; r++) {
        const struct fleet_report *report = &comparison->reports[r];
        if (report->part && report->nfindings)
            printf("\n%s%s (%zu %s)%s\n", tone_start(TONE_BOLD, look->color), report->part, report->nhosts,
                   report->nhosts == 1 ? "host" : "hosts", tone_end(TONE_BOLD, look->color));
        for (size_t i = 0; i < report->nfindings; i++)
            print_finding(look, &report->findings[i], comparison->changes);
    }
}

/* -- for a program ------------------------------------------------------------------------------------- */

static void put_group(json_t *array, const struct fleet_group *group)
{
    json_t *object = json_push_object(array);
    json_put_text(object, "text", group->value);
    json_put_text(object, "hosts", group->hosts);
    json_put_unsigned(object, "count", group->count);
    json_put_bool(object, "odd", group->odd);
}

static void put_finding(json_t *array, const struct fleet_report *report, const struct fleet_finding *finding)
{
    static const char *const kinds[] = { "none", "equal", "unique", "pair", "number" };
    json_t *object = json_push_object(array);
    json_put_text(object, "key", finding->key);
    json_put_text(object, "verdict", verdict_name(finding->verdict));
    json_put_text(object, "rule", kinds[finding->rule->kind]);
    json_put_text(object, "part", report->part);
    json_put_text(object, "subject", finding->subject);
    json_t *groups = json_add_array(object, "groups");
    for (size_t i = 0; i < finding->ngroups; i++)
        put_group(groups, &finding->groups[i]);
    json_put_unsigned(object, "more_values", finding->more_values);
    json_put_text(object, "why", packed_line(finding->rule->why));
    json_put_text(object, "fix", packed_line(finding->rule->fix));
    json_object_set_new(object, "also", json_texts(finding->also, finding->nalso));
}

void refused_put(json_t *top, const struct refused *refused, size_t count)
{
    json_t *array = json_add_array(top, "refused");
    for (size_t i = 0; i < count; i++) {
        json_t *object = json_push_object(array);
        json_put_text(object, "file", refused[i].file);
        json_put_num(object, "line", num_if(refused[i].line > 0, refused[i].line));
        json_put_text(object, "what", refused[i].what);
    }
}

static void put_summary(json_t *top, const struct comparison *comparison)
{
    json_t *summary = json_add_object(top, "summary");
    size_t unknown = 0;
    for (size_t r = 0; r < comparison->nreports; r++)
        unknown += comparison->reports[r].unknown;
    json_put_text(summary, "mode", comparison->changes ? "changes" : comparison->against ? "against" : "hosts");
    json_put_unsigned(summary, "nhosts", comparison->nhosts);
    json_put_unsigned(summary, "keys", count_keys(comparison));
    json_put_unsigned(summary, "fail", count_verdict(comparison, VERDICT_FAIL));
    json_put_unsigned(summary, "warn", count_verdict(comparison, VERDICT_WARN));
    json_put_unsigned(summary, "info", count_verdict(comparison, VERDICT_INFO));
    json_put_unsigned(summary, "unknown", unknown);
    json_put_unsigned(summary, "replaced", comparison->replaced);
    const struct fleet_report *first = comparison->changes ? &comparison->reports[0] : NULL;
    json_put_text(summary, "before", first ? first->hosts[0]->time : NULL);
    json_put_text(summary, "after", first ? first->hosts[1]->time : NULL);
}

void comparison_print_json(const struct comparison *comparison)
{
    json_t *top = json_envelope(NULL);
    put_summary(top, comparison);
    json_t *findings = json_add_array(top, "findings");
    for (size_t r = 0; r < comparison->nreports; r++)
        for (size_t i = 0; i < comparison->reports[r].nfindings; i++)
            put_finding(findings, &comparison->reports[r], &comparison->reports[r].findings[i]);
    refused_put(top, comparison->refused, comparison->nrefused);
    json_print(top);
}
