/* SPDX-License-Identifier: MIT */
/* The findings of doctor in a line: for monitoring systems, prologs and logs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "view/findings.h"

/* Text of the machine in a line of a plugin: '|' ends its text there. */
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
        subject_format(cause->check, &cause->findings[i]->subject, subject);
        bytes_printf(line, "%s%s", i ? ", " : "", subject);
    }
    if (cause->count > most)
        bytes_printf(line, " and %zu more", cause->count - most);
}

/* Neither well nor wrong: what has to be seen could not be, or nothing at all could. */
static bool could_not_look(const struct report *report, const struct gate *gate)
{
    enum verdict verdict = gate_verdict(gate, report);
    return verdict == VERDICT_UNKNOWN ||
           (verdict == VERDICT_PASS &&
            (report->blind || (report->counts[VERDICT_UNKNOWN] && !report->counts[VERDICT_PASS])));
}

static int nagios_status(const struct report *report, const struct gate *gate)
{
    switch (gate_verdict(gate, report)) {
    case VERDICT_FAIL:
        return NAGIOS_CRITICAL;
    case VERDICT_WARN:
    case VERDICT_INFO:
        return NAGIOS_WARNING;
    default:
        return could_not_look(report, gate) ? NAGIOS_UNKNOWN : NAGIOS_OK;
    }
}

/* Is a cause bad enough for this gate? */
static bool matters(const struct root_cause *cause, const struct gate *gate)
{
    return cause->verdict >= gate->least;
}

static void print_cause_line(const struct root_cause *cause)
{
    enum { FEW_SUBJECTS = 4 };
    struct bytes line = { 0 };
    bytes_printf(&line, "%s %s ", verdict_name(cause->verdict), cause->check->id);
    subjects_text(cause, FEW_SUBJECTS, &line);
    bytes_printf(&line, ": %s", cause->findings[0]->evidence ? cause->findings[0]->evidence : "");
    char *clean = plugin_text(line.data);
    printf("%s\n", clean);
    free(clean);
    bytes_free(&line);
}

int findings_print_nagios(const struct report *report, const struct gate *gate)
{
    static const char *const words[] = { "OK", "WARNING", "CRITICAL", "UNKNOWN" };
    enum { FEW = 4 };
    int status = nagios_status(report, gate);
    struct bytes line = { 0 };
    size_t shown = 0;
    findings_summary(report, &line);
    for (size_t i = 0; i < report->ncauses && shown < FEW; i++) { /* commas: Nagios makes a colon of ';' */
        if (!matters(&report->causes[i], gate))
            continue;
        bytes_printf(&line, "%s%s ", shown++ ? ", " : ": ", report->causes[i].check->id);
        subjects_text(&report->causes[i], 1, &line);
    }
    char *clean = plugin_text(line.data);
    printf("ROCE %s - %s|fail=%zu;;0 warn=%zu;0 info=%zu unknown=%zu pass=%zu\n", words[status], clean,
           report->told[VERDICT_FAIL], report->told[VERDICT_WARN], report->told[VERDICT_INFO],
           report->counts[VERDICT_UNKNOWN], report->counts[VERDICT_PASS]);
    for (size_t i = 0; i < report->ncauses; i++)
        if (matters(&report->causes[i], gate))
            print_cause_line(&report->causes[i]);
    free(clean);
    bytes_free(&line);
    return status;
}

/* The first words of a line that says how it stands: "FAIL netdev-carrier mlx5_2/1". False: that isn't known. */
static bool one_line_text(const struct report *report, const struct gate *gate, struct bytes *line)
{
    bool told = false;
    for (size_t i = 0; i < report->ncauses; i++) {
        const struct root_cause *cause = &report->causes[i];
        if (!matters(cause, gate))
            continue;
        bytes_printf(line, "%s%s %s ", told ? "; " : "",
                     cause->verdict == VERDICT_FAIL   ? "FAIL"
                     : cause->verdict == VERDICT_WARN ? "WARN"
                                                      : "INFO",
                     cause->check->id);
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
