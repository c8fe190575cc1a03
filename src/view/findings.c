/* SPDX-License-Identifier: MIT */
/* The findings of doctor, for a person, a program and a monitoring system. */
#include "view/findings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "view/block.h"
#include "view/json.h"
#include "view/rows.h"
#include "view/terminal.h"

enum { FEW = 4, LABEL = 10 };

/* -- for a person -------------------------------------------------------------------------------------- */

static void print_block(const struct look *look, const char *label, const char *text)
{
    block_print(label, LABEL - 1, text, look->width);
}

/* "mlx5_0/1: evidence"; a finding about the host has nobody to name. */
static char *found_text(const struct finding *finding)
{
    char subject[160];
    const char *evidence = finding->evidence ? finding->evidence : "";
    subject_format(finding->check, &finding->subject, subject);
    bool host = finding->check->scope == SCOPE_HOST;
    return mem_printf("%s%s%s", host ? "" : subject, host ? "" : ": ", evidence);
}

static void print_found(const struct look *look, const struct check_group *group, enum verdict least)
{
    bool all = look->verbose > 0;
    size_t shown = 0, more = 0;
    for (size_t i = 0; i < group->count; i++) {
        const struct finding *finding = &group->findings[i];
        if (finding->verdict < least)
            continue;
        if (!all && shown == FEW) {
            more++;
            continue;
        }
        char *line = found_text(finding);
        print_block(look, shown++ ? "" : "found", line);
        free(line);
    }
    if (more)
        printf("  %-*s and %zu more (-v shows all)\n", LABEL - 1, "", more);
}

/* Each fix once; who it is for, when they differ. */
static void print_fixes(const struct look *look, const struct check_group *group)
{
    size_t shown = 0;
    for (size_t i = 0; i < group->count; i++) {
        const struct finding *finding = &group->findings[i];
        bool seen = finding->verdict < VERDICT_WARN;
        for (size_t before = 0; before < i && !seen; before++)
            seen = strcmp(group->findings[before].fix, finding->fix) == 0;
        if (seen || (shown >= FEW && look->verbose == 0))
            continue;
        print_block(look, shown++ ? "" : "fix", finding->fix);
    }
}

static void print_problem(const struct look *look, const struct check_group *group)
{
    const char *name = group->verdict == VERDICT_FAIL ? "FAIL" : "WARN";
    printf("\n%s%s%s %s\n", tone_start(verdict_tone(group->verdict), look->color), name,
           tone_end(verdict_tone(group->verdict), look->color), group->check->id);
    print_block(look, "expected", group->check->healthy);
    print_found(look, group, VERDICT_WARN);
    print_block(look, "why", group->check->why);
    print_fixes(look, group);
}

static bool same_reason(const struct check_group *a, const struct check_group *b)
{
    return a->verdict == b->verdict && strcmp(a->findings[0].evidence, b->findings[0].evidence) == 0;
}

/* What could not be looked at: a line for each reason, with the checks that it holds up. */
static void print_unknowns(const struct look *look, const struct report *report)
{
    if (!report->counts[VERDICT_UNKNOWN])
        return;
    printf("\n%scould not look%s\n", tone_start(TONE_BOLD, look->color), tone_end(TONE_BOLD, look->color));
    for (size_t i = 0; i < report->ngroups; i++) {
        const struct check_group *group = &report->groups[i];
        bool seen = group->verdict != VERDICT_UNKNOWN;
        for (size_t before = 0; before < i && !seen; before++)
            seen = same_reason(&report->groups[before], group);
        if (seen)
            continue;
        struct bytes line = { 0 };
        char *found = found_text(&group->findings[0]);
        bytes_printf(&line, "%s", group->check->id);
        for (size_t other = i + 1; other < report->ngroups; other++)
            if (same_reason(group, &report->groups[other]))
                bytes_printf(&line, ", %s", report->groups[other].check->id);
        bytes_printf(&line, ": %s", found ? found : "");
        size_t more = 0;
        while (more + 1 < group->count && group->findings[more + 1].verdict == VERDICT_UNKNOWN)
            more++;
        if (more)
            bytes_printf(&line, " (and %zu more)", more);
        print_block(look, "", line.data);
        bytes_free(&line);
        free(found);
    }
}

static void print_quiet_ones(const struct report *report, enum verdict verdict, const char *heading)
{
    printf("\n%s\n", heading);
    for (size_t i = 0; i < report->ngroups; i++) {
        const struct check_group *group = &report->groups[i];
        if (group->verdict == verdict)
            printf("  %-22s %s\n", group->check->id, group->check->healthy);
    }
}

static void count_text(struct bytes *line, size_t count, const char *one, const char *many)
{
    bytes_printf(line, "%s%zu %s", line->len ? ", " : "", count, count == 1 ? one : many);
}

/* "2 failures, 3 warnings, 47 passed, 4 could not look" */
static void summary_text(const struct report *report, struct bytes *line)
{
    count_text(line, report->counts[VERDICT_FAIL], "failure", "failures");
    count_text(line, report->counts[VERDICT_WARN], "warning", "warnings");
    count_text(line, report->counts[VERDICT_PASS], "passed", "passed");
    count_text(line, report->counts[VERDICT_UNKNOWN], "could not look", "could not look");
}

void findings_print(const struct look *look, const struct report *report)
{
    struct bytes line = { 0 };
    summary_text(report, &line);
    printf("%s\n", line.data);
    bytes_free(&line);
    for (size_t i = 0; i < report->ngroups; i++)
        if (report->groups[i].verdict >= VERDICT_WARN)
            print_problem(look, &report->groups[i]);
    print_unknowns(look, report);
    if (look->verbose > 0) {
        print_quiet_ones(report, VERDICT_PASS, "passed");
        print_quiet_ones(report, VERDICT_NA, "does not apply here");
    }
}

/* -- for programs -------------------------------------------------------------------------------------- */

static json_t *finding_json(const struct finding *finding)
{
    const struct subject *subject = &finding->subject;
    json_t *object = json_object();
    json_put_text(object, "id", finding->check->id);
    json_put_text(object, "topic", finding->check->topic);
    json_put_text(object, "verdict", verdict_name(finding->verdict));
    json_put_text(object, "device", subject->device ? subject->device->name : NULL);
    json_put_num(object, "port", subject->port ? num_of(subject->port->number) : (struct num){ 0 });
    json_put_text(object, "netdev", subject->netdev ? subject->netdev->name : NULL);
    json_put_text(object, "evidence", finding->evidence);
    json_put_text(object, "why", finding->check->why);
    json_put_text(object, "fix", finding->verdict >= VERDICT_WARN ? finding->fix : NULL);
    return object;
}

void findings_print_json(const struct report *report, const struct host *host, uint64_t interval_ms)
{
    json_t *top = json_envelope(), *summary = json_object(), *findings = json_array();
    static const char *const keys[VERDICTS] = {
        [VERDICT_FAIL] = "fail", [VERDICT_WARN] = "warn", [VERDICT_UNKNOWN] = "unknown", [VERDICT_PASS] = "pass", [VERDICT_NA] = "not_applicable"
    };
    for (int i = VERDICTS - 1; i >= 0; i--)
        json_put_unsigned(summary, keys[i], report->counts[i]);
    json_put_unsigned(summary, "checks", report->ngroups);
    json_put_num(summary, "interval_ms", num_if(interval_ms > 0, interval_ms));
    for (size_t i = 0; i < report->nfindings; i++)
        json_array_append_new(findings, finding_json(&report->findings[i]));
    json_object_set_new(top, "summary", summary);
    json_object_set_new(top, "findings", findings);
    json_add_problems(top, host);
    json_print(top);
}

static int nagios_status(const struct report *report)
{
    if (report->counts[VERDICT_FAIL])
        return NAGIOS_CRITICAL;
    if (report->counts[VERDICT_WARN])
        return NAGIOS_WARNING;
    return report->counts[VERDICT_UNKNOWN] && !report->counts[VERDICT_PASS] ? NAGIOS_UNKNOWN : NAGIOS_OK;
}

/* "ROCE CRITICAL - 2 failures, …: port-active mlx5_2/1, …|fail=2;;0 …": one line, nothing in it that the
 * format uses as a separator. */
int findings_print_nagios(const struct report *report)
{
    static const char *const words[] = { "OK", "WARNING", "CRITICAL", "UNKNOWN" };
    int status = nagios_status(report);
    struct bytes line = { 0 };
    size_t shown = 0;
    summary_text(report, &line);
    for (size_t i = 0; i < report->nfindings && shown < FEW; i++) {
        char subject[160];
        if (report->findings[i].verdict < VERDICT_WARN)
            continue;
        subject_format(report->findings[i].check, &report->findings[i].subject, subject);
        bytes_printf(&line, "%s%s %s", shown++ ? ", " : ": ", report->findings[i].check->id, subject);
    }
    char *clean = text_clean(line.data, TEXT_ONE_LINE);
    for (char *at = clean; (at = strchr(at, '|'));)
        *at = '/';
    printf("ROCE %s - %s|fail=%zu;;0 warn=%zu;0 unknown=%zu pass=%zu\n", words[status], clean,
           report->counts[VERDICT_FAIL], report->counts[VERDICT_WARN], report->counts[VERDICT_UNKNOWN],
           report->counts[VERDICT_PASS]);
    free(clean);
    bytes_free(&line);
    return status;
}
