/* SPDX-License-Identifier: MIT */
/* --expect: which rows a condition is asked of, what is found, shares of the port's rate, what can't be judged.
 */
#include <criterion/criterion.h>
#include <criterion/redirect.h>

#include "selftest/diagnosis/diagnosis.h"
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
    cr_assert_str_eq(expected.items[0].found, "latency_median_us 12 (RC send, latency)");
    cr_assert(judge("gbits_per_second>=50"));
    cr_assert_not(judge("gbits_per_second>50"));
}

Test(expect, a_share_of_the_rate)
{
    cr_assert(judge("bandwidth>49%"));
    cr_assert(judge("rate_percent>=50%"));
    cr_assert_not(judge("bandwidth>90%"));
    cr_assert_str_eq(expected.items[0].found, "bandwidth 50% (RC write, bandwidth)");
    rows[1].mbytes_per_second = 11249.96;
    cr_assert_not(expectations_judge(&expected, LISTING(NULL, result_columns, rows, 2)));
    cr_assert_str_eq(expected.items[0].found, "bandwidth 89.9997% (RC write, bandwidth)");
    rows[1].mbytes_per_second = 11250.04;
    cr_assert(expectations_judge(&expected, LISTING(NULL, result_columns, rows, 2)));
    cr_assert_not(judge("rate_percent>=90"));
    cr_assert_str_eq(expected.items[0].found, "rate_percent 50% (RC write, bandwidth)");
    rows[1].rate_gbits = 0;
    cr_assert_not(expectations_judge(&expected, LISTING(NULL, result_columns, rows, 2)));
    cr_assert_str_eq(expected.items[0].found, "nothing: it wasn't measured, or isn't known of this port");
}

/* 50 Gb/s are 6250 MB/s, whatever the suffix. */
Test(expect, units)
{
    cr_assert(judge("gbits_per_second>49G and gbits_per_second<51G"));
    cr_assert(judge("Gb/s>=50G"));
    cr_assert(judge("gbits_per_second>49000M"));
    cr_assert_not(judge("gbits_per_second>0.06T"));
    cr_assert(judge("mbytes_per_second>6G and mbytes_per_second<7G"));
    cr_assert_not(judge("mbytes_per_second>6300M"));
    cr_assert(judge("mbytes_per_second>6249"));
}

Test(expect, what_was_not_measured_is_not_met)
{
    cr_assert_not(judge("latency_median_us<100 and gbits_per_second>1"));
    cr_assert_str_eq(expected.items[0].found, "nothing: it wasn't measured, or isn't known of this port");
}

Test(expect, nonsense_is_refused, .init = cr_redirect_stderr)
{
    static const char *const nonsense[] = { "latency_median_us<10%",
                                            "latency_median_us<10us",
                                            "speed>1",
                                            "bandwith>90%",
                                            "bandwidth>",
                                            "bandwidth>90G",
                                            "bandwidth>90%%",
                                            "bandwidth>much",
                                            "90%",
                                            "bandwidth>90% or",
                                            "" };
    for (size_t i = 0; i < sizeof(nonsense) / sizeof(*nonsense); i++)
        cr_expect_lt(expectations_add(&expected, result_columns, nonsense[i]), 0, "%s", nonsense[i]);
    cr_assert_eq(expected.count, 0);
    fflush(stderr);
    cr_assert_stderr_eq_str(
        "roce: --expect 'latency_median_us<10%': this column is not a share: it takes no '%', at character 19\n"
        "roce: --expect 'latency_median_us<10us': this column holds numbers, and this is not a number, at "
        "character 19\n"
        "roce: --expect 'speed>1', at character 1: unknown column 'speed'; --list-columns shows them\n"
        "roce: --expect 'bandwith>90%', at character 1: unknown column 'bandwith'; did you mean 'bandwidth'?; "
        "--list-columns shows them\n"
        "roce: --expect 'bandwidth>': a value is missing at character 11\n"
        "roce: --expect 'bandwidth>90G': this column is a share in percent, and this is not one, at character "
        "11\n"
        "roce: --expect 'bandwidth>90%%': this column holds numbers, and this is not a number, at character "
        "11\n"
        "roce: --expect 'bandwidth>much': this column holds numbers, and this is not a number, at character "
        "11\n"
        "roce: --expect '90%', at character 1: unknown column '90%'; --list-columns shows them\n"
        "roce: --expect 'bandwidth>90% or': another condition is missing at character 17\n"
        "roce: --expect '': a column's name is missing at character 1\n");
}
