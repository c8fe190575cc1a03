/* SPDX-License-Identifier: MIT */
#pragma once

/* The outcome of checking or trying something, from harmless to worst. */
enum verdict {
    VERDICT_NA,      /* doesn't apply: no such port, driver, setting or ability here */
    VERDICT_PASS,    /* checked, and fine */
    VERDICT_INFO,    /* worth knowing, not a fault */
    VERDICT_UNKNOWN, /* couldn't check: no permission, no back end; the evidence says which */
    VERDICT_WARN,
    VERDICT_FAIL,
    VERDICTS
};

/* "fail", "warn", "unknown", "info", "pass", "n/a" */
const char *verdict_name(enum verdict verdict);
