/* SPDX-License-Identifier: MIT */
/* How the findings of doctor are shown. All print to standard output. */
#pragma once

#include <jansson.h>

#include "check/check.h"
#include "view/output.h"

/* The exit statuses of a monitoring plugin. */
enum { NAGIOS_OK, NAGIOS_WARNING, NAGIOS_CRITICAL, NAGIOS_UNKNOWN };

/* For a person: a summary, then what is wrong, worst first; with -v all the rest too. */
void findings_print(const struct look *look, const struct report *report);
/* For a program: adds the summary, the causes and the findings to an object. interval_ms: between the two
 * readings; 0 if there was only one. */
void findings_add_json(json_t *top, const struct report *report, uint64_t interval_ms);
/* What was judged of a time; or, with begin_ms 0, now. */
struct findings_part {
    const struct report *report;
    uint64_t begin_ms, end_ms; /* since 1970 */
    size_t readings;           /* compared in all of it; 0: those of now */
};
/* The whole answer of doctor: of `whole`, what was found in each part (at least one). */
void findings_print_json(const struct findings_part *whole, uint64_t interval_ms,
                         const struct findings_part *parts, size_t count);
/* The summary's one line: "2 failures, 1 warning, 47 passed, 4 could not look"; the caller frees it. */
char *findings_summary_text(const struct report *report);
/* The same for a program, {"cause_counts":{"fail":…},"check_counts":{…}}: a new reference. A cause is what a
 * person reads as one finding; checks are counted by their worst verdict. */
json_t *findings_summary_json(const struct report *report);

/* A monitoring plugin's answer: one line with performance data, then a line for each cause. Returns the exit
 * status; never OK when a vital check could not look. */
int findings_print_nagios(const struct report *report, const struct gate *gate);
/* One line of at most 80 columns, the worst first: for prologs and node-problem-detector. Returns false if it
 * says UNKNOWN, as a plugin's status would. */
bool findings_print_one_line(const struct report *report, const struct gate *gate);
