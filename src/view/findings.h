/* SPDX-License-Identifier: MIT */
/* How the findings of doctor are shown. All print to standard output. */
#pragma once

#include "check/check.h"
#include "view/look.h"

/* The exit statuses of a monitoring plugin. */
enum { NAGIOS_OK, NAGIOS_WARNING, NAGIOS_CRITICAL, NAGIOS_UNKNOWN };

/* For a person: a summary, then what is wrong, worst first; with -v all the rest, too. */
void findings_print(const struct look *look, const struct report *report);
/* For a program. interval_ms: between the two readings; 0: there was one. */
void findings_print_json(const struct report *report, const struct host *host, uint64_t interval_ms);
/* One line with performance data; the status to exit with. */
int findings_print_nagios(const struct report *report);
