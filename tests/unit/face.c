/* SPDX-License-Identifier: MIT */
/* How a table shares a terminal's width, and what stands for what ASCII hasn't. */
#include <criterion/criterion.h>
#include <criterion/redirect.h>

#include "base/glyph.h"
#include "command/command.h"
#include "view/page.h"
#include "view/table.h"
#include "view/value.h"

/* Headings, flags and ranks of columns; a row of texts. */
static struct table *table_of(size_t count, const struct table_column *columns, const char *const *texts)
{
    struct table *table = table_new(count, 1);
    for (size_t c = 0; c < count; c++) {
        table->columns[c] = columns[c];
        table_set(table, 0, c, mem_strdup(texts[c]), TONE_PLAIN);
    }
    return table;
}

static void expect(size_t count, const struct table_column *columns, const char *const *texts, size_t width,
                   const char *shown)
{
    struct table *table = table_of(count, columns, texts);
    cr_redirect_stdout();
    table_print(table, true, false, width);
    fflush(stdout);
    cr_assert_stdout_eq_str(shown);
    table_free(table);
}

static const struct table_column listing[] = {
    { .heading = "device" },
    { .heading = "narrow", .rank = 1 },
    { .heading = "widest", .rank = 2 },
    { .heading = "last", .rank = 3 },
};
static const char *const row[] = { "mlx5_0", "1", "a text of thirty columns, or so", "x" };

Test(fit, what_went_in_vain_comes_back)
{
    /* the last goes first, but when the widest has gone too there is room for it */
    expect(4, listing, row, 30,
           "DEVICE  NARROW  LAST\nmlx5_0  1       x\nleft out to fit: widest (-o\n    chooses)\n");
}

static const struct table_column some_and_none[] = { { .heading = "device" },
                                                     { .heading = "some", .rank = 1 },
                                                     { .heading = "none", .rank = 1 },
                                                     { .heading = "last", .rank = 3 } };

Test(fit, what_tells_nothing_goes_first)
{
    static const char *const texts[] = { "mlx5_0", "word", "-", "x" };
    expect(4, some_and_none, texts, 20,
           "DEVICE  SOME  LAST\nmlx5_0  word  x\nleft out to fit:\n    none (-o\n    chooses)\n");
}

Test(fit, what_tells_of_none_tells_something)
{
    static const char *const texts[] = { "mlx5_0", "", "0", "x" };
    expect(4, some_and_none, texts, 20,
           "DEVICE  NONE  LAST\nmlx5_0  0     x\nleft out to fit:\n    some (-o\n    chooses)\n");
}

/* Of ten thousand rows most cells say what the one above says. */
Test(fit, a_text_is_kept_once)
{
    struct table *table = table_new(2, 3);
    table->columns[0] = table->columns[1] = (struct table_column){ .heading = "device" };
    static const char *const texts[] = { "mlx5_0", "1", "mlx5_0", "2", "mlx5_1", "mlx5_0" };
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
        table_set(table, i / 2, i % 2, mem_strdup(texts[i]), TONE_PLAIN);
    cr_expect_eq(table->cells[0].text, table->cells[2].text);
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
        cr_expect_str_eq(table->cells[i].text, texts[i]);
    table_set(table, 0, 0, mem_strdup("mlx5_2"), TONE_PLAIN);
    cr_expect_str_eq(table->cells[2].text, "mlx5_0", "another text above changes nothing here");
    table_free(table);
}

Test(fit, a_table_beside_says_nothing_of_o)
{
    struct table *table = table_of(4, listing, row);
    table->beside = true;
    cr_redirect_stdout();
    table_print(table, true, false, 40);
    fflush(stdout);
    cr_assert_stdout_eq_str("DEVICE  NARROW  LAST\nmlx5_0  1       x\nleft out to fit: widest (a wider\n    "
                            "terminal shows them)\n");
    table_free(table);
}

Test(fit, a_cut_column_takes_what_is_left)
{
    static const struct table_column columns[] = { { .heading = "device" },
                                                   { .heading = "why", .flags = COLUMN_CUT } };
    static const char *const texts[] = { "mlx5_0", "a sentence that is longer than the line has room for" };
    expect(2, columns, texts, 40, "DEVICE  WHY\nmlx5_0  a sentence that is longer than …\n");
}

Test(fit, what_must_stay_is_folded)
{
    static const struct table_column columns[] = { { .heading = "name", .flags = COLUMN_WHOLE },
                                                   { .heading = "why", .flags = COLUMN_CUT } };
    static const char *const texts[] = { "a_name_that_takes_most_of_the_line",
                                         "and a reason of two lines for it" };
    expect(2, columns, texts, 36,
           "NAME\n    WHY\na_name_that_takes_most_of_the_line\n    and a reason of two lines for it\n");
}

Test(fit, many_columns_are_records)
{
    static const struct table_column columns[] = { { .heading = "one" },
                                                   { .heading = "second" },
                                                   { .heading = "three" } };
    static const char *const texts[] = { "1234567890", "1234567890", "of some words" };
    expect(3, columns, texts, 20, "ONE     1234567890\nSECOND  1234567890\nTHREE   of some\n        words\n");
}

Test(fit, without_a_terminal_all_is_shown)
{
    expect(4, listing, row, 0,
           "DEVICE  NARROW  WIDEST                           LAST\n"
           "mlx5_0  1       a text of thirty columns, or so  x\n");
}

static void expect_text(char *got, const char *want)
{
    cr_expect_str_eq(got, want);
    free(got);
}

Test(glyph, in_ascii_and_not)
{
    expect_text(glyph_text("4 µs → … ≥ ×"), "4 µs → … ≥ ×");
    cr_expect_str_eq(glyph_bar(0), "▁");
    cr_expect_str_eq(glyph_bar(99), "█");
    glyph_set_ascii(true);
    expect_text(glyph_text("4 µs → … ≥ ×"), "4 us -> ... >= x");
    expect_text(glyph_text("Köln"), "Köln"); /* not ours: it stays */
    cr_expect_str_eq(glyph_bar(0), "_");
    cr_expect_str_eq(glyph_bar(99), "#");
    const char *end;
    cr_expect_eq(fold_cut("abcdefgh", 6, &end), 3);
    cr_expect_str_eq(end, "...");
    cr_expect_eq(fold_cut("abcdefgh", 2, &end), 2);
    cr_expect_str_eq(end, "");
    glyph_set_ascii(false);
}

static bool ascii_with(const char *all, const char *ctype, const char *lang)
{
    static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
    const char *const values[] = { all, ctype, lang };
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (values[i])
            setenv(names[i], values[i], 1);
        else
            unsetenv(names[i]);
    return glyph_locale_is_ascii();
}

Test(glyph, by_locale)
{
    cr_expect(ascii_with(NULL, NULL, NULL));
    cr_expect(ascii_with("C", NULL, "de_DE.UTF-8"));
    cr_expect(ascii_with("", "de_DE", "de_DE.UTF-8"));
    cr_expect_not(ascii_with("", "", "de_DE.utf8"));
    cr_expect_not(ascii_with("C.UTF-8", "C", NULL));
}

Test(fold, a_text_with_lines)
{
    expect_text(fold_text("one two three\nfour", 8, 2), "one two\n  three\nfour");
    expect_text(fold_text("one two three", 0, 2), "one two three");
    expect_text(fold_text("(info|warn|fail) x", 8, 0), "(info|\nwarn|\nfail) x");
    expect_text(fold_text("", 8, 0), "");
}

Test(cell, rates_have_one_unit)
{
    static const struct {
        uint64_t mbps;
        const char *text;
    } rates[] = { { 400000, "400 Gb/s" }, { 2500, "2.5 Gb/s" }, { 25781, "25.7 Gb/s" }, { 1000, "1 Gb/s" },
                  { 100, "0.1 Gb/s" },    { 54, "0.054 Gb/s" }, { 0, "0 Gb/s" } };
    for (size_t i = 0; i < ARRAY_SIZE(rates); i++) {
        struct value value = value_num_as(VALUE_MBPS, num_of(rates[i].mbps));
        expect_text(cell_text(&value), rates[i].text);
    }
}

/* Help texts: folded to the terminal, stored as paragraphs. */

static void expect_line(const char *text, size_t width, const char *line, const char *next)
{
    const char *rest;
    size_t len = fold_line(text, width, &rest);
    cr_expect_eq(len, strlen(line), "'%s' at %zu: %zu", text, width, len);
    cr_expect(strncmp(text, line, len) == 0, "'%s' at %zu", text, width);
    cr_expect_str_eq(rest, next, "'%s' at %zu", text, width);
}

Test(fold, at_blanks)
{
    expect_line("one two three", 13, "one two three", "");
    expect_line("one two three", 12, "one two", "three");
    expect_line("one two three", 7, "one two", "three");
    expect_line("one two three", 6, "one", "two three");
    expect_line("unbreakable text", 4, "unbreakable", "text");
    expect_line("one two three", 0, "one two three", "");
    expect_line("ä→µ two", 5, "ä→µ", "two");
    expect_line("", 10, "", "");
    expect_line("/sys/class/net/eth0: 1", 12, "/sys/class/", "net/eth0: 1");
    expect_line("one /sys/class/net", 8, "one", "/sys/class/net");
    expect_line("nothing/to cut", 4, "nothing/to", "cut");
}

Test(page, width_is_the_terminals_but_readable)
{
    cr_assert_eq(page_width(0), 80);
    cr_assert_eq(page_width(60), 60);
    cr_assert_eq(page_width(250), 100);
}

Test(page, paragraphs)
{
    cr_redirect_stdout();
    page_text("one two three\n\nfour", 8);
    fflush(stdout);
    cr_assert_stdout_eq_str("one two\nthree\n\nfour\n");
}

Test(page, list)
{
    static const struct page_item items[] = { { "-a", "means one thing or another" },
                                              { "--longer", "is longer" },
                                              { "alone", NULL } };
    cr_redirect_stdout();
    page_list("Title", items, 3, 4, 30);
    fflush(stdout);
    cr_assert_stdout_eq_str("\nTitle:\n"
                            "  -a    means one thing or\n"
                            "        another\n"
                            "  --longer\n"
                            "        is longer\n"
                            "  alone\n");
}

/* The view folds: a line that ends within a paragraph would be folded twice. */
Test(commands, texts_are_paragraphs)
{
    for (size_t i = 0; commands[i]; i++) {
        cr_assert_null(strchr(commands[i]->summary, '\n'), "%s", commands[i]->name);
        for (const struct option_def *option = commands[i]->options; option && option->name; option++)
            cr_assert_null(strchr(packed_line(option->help), '\n'), "%s --%s", commands[i]->name, option->name);
    }
    for (const struct command_text *text = command_texts; text->command; text++)
        cr_assert_null(strstr(packed_line(text->says), "  "), "%s: two blanks", text->command);
}
