/* SPDX-License-Identifier: MIT */
/* A column that names a member shows what lies there. */
#include "view/column.h"

#include <criterion/criterion.h>

#include "view/value.h"

struct inner {
    const char *text;
    struct num number;
    struct snum numa;
};

struct row {
    const struct inner *inner;
    const char *name;
    char note[12];
    uint8_t tiny;
    uint16_t small;
    uint32_t count;
    uint64_t large[2];
    enum tristate carrier;
    double measured;
    const struct row *next;
};

static const struct inner inner = { "inner", { .value = 4096, .known = true }, { .value = -1, .known = true } };
static const struct inner unknown;
static const struct row last = { .inner = &inner, .name = "last" };
static const struct row row = { .inner = &unknown,
                                .name = "row",
                                .note = "a note",
                                .tiny = 200,
                                .small = 60000,
                                .count = 4000000000,
                                .large = { 1, UINT64_MAX },
                                .carrier = TRI_NO,
                                .measured = 1.5,
                                .next = &last };

static const struct column columns[] = {
    { "name", MEMBER(struct row, name) },
    { "note", MEMBER(struct row, note) },
    { "tiny", MEMBER_AS(VALUE_UNSIGNED, struct row, tiny) },
    { "small", MEMBER_AS(VALUE_UNSIGNED, struct row, small) },
    { "count", MEMBER_AS(VALUE_BYTES, struct row, count) },
    { "large", MEMBER_HEX(4, struct row, large[1]) },
    { "carrier", MEMBER_YES_NO(struct row, carrier) },
    { "measured", MEMBER(struct row, measured) },
    { "unknown", MEMBER(struct row, inner, number) },
    { "text", MEMBER(struct row, next, inner, text) },
    { "number", MEMBER_AS(VALUE_MBPS, struct row, next, inner, number) },
    { "numa", MEMBER(struct row, next, inner, numa) },
    { 0 },
};

static struct value value_of(const char *key, const struct row *of)
{
    const struct column *column = columns;
    while (strcmp(column->key, key) != 0)
        column++;
    return column_value(column, NULL, of);
}

static void expect_number(const char *key, enum value_type type, uint64_t number)
{
    struct value value = value_of(key, &row);
    cr_expect_eq(value.type, type, "%s", key);
    cr_expect_eq(value.number, number, "%s", key);
}

Test(member, texts)
{
    cr_assert_str_eq(value_of("name", &row).text, "row");
    cr_assert_str_eq(value_of("note", &row).text, "a note");
    cr_assert_str_eq(value_of("text", &row).text, "inner");
}

Test(member, numbers_of_every_size)
{
    expect_number("tiny", VALUE_UNSIGNED, 200);
    expect_number("small", VALUE_UNSIGNED, 60000);
    expect_number("count", VALUE_BYTES, 4000000000);
    expect_number("large", VALUE_HEX, UINT64_MAX);
    expect_number("number", VALUE_MBPS, 4096);
    expect_number("carrier", VALUE_BOOLEAN, 0);
    cr_assert_eq(value_of("large", &row).digits, 4);
    cr_assert_eq(value_of("numa", &row).integer, -1);
    cr_assert_float_eq(value_of("measured", &row).real, 1.5, 1e-9);
}

Test(member, what_is_not_known)
{
    cr_assert_eq(value_of("unknown", &row).type, VALUE_ABSENT, "a number that isn't known");
    cr_assert_eq(value_of("text", &last).type, VALUE_ABSENT, "nothing on the way there");
    cr_assert_eq(value_of("number", &last).type, VALUE_ABSENT);
    cr_assert_eq(value_of("carrier", &last).type, VALUE_ABSENT, "neither yes nor no");
    cr_assert_eq(value_of("measured", &last).type, VALUE_ABSENT, "not measured");
    cr_assert_eq(value_of("name", &(struct row){ 0 }).type, VALUE_ABSENT, "no text");
}

static void expect_cell(struct value value, const char *text)
{
    char *cell = cell_text(&value);
    cr_expect_str_eq(cell, text);
    free(cell);
}

Test(cell, measurements_have_three_digits)
{
    expect_cell(value_real(1.5), "1.50");
    expect_cell(value_real(15), "15.0");
    expect_cell(value_real(1500.4), "1500");
    expect_cell(value_real(0), "-");
}
