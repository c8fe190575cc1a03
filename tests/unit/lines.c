/* SPDX-License-Identifier: MIT */
/* Rows as CSV and as pairs: whatever a name holds, it stays one field, and a shell runs nothing of it. */
#include "view/listing.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>

struct row {
    const char *name;
    struct num number;
    enum tristate yes;
    const char *const *texts;
    size_t count;
};

static struct value get_texts(const void *row)
{
    return value_texts(((const struct row *)row)->texts, ((const struct row *)row)->count);
}

static const struct column columns[] = {
    { "name", MEMBER(struct row, name) },
    { "number", MEMBER(struct row, number) },
    { "yes", MEMBER_YES_NO(struct row, yes) },
    { "texts", .type = VALUE_STRINGS, .get = get_texts },
    { 0 },
};

static const char *const texts[] = { "a", "b c" };
static const struct row rows[] = {
    { "plain", { .value = UINT64_C(1) << 62, .known = true }, TRI_YES, texts, 2 },
    { "x\",y\n$(id) `id` \\", { 0 }, TRI_UNKNOWN, NULL, 0 },
};

static void print(const struct look *look)
{
    cr_redirect_stdout();
    listing_print(look, LISTING(NULL, columns, rows, 2), "rows", NULL);
    fflush(stdout);
}

Test(lines, csv_quotes_what_it_has_to)
{
    print(&(const struct look){ .format = FORMAT_CSV });
    cr_assert_stdout_eq_str("name,number,yes,texts\n"
                            "plain,4611686018427387904,true,a;b c\n"
                            "\"x\"\",y\\x0a$(id) `id` \\\",,,\n");
}

Test(lines, csv_without_headings)
{
    print(&(const struct look){
        .format = FORMAT_CSV, .no_header = true, .columns = "number,name", .filter = "yes" });
    cr_assert_stdout_eq_str("4611686018427387904,plain\n");
}

Test(lines, pairs_are_safe_to_eval)
{
    print(&(const struct look){ .format = FORMAT_PAIRS });
    cr_assert_stdout_eq_str("NAME=\"plain\" NUMBER=\"4611686018427387904\" YES=\"true\" TEXTS=\"a;b c\"\n"
                            "NAME=\"x\\\",y\\\\x0a\\$(id) \\`id\\` \\\\\" NUMBER=\"\" YES=\"\" TEXTS=\"\"\n");
}

Test(lines, an_object_a_line)
{
    print(&(const struct look){ .format = FORMAT_JSON_LINES, .columns = "name,yes", .sort = "name" });
    cr_assert_stdout_eq_str("{\"name\":\"plain\",\"yes\":true}\n"
                            "{\"name\":\"x\\\",y\\\\x0a$(id) `id` \\\\\",\"yes\":null}\n");
}
