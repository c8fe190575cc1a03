/* SPDX-License-Identifier: MIT */
/* A report's result for a prolog, a monitoring system, a pipeline. */
#include "check/check.h"

bool gate_parse(const char *text, struct gate *gate)
{
    static const enum verdict verdicts[] = { VERDICT_INFO, VERDICT_WARN, VERDICT_FAIL };
    *gate = (struct gate){ .least = VERDICT_WARN, .unknown = text_is(text, "unknown") };
    if (!text || gate->unknown)
        return true;
    for (size_t i = 0; i < ARRAY_SIZE(verdicts); i++) {
        const char *name = verdict_name(verdicts[i]);
        const char *rest = text_starts(text, name) ? text + strlen(name) : NULL;
        if (!rest || (*rest && strcmp(rest, "+unknown") != 0))
            continue;
        *gate = (struct gate){ .least = verdicts[i], .unknown = *rest };
        return true;
    }
    return false;
}

enum verdict gate_verdict(const struct gate *gate, const struct report *report)
{
    static const enum verdict worst_first[] = { VERDICT_FAIL, VERDICT_WARN, VERDICT_INFO };
    for (size_t i = 0; i < ARRAY_SIZE(worst_first); i++)
        if (worst_first[i] >= gate->least && report->told[worst_first[i]])
            return worst_first[i];
    bool unknown = report->blind;
    for (size_t i = 0; i < report->nfindings && !unknown; i++)
        unknown = report->findings[i].verdict == VERDICT_UNKNOWN &&
                  report->findings[i].obstacle != OBSTACLE_BY_CHOICE;
    return gate->unknown && unknown ? VERDICT_UNKNOWN : VERDICT_PASS;
}
