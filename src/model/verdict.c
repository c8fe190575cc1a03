/* SPDX-License-Identifier: MIT */
/* The words for verdicts. */
#include "model/verdict.h"

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[VERDICTS] = {
        [VERDICT_NA] = "n/a",          [VERDICT_PASS] = "pass", [VERDICT_INFO] = "info",
        [VERDICT_UNKNOWN] = "unknown", [VERDICT_WARN] = "warn", [VERDICT_FAIL] = "fail",
    };
    return names[verdict];
}
