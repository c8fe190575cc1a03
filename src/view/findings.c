/* SPDX-License-Identifier: MIT */
/* The findings of doctor, for a person, a program and a monitoring system. */
#include "view/findings.h"

#include "tables.h"
#include "view/json.h"
#include "view/page.h"
#include "view/rows.h"
#include "view/terminal.h"

enum { FEW = 4, LABEL = 10 };

/* -- for a person -------------------------------------------------------------------------------------- */

static void print_block(const struct look *look, const char *label, const char *text)
{
    block_print(label, LABEL - 1, text, look->width);
}

/* "mlx5_0/1: evidence"; a finding about the host has no subject to name. */
static char *found_text(const struct finding *finding)
{
    char subject[160];
    const char *evidence = finding->evidence ? finding->evidence : "";
    subject_format(&finding->subject, subject);
    bool host = finding->check->scope == SCOPE_HOST;
    return mem_printf("%s%s%s", host ? "" : subject, host ? "" : ": ", evidence);
}

static void print_more(size_t count)
{
    printf("  %-*s and %zu more (-v shows all)\n", LABEL - 1, "", count);
}

static void print_found(const struct look *look, const struct root_cause *cause)
{
    size_t most = look->verbose > 0 ? cause->count : FEW;
    for (size_t i = 0; i < cause->count && i < most; i++) {
        char *line = found_text(cause->findings[i]);
        print_block(look, i ? "" : "found", line);
        free(line);
    }
    if (cause->count > most)
        print_more(cause->count - most);
}

/* Each fix once, with what else needs it. */
static void print_fixes(const struct look *look, const struct root_cause *cause)
{
    size_t most = look->verbose > 0 ? cause->nfixes : FEW;
    for (size_t i = 0; i < cause->nfixes && i < most; i++) {
        const struct cause_fix *fix = &cause->fixes[i];
        print_block(look, i ? "" : "fix", fix->text);
        if (fix->same_for)
            block_printf("", LABEL - 1, look->width, "the same for %s", fix->same_for);
    }
    if (cause->nfixes > most)
        print_more(cause->nfixes - most);
}

static const char *const capitals[VERDICTS] = {
    [VERDICT_FAIL] = "FAIL", [VERDICT_WARN] = "WARN", [VERDICT_INFO] = "INFO"
};

static void print_cause(const struct look *look, const struct root_cause *cause)
{
    printf("\n%s%s%s %s\n", tone_start(verdict_tone(cause->verdict), look->color), capitals[cause->verdict],
           tone_end(verdict_tone(cause->verdict), look->color), cause->check->id);
    print_block(look, "expected", packed_line(cause->check->healthy));
    print_found(look, cause);
    print_block(look, "why", packed_line(cause->check->why));
    print_fixes(look, cause);
    struct bytes also = { 0 };
    for (size_t i = 0; i < cause->nalso; i++)
        bytes_printf(&also, "%s%s", i ? ", " : "", cause->also[i]->id);
    if (also.len)
        print_block(look, "also", also.data);
    bytes_free(&also);
}

static void print_heading(const struct look *look, const char *text)
{
    printf("\n%s%s%s\n", tone_start(TONE_BOLD, look->color), text, tone_end(TONE_BOLD, look->color));
}

static bool same_evidence(const struct finding *a, const struct finding *b)
{
    return strcmp(a->evidence ? a->evidence : "", b->evidence ? b->evidence : "") == 0;
}

/* "port-in-use: mlx5_2/1, mlx5_3/1: no address …": one line per evidence. */
static void print_info(const struct look *look, const struct root_cause *cause)
{
    for (size_t i = 0; i < cause->count; i++) {
        bool seen = false;
        for (size_t before = 0; before < i && !seen; before++)
            seen = same_evidence(cause->findings[before], cause->findings[i]);
        if (seen)
            continue;
        struct bytes line = { 0 };
        bytes_printf(&line, "%s", cause->check->id);
        const char *between = ": ";
        for (size_t other = i; other < cause->count && cause->check->scope != SCOPE_HOST; other++) {
            char subject[160];
            if (!same_evidence(cause->findings[other], cause->findings[i]))
                continue;
            subject_format(&cause->findings[other]->subject, subject);
            bytes_printf(&line, "%s%s", between, subject);
            between = ", ";
        }
        bytes_printf(&line, ": %s", cause->findings[i]->evidence ? cause->findings[i]->evidence : "");
        block_print("", 0, line.data, look->width);
        bytes_free(&line);
    }
}

static void print_infos(const struct look *look, const struct report *report)
{
    if (report->told[VERDICT_INFO])
        print_heading(look, "worth knowing");
    for (size_t i = 0; i < report->ncauses; i++)
        if (report->causes[i].verdict == VERDICT_INFO)
            print_info(look, &report->causes[i]);
}

static bool same_reason(const struct check_group *a, const struct check_group *b)
{
    return a->verdict == b->verdict && strcmp(a->findings[0].evidence, b->findings[0].evidence) == 0;
}

/* Everything that could not be checked: one line per reason, with the checks it blocks. */
static void print_all_unknowns(const struct look *look, const struct report *report)
{
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
        bytes_printf(&line, ": %s", found);
        size_t more = 0;
        while (more + 1 < group->count && group->findings[more + 1].verdict == VERDICT_UNKNOWN)
            more++;
        if (more)
            bytes_printf(&line, " (and %zu more)", more);
        block_print("", 0, line.data, look->width);
        bytes_free(&line);
        free(found);
    }
}

/* One line per obstacle, with what to do about it. */
static void print_unknowns(const struct look *look, const struct report *report)
{
    static const char *const texts[OBSTACLES] = { OBSTACLE_TEXTS };
    if (!report->counts[VERDICT_UNKNOWN])
        return;
    print_heading(look, "could not look");
    if (look->verbose > 0) {
        print_all_unknowns(look, report);
        return;
    }
    for (int obstacle = 0; obstacle < OBSTACLES; obstacle++) {
        size_t count = 0;
        for (size_t i = 0; i < report->ngroups; i++)
            count += report->groups[i].verdict == VERDICT_UNKNOWN &&
                     report->groups[i].findings[0].obstacle == (enum obstacle)obstacle;
        if (count)
            block_printf("", 0, look->width, "%zu %s: %s", count, count == 1 ? "check" : "checks",
                         texts[obstacle]);
    }
}

static void print_quiet_ones(const struct look *look, const struct report *report, enum verdict verdict,
                             const char *heading)
{
    enum { ID = 22 };
    print_heading(look, heading);
    for (size_t i = 0; i < report->ngroups; i++) {
        const struct check_group *group = &report->groups[i];
        if (group->verdict == verdict)
            block_print(group->check->id, ID, packed_line(group->check->healthy), look->width);
    }
}

static void count_text(struct bytes *line, size_t count, const char *one, const char *many)
{
    bytes_printf(line, "%s%zu %s", line->len ? ", " : "", count, count == 1 ? one : many);
}

char *findings_summary_text(const struct report *report)
{
    struct bytes line = { 0 };
    count_text(&line, report->told[VERDICT_FAIL], "failure", "failures");
    count_text(&line, report->told[VERDICT_WARN], "warning", "warnings");
    if (report->told[VERDICT_INFO])
        count_text(&line, report->told[VERDICT_INFO], "worth knowing", "worth knowing");
    count_text(&line, report->counts[VERDICT_PASS], "passed", "passed");
    count_text(&line, report->counts[VERDICT_UNKNOWN], "could not look", "could not look");
    return line.data;
}

static void print_summary(const struct look *look, const struct report *report)
{
    char *line = findings_summary_text(report);
    line_print(look->width, 0, "%s", line);
    free(line);
}

void findings_print(const struct look *look, const struct report *report)
{
    print_summary(look, report);
    for (size_t i = 0; i < report->ncauses; i++)
        if (report->causes[i].verdict >= VERDICT_WARN)
            print_cause(look, &report->causes[i]);
    print_infos(look, report);
    print_unknowns(look, report);
    if (look->verbose > 0) {
        print_quiet_ones(look, report, VERDICT_PASS, "passed");
        print_quiet_ones(look, report, VERDICT_NA, "does not apply here");
    }
    if (report->ncauses > 1 || look->verbose > 0) {
        putchar('\n');
        print_summary(look, report);
    }
}

/* -- for programs -------------------------------------------------------------------------------------- */

static void put_subject(json_t *object, const struct subject *subject)
{
    json_put_text(object, "device", subject->device ? subject->device->name : NULL);
    json_put_num(object, "port", subject->port ? num_of(subject->port->number) : (struct num){ 0 });
    json_put_text(object, "netdev", subject->netdev ? subject->netdev->name : NULL);
}

static void put_finding(json_t *object, const struct finding *finding)
{
    bool told = finding->verdict >= VERDICT_WARN || finding->verdict == VERDICT_INFO;
    json_put_text(object, "id", finding->check->id);
    json_put_text(object, "topic", finding->check->topic);
    json_put_text(object, "verdict", verdict_name(finding->verdict));
    put_subject(object, &finding->subject);
    json_put_text(object, "evidence", finding->evidence);
    json_put_text(object, "why", packed_line(finding->check->why));
    json_put_text(object, "fix", told ? finding->fix : NULL);
    json_put_text(object, "because", finding->cause ? finding->cause->check->id : NULL);
}

static void put_cause(json_t *object, const struct root_cause *cause)
{
    json_put_text(object, "id", cause->check->id);
    json_put_text(object, "verdict", verdict_name(cause->verdict));
    json_t *subjects = json_add_array(object, "subjects"), *fixes = json_add_array(object, "fixes"),
           *also = json_add_array(object, "also");
    for (size_t i = 0; i < cause->count; i++)
        put_subject(json_push_object(subjects), &cause->findings[i]->subject);
    for (size_t i = 0; i < cause->nfixes; i++)
        json_array_append_new(fixes, json_text(cause->fixes[i].text));
    for (size_t i = 0; i < cause->nalso; i++)
        json_array_append_new(also, json_text(cause->also[i]->id));
}

json_t *findings_summary_json(const struct report *report)
{
    static const char *const keys[VERDICTS] = { VERDICT_KEYS };
    json_t *summary = json_object(), *causes = json_add_object(summary, "cause_counts"),
           *checks = json_add_object(summary, "check_counts");
    for (int i = VERDICTS - 1; i >= 0; i--) {
        json_put_unsigned(checks, keys[i], report->counts[i]);
        if (i >= VERDICT_WARN || i == VERDICT_INFO)
            json_put_unsigned(causes, keys[i], report->told[i]);
    }
    json_put_unsigned(checks, "total", report->ngroups);
    return summary;
}

static void put_times(json_t *object, const struct findings_part *part)
{
    json_put_time(object, "begin", part->begin_ms);
    json_put_time(object, "end", part->end_ms);
}

/* The worst that any part says of each check, which are the same in all of them. */
static struct report worst_of(const struct findings_part *parts, size_t count)
{
    struct report all = { .ngroups = parts->report->ngroups };
    for (size_t g = 0; g < all.ngroups; g++) {
        enum verdict worst = parts->report->groups[g].verdict;
        for (size_t i = 1; i < count; i++)
            for (size_t other = 0; other < all.ngroups; other++)
                if (parts[i].report->groups[other].check == parts->report->groups[g].check &&
                    parts[i].report->groups[other].verdict > worst)
                    worst = parts[i].report->groups[other].verdict;
        all.counts[worst]++;
    }
    for (size_t i = 0; i < count; i++)
        for (int v = 0; v < VERDICTS; v++)
            all.told[v] += parts[i].report->told[v];
    return all;
}

static void add_parts(json_t *top, const struct findings_part *whole, uint64_t interval_ms,
                      const struct findings_part *parts, size_t count)
{
    const struct report all = worst_of(parts, count);
    json_t *summary = findings_summary_json(&all), *causes = json_add_array(top, "causes"),
           *findings = json_add_array(top, "findings");
    json_object_set_new(top, "summary", summary);
    json_put_num(summary, "interval_ms", num_if(interval_ms > 0, interval_ms));
    put_times(summary, whole);
    json_put_num(summary, "reading_count", num_if(whole->readings > 0, whole->readings));
    for (const struct findings_part *part = parts; part < parts + count; part++) {
        for (size_t i = 0; i < part->report->ncauses; i++) {
            json_t *cause = json_push_object(causes);
            put_cause(cause, &part->report->causes[i]);
            put_times(cause, part);
        }
        for (size_t i = 0; i < part->report->nfindings; i++) {
            json_t *finding = json_push_object(findings);
            put_finding(finding, &part->report->findings[i]);
            put_times(finding, part);
        }
    }
}

void findings_add_json(json_t *top, const struct report *report, uint64_t interval_ms)
{
    const struct findings_part now = { .report = report };
    add_parts(top, &now, interval_ms, &now, 1);
}

void findings_print_json(const struct findings_part *whole, uint64_t interval_ms,
                         const struct findings_part *parts, size_t count)
{
    const struct host *host = parts[count - 1].report->host;
    json_t *top = json_envelope(host);
    add_parts(top, whole, interval_ms, parts, count);
    json_add_problems(top, host);
    json_print(top);
}

/* The findings of doctor in one line: for monitoring systems, prologs and logs. */

/* The machine's text in a plugin's line, where '|' would end the text. */
static char *plugin_text(const char *text)
{
    char *clean = text_clean(text, TEXT_ONE_LINE);
    for (char *at = clean; (at = strchr(at, '|'));)
        *at = '/';
    return clean;
}

/* "mlx5_0/1, mlx5_1/1 and 3 more" */
static void subjects_text(const struct root_cause *cause, size_t most, struct bytes *line)
{
    for (size_t i = 0; i < cause->count && i < most; i++) {
        char subject[160];
        subject_format(&cause->findings[i]->subject, subject);
        bytes_printf(line, "%s%s", i ? ", " : "", subject);
    }
    if (cause->count > most)
        bytes_printf(line, " and %zu more", cause->count - most);
}

/* Neither good nor bad: a vital check could not look, or none could. */
static bool could_not_look(const struct report *report, const struct gate *gate)
{
    enum verdict verdict = gate_verdict(gate, report);
    return verdict == VERDICT_UNKNOWN ||
           (verdict == VERDICT_PASS &&
            (report->blind || (report->counts[VERDICT_UNKNOWN] && !report->counts[VERDICT_PASS])));
}

static int nagios_status(const struct report *report, const struct gate *gate)
{
    enum verdict verdict = gate_verdict(gate, report);
    return verdict == VERDICT_FAIL                              ? NAGIOS_CRITICAL
           : verdict == VERDICT_WARN || verdict == VERDICT_INFO ? NAGIOS_WARNING
           : could_not_look(report, gate)                       ? NAGIOS_UNKNOWN
                                                                : NAGIOS_OK;
}

static void print_cause_line(const struct root_cause *cause)
{
    struct bytes line = { 0 };
    bytes_printf(&line, "%s %s ", verdict_name(cause->verdict), cause->check->id);
    subjects_text(cause, FEW, &line);
    bytes_printf(&line, ": %s", cause->findings[0]->evidence ? cause->findings[0]->evidence : "");
    char *clean = plugin_text(line.data);
    printf("%s\n", clean);
    free(clean);
    bytes_free(&line);
}

int findings_print_nagios(const struct report *report, const struct gate *gate)
{
    static const char *const words[] = { "OK", "WARNING", "CRITICAL", "UNKNOWN" };
    int status = nagios_status(report, gate);
    struct bytes line = { 0 };
    size_t shown = 0;
    char *summary = findings_summary_text(report);
    bytes_printf(&line, "%s", summary);
    free(summary);
    for (size_t i = 0; i < report->ncauses && shown < FEW; i++) { /* commas: Nagios turns ';' into a colon */
        if (report->causes[i].verdict < gate->least)
            continue;
        bytes_printf(&line, "%s%s ", shown++ ? ", " : ": ", report->causes[i].check->id);
        subjects_text(&report->causes[i], 1, &line);
    }
    char *clean = plugin_text(line.data);
    printf("ROCE %s - %s|fail=%zu;;0 warn=%zu;0 info=%zu unknown=%zu pass=%zu\n", words[status], clean,
           report->told[VERDICT_FAIL], report->told[VERDICT_WARN], report->told[VERDICT_INFO],
           report->counts[VERDICT_UNKNOWN], report->counts[VERDICT_PASS]);
    for (size_t i = 0; i < report->ncauses; i++)
        if (report->causes[i].verdict >= gate->least)
            print_cause_line(&report->causes[i]);
    free(clean);
    bytes_free(&line);
    return status;
}

/* The first words of a status line: "FAIL netdev-carrier mlx5_2/1". Returns false if the status is unknown. */
static bool one_line_text(const struct report *report, const struct gate *gate, struct bytes *line)
{
    bool told = false;
    for (size_t i = 0; i < report->ncauses; i++) {
        const struct root_cause *cause = &report->causes[i];
        if (cause->verdict < gate->least)
            continue;
        bytes_printf(line, "%s%s %s ", told ? "; " : "", capitals[cause->verdict], cause->check->id);
        subjects_text(cause, 1, line);
        told = true;
    }
    if (told)
        return true;
    if (could_not_look(report, gate)) {
        size_t unknown = report->counts[VERDICT_UNKNOWN];
        bytes_printf(line, "UNKNOWN %zu check%s could not look", unknown, unknown == 1 ? "" : "s");
        for (size_t i = 0, shown = 0; i < report->ngroups; i++)
            if (report->groups[i].verdict == VERDICT_UNKNOWN && report->groups[i].check->vital)
                bytes_printf(line, "%s%s", shown++ ? ", " : ": ", report->groups[i].check->id);
        return false;
    }
    bytes_printf(line, "OK %zu passed, %zu could not look", report->counts[VERDICT_PASS],
                 report->counts[VERDICT_UNKNOWN]);
    return true;
}

bool findings_print_one_line(const struct report *report, const struct gate *gate)
{
    enum { WIDTH = 80 };
    struct bytes line = { 0 };
    bool known = one_line_text(report, gate, &line);
    char *clean = text_clean(line.data, TEXT_ONE_LINE);
    bool cut = text_width(clean) > WIDTH;
    printf("%.*s%s\n", (int)text_prefix(clean, cut ? WIDTH - 3 : WIDTH), clean, cut ? "..." : "");
    free(clean);
    bytes_free(&line);
    return known;
}
