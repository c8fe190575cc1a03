/* SPDX-License-Identifier: MIT */
/* --expect: which rows a condition is asked of, what is found, shares of the port's rate, what can't be judged. */
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <string.h>

#include "selftest/diagnosis/failure.h"
#include "view/expect.h"
#include "view/results.h"

static struct result rows[2];
static struct expectations expected;

/* A latency of 12 µs; 50 of 100 Gb/s. */
static bool judge(const char *text)
{
    expectations_free(&expected);
    expected.count = 0;
    memset(rows, 0, sizeof(rows));
    snprintf(rows[0].operation, sizeof(rows[0].operation), "RC send, latency");
    rows[0].latency.count = 1;
    rows[0].latency.median = 12;
    snprintf(rows[1].operation, sizeof(rows[1].operation), "RC write, bandwidth");
    rows[1].mbytes_per_second = 6250;
    rows[1].rate_gbits = 100;
    cr_assert_eq(expectations_add(&expected, result_columns, text), 0);
    return expectations_judge(&expected, LISTING(NULL, result_columns, rows, 2));
}

Test(expect, of_rows_that_have_it)
{
    cr_assert(judge("latency_median_us<13"));
    cr_assert_not(judge("latency_median_us<10"));
    cr_assert_str_eq(expected.items[0].found, "latency_median_us 12.0 (RC send, latency)");
    cr_assert(judge("gbits_per_second>=50"));
    cr_assert_not(judge("gbits_per_second>50"));
}

Test(expect, a_share_of_the_rate)
{
    cr_assert(judge("bandwidth>49%"));
    cr_assert(judge("rate_percent>=50%"));
    cr_assert_not(judge("bandwidth>90%"));
    cr_assert_str_eq(expected.items[0].found, "rate_percent 50.0 (RC write, bandwidth)");
    rows[1].rate_gbits = 0;
    cr_assert_not(expectations_judge(&expected, LISTING(NULL, result_columns, rows, 2)));
    cr_assert_str_eq(expected.items[0].found, "nothing: it wasn't measured");
}

Test(expect, what_was_not_measured_is_not_met)
{
    cr_assert_not(judge("latency_median_us<100 and gbits_per_second>1"));
    cr_assert_str_eq(expected.items[0].found, "nothing: it wasn't measured");
}

Test(expect, nonsense_is_refused, .init = cr_redirect_stderr)
{
    cr_assert_lt(expectations_add(&expected, result_columns, "latency_median_us<10%"), 0);
    cr_assert_lt(expectations_add(&expected, result_columns, "speed>1"), 0);
    cr_assert_lt(expectations_add(&expected, result_columns, "bandwidth>"), 0);
    cr_assert_eq(expected.count, 0);
}
