/* SPDX-License-Identifier: MIT */
/* Which rows, and in which order: --filter and --sort. */
#include "view/query.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>

struct row {
    const char *device, *netdev;
    struct num rate, bytes;
    enum tristate carrier;
    const char *addresses[2];
};

static struct value get_addresses(const void *row)
{
    const struct row *of = row;
    return value_texts(of->addresses, (of->addresses[0] != NULL) + (of->addresses[1] != NULL));
}

static const struct column columns[] = {
    { "device", MEMBER(struct row, device) },
    { "netdev", MEMBER(struct row, netdev) },
    { "rate_mbps", "rate", MEMBER_AS(VALUE_MBPS, struct row, rate) },
    { "bytes", MEMBER_AS(VALUE_BYTES, struct row, bytes) },
    { "carrier", MEMBER_YES_NO(struct row, carrier) },
    { "addresses", .type = VALUE_STRINGS, .get = get_addresses },
    { 0 },
};

#define KNOWN(number)                    \
    {                                    \
        .value = (number), .known = true \
    }
static const struct row rows[] = {
    { "mlx5_10", "rail10", KNOWN(400000), KNOWN(1 << 20), TRI_YES, { "10.0.0.1/24", "fe80::1/64" } },
    { "mlx5_2", "rail2", KNOWN(100000), KNOWN(10), TRI_NO, { "10.0.1.1/24" } },
    { "mlx5_0", "storage", KNOWN(25000), { 0 }, TRI_UNKNOWN, { NULL } },
    { "rxe0", NULL, { 0 }, KNOWN(5), TRI_YES, { "fe80::2/64" } },
};

/* The devices that are shown, in their order. */
static const char *devices(const char *filter, const char *sort)
{
    static char text[128];
    struct query query;
    struct cell_context cells = { 0 };
    size_t count;
    cr_assert_eq(query_make(&query, columns, &(struct look){ .filter = filter, .sort = sort }), 0, "%s",
                 filter);
    const void **shown = query_rows(&query, &cells, rows, ARRAY_SIZE(rows), sizeof(*rows), &count);
    *text = '\0';
    for (size_t i = 0; i < count; i++)
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? " " : "",
                 ((const struct row *)shown[i])->device);
    free(shown);
    query_free(&query);
    return text;
}

static void expect_rows(const char *filter, const char *expected)
{
    cr_expect_str_eq(devices(filter, NULL), expected, "%s: %s", filter, devices(filter, NULL));
}

Test(filter, text_by_equality_pattern_and_version_order)
{
    expect_rows("netdev=RAIL2", "mlx5_2");
    expect_rows("netdev == \"rail2\"", "mlx5_2");
    expect_rows("netdev!=rail2", "mlx5_10 mlx5_0 rxe0");
    expect_rows("netdev~^rail", "mlx5_10 mlx5_2");
    expect_rows("netdev=rail*", "mlx5_10 mlx5_2");
    expect_rows("device=mlx5_[0-2]", "mlx5_2 mlx5_0");
    expect_rows("netdev!=rail*", "mlx5_0 rxe0");
    expect_rows("netdev !~ '^(rail|x)'", "mlx5_0 rxe0");
    expect_rows("device<mlx5_10", "mlx5_2 mlx5_0");
    expect_rows("NETDEV~(rail2|rail10)$", "mlx5_10 mlx5_2");
}

Test(filter, numbers_in_the_unit_of_the_name)
{
    expect_rows("rate<400", "mlx5_2 mlx5_0");
    expect_rows("rate=100", "mlx5_2");
    expect_rows("rate_mbps=100000", "mlx5_2");
    expect_rows("rate>=0.1T", "mlx5_10 mlx5_2");
    expect_rows("rate_mbps<=25Gb/s", "mlx5_0");
    expect_rows("bytes>=1MiB", "mlx5_10");
    expect_rows("bytes<0xb", "mlx5_2 rxe0");
}

Test(filter, what_is_unknown_holds_no_comparison)
{
    expect_rows("rate>0", "mlx5_10 mlx5_2 mlx5_0");
    expect_rows("rate!=25", "mlx5_10 mlx5_2 rxe0");
    expect_rows("rate=-", "rxe0");
    expect_rows("rate!=-", "mlx5_10 mlx5_2 mlx5_0");
    expect_rows("rate", "mlx5_10 mlx5_2 mlx5_0");
    expect_rows("not rate", "rxe0");
}

Test(filter, yes_no_and_lists)
{
    expect_rows("carrier", "mlx5_10 rxe0");
    expect_rows("carrier=no", "mlx5_2");
    expect_rows("carrier!=true", "mlx5_2 mlx5_0");
    expect_rows("addresses~^fe80", "mlx5_10 rxe0");
    expect_rows("addresses!~^fe80", "mlx5_2 mlx5_0");
    expect_rows("addresses=10.0.1.1/24", "mlx5_2");
}

Test(filter, and_binds_more_than_or_and_not_more_than_both)
{
    expect_rows("device=rxe0 or rate<400 and netdev~rail", "mlx5_2 rxe0");
    expect_rows("(device=rxe0 or rate<400) and netdev~rail", "mlx5_2");
    expect_rows("not netdev~rail and rate", "mlx5_0");
    expect_rows("!(netdev~rail && rate) || device=mlx5_2", "mlx5_2 mlx5_0 rxe0");
}

static void refuse(const char *filter, const char *message)
{
    struct query query;
    cr_redirect_stderr();
    cr_expect_lt(query_make(&query, columns, &(struct look){ .filter = filter }), 0, "%s", filter);
    fflush(stderr);
    cr_assert_stderr_eq_str(message);
}

#define REFUSED(name, filter, message)                              \
    Test(filter_refused, name)                                      \
    {                                                               \
        refuse(filter, "roce: --filter '" filter "'" message "\n"); \
    }
REFUSED(unknown_column, "device=x or netdve=y",
        ", at character 13: unknown column 'netdve'; did you mean 'netdev'?; --list-columns shows them")
REFUSED(no_value, "rate<", ": a value is missing at character 6")
REFUSED(no_number, "rate<fast", ": this column holds numbers, and this is not a number, at character 6")
REFUSED(no_yes, "carrier=up", ": this column holds yes or no, and takes only = and !=, at character 9")
REFUSED(bad_pattern, "netdev~[a", ": Unmatched [, [^, [:, [., or [= at character 8")
REFUSED(parenthesis, "(rate<5", ": ')' is missing at character 8")
REFUSED(two_at_once, "rate<5 device=x", ": 'and' or 'or' was expected at character 8")
REFUSED(nothing, "", ": a column's name is missing at character 1")
REFUSED(quote, "netdev='a", ": a quote that doesn't end at character 8")

Test(filter_refused, too_much)
{
    struct query query;
    char deep[256];
    struct bytes many = { 0 };
    memset(deep, '(', sizeof(deep) - 1);
    deep[sizeof(deep) - 1] = '\0';
    for (size_t i = 0; i < 100; i++)
        bytes_printf(&many, "%srate", i ? " or " : "");
    cr_redirect_stderr();
    cr_expect_lt(query_make(&query, columns, &(struct look){ .filter = deep }), 0);
    cr_expect_lt(query_make(&query, columns, &(struct look){ .filter = many.data }), 0);
    bytes_free(&many);
}

Test(sort, by_value_in_version_order_the_unknown_last)
{
    cr_expect_str_eq(devices(NULL, "device"), "mlx5_0 mlx5_2 mlx5_10 rxe0");
    cr_expect_str_eq(devices(NULL, "-device"), "rxe0 mlx5_10 mlx5_2 mlx5_0");
    cr_expect_str_eq(devices(NULL, "rate"), "mlx5_0 mlx5_2 mlx5_10 rxe0");
    cr_expect_str_eq(devices(NULL, "-RATE"), "mlx5_10 mlx5_2 mlx5_0 rxe0");
    cr_expect_str_eq(devices(NULL, "carrier,-bytes"), "mlx5_2 mlx5_10 rxe0 mlx5_0");
    cr_expect_str_eq(devices("rate", "-netdev"), "mlx5_0 mlx5_10 mlx5_2");
}

Test(sort, what_it_leaves_equal_stays_as_it_was)
{
    cr_expect_str_eq(devices("carrier=yes", "carrier"), "mlx5_10 rxe0");
}

Test(sort, unknown_column)
{
    struct query query;
    cr_redirect_stderr();
    cr_assert_lt(query_make(&query, columns, &(struct look){ .sort = "device,-rat" }), 0);
    fflush(stderr);
    cr_assert_stderr_eq_str(
        "roce: --sort: unknown column 'rat'; did you mean 'rate'?; --list-columns shows them\n");
}
