/* SPDX-License-Identifier: MIT */
#include "model/verdict.h"

/* clang-format off */
static const char *const names[VERDICTS] = {
    [VERDICT_NA] = "n/a",
    [VERDICT_PASS] = "pass",
    [VERDICT_INFO] = "info",
    [VERDICT_UNKNOWN] = "unknown",
    [VERDICT_WARN] = "warn",
    [VERDICT_FAIL] = "fail",
};
/* clang-format on */

const char *verdict_name(enum verdict verdict)
{
    return names[verdict];
}
