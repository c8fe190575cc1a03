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
static inline const char *verdict_name(enum verdict verdict)
{
    static const char *const names[VERDICTS] = {
        [VERDICT_NA] = "n/a",          [VERDICT_PASS] = "pass", [VERDICT_INFO] = "info",
        [VERDICT_UNKNOWN] = "unknown", [VERDICT_WARN] = "warn", [VERDICT_FAIL] = "fail",
    };
    return names[verdict];
}
