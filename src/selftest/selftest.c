/* SPDX-License-Identifier: MIT */
/* The tests of a run: verification first, then measurements. */
#include "selftest/test_run.h"

int selftest_run(struct run *run)
{
    const struct test_options *options = run->options;
    int r = options->verify ? plan_verify(run) : 0;
    if (r == 0 && (options->latency || options->bandwidth) && !run->dead)
        r = measure_all(run);
    if (run->dead) {
        struct result *result = run_add(run, "the rest", VERDICT_NA);
        snprintf(result->note, sizeof(result->note), "not tried: no message comes through");
    }
    return r;
}
