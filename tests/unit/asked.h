/* SPDX-License-Identifier: MIT */
/* Asks one check about a host that stands in a test. */
#pragma once

#include <criterion/criterion.h>

#include "check/check.h"

static inline size_t check_count(void)
{
    size_t count = 0;
    while (check_all[count].id)
        count++;
    return count;
}

/* NULL past the end. */
static inline const struct check *check_at(size_t i)
{
    return i < check_count() ? &check_all[i] : NULL;
}

/* Its worst finding. */
static inline struct finding ask_about(const struct host *host, const char *id, struct arena *arena)
{
    struct check_selection selection = { .only = id };
    struct report report = check_run(host, NULL, 0, &selection, arena);
    cr_assert_geq(report.nfindings, 1, "%s was asked about nothing", id);
    return report.findings[0];
}

/* What listings say of the port. */
static inline struct port_verdict port_word(const struct host *host, const struct port *port,
                                            struct arena *arena)
{
    struct check_selection selection = { .glance = true };
    struct report report = check_run(host, NULL, 0, &selection, arena);
    return check_port_verdict(&report, port);
}

#define EXPECT_VERDICT(FINDING, VERDICT)                                                  \
    cr_expect_eq((FINDING).verdict, (VERDICT), "%s: %s, not %s: %s", (FINDING).check->id, \
                 verdict_name((FINDING).verdict), verdict_name(VERDICT), (FINDING).evidence)
#define EXPECT_TEXT(TEXT, WORDS) cr_expect(strstr((TEXT), (WORDS)), "\"%s\" isn't in: %s", (WORDS), (TEXT))
