/* SPDX-License-Identifier: MIT */
/* How the findings of doctor are shown. All print to standard output. */
#pragma once

#include "check/check.h"
#include "view/output.h"

/* The exit statuses of a monitoring plugin. */
enum { NAGIOS_OK, NAGIOS_WARNING, NAGIOS_CRITICAL, NAGIOS_UNKNOWN };

/* For a person: a summary, then what is wrong, worst first; with -v all the rest too. */
void findings_print(const struct look *look, const struct report *report);
/* For a program. interval_ms: between the two readings; 0 if there was only one. */
void findings_print_json(const struct report *report, const struct host *host, uint64_t interval_ms);

/* A monitoring plugin's answer: one line with performance data, then a line for each cause. Returns the exit
 * status; never OK when a vital check could not look. */
int findings_print_nagios(const struct report *report, const struct gate *gate);
/* One line of at most 80 columns, the worst first: for prologs and node-problem-detector. Returns false if it
 * says UNKNOWN, as a plugin's status would. */
bool findings_print_one_line(const struct report *report, const struct gate *gate);
