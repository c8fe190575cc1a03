/* SPDX-License-Identifier: MIT */
#pragma once

/* What came of looking at something, or of trying it, from harmless to worst. */
enum verdict {
    VERDICT_NA,      /* it doesn't apply: no such port, driver, setting or ability here */
    VERDICT_PASS,    /* looked at, and fine */
    VERDICT_INFO,    /* worth knowing, and no fault */
    VERDICT_UNKNOWN, /* could not look: no permission, no back end; the evidence says which */
    VERDICT_WARN,
    VERDICT_FAIL,
    VERDICTS
};

/* "fail", "warn", "unknown", "info", "pass", "n/a" */
const char *verdict_name(enum verdict verdict);
