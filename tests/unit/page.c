/* SPDX-License-Identifier: MIT */
/* Help texts: folded to the terminal, stored as paragraphs. */
#include "view/page.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdio.h>
#include <string.h>

#include "base/fold.h"
#include "command/command.h"

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
        const char *text = commands[i]->description ? commands[i]->description : "";
        for (const char *at = text; (at = strchr(at, '\n')); at += 2)
            cr_assert(at[1] == '\n' && at[2] && at[2] != '\n', "%s: a line ends at '%.30s'",
                      commands[i]->name, at + 1);
        cr_assert_null(strstr(text, "  "), "%s: two blanks", commands[i]->name);
        cr_assert_null(strchr(commands[i]->summary, '\n'), "%s", commands[i]->name);
        for (const struct option_def *option = commands[i]->options; option && option->name; option++)
            cr_assert_null(strchr(option->help, '\n'), "%s --%s", commands[i]->name, option->name);
    }
}
