/* SPDX-License-Identifier: MIT */
/* Help texts: paragraphs, and lists of a word and what it means; folded to the terminal. */
#pragma once

#include <stddef.h>

#include "base/base.h"

struct page_item {
    const char *label, *text; /* text NULL: the label is all */
};

/* Columns that a page takes on a terminal of width columns (0: there is none). */
size_t page_width(size_t width);
/* Paragraphs, a newline behind each: "\n\n" is a blank line between two. */
void page_text(const char *text, size_t width);
/* "\nTITLE:\n" and the items, their texts at one column behind labels of label_width; a longer label has a
 * line of its own. */
void page_list(const char *title, const struct page_item *items, size_t count, size_t label_width,
               size_t width);

/* A label and a text beside it, as a paragraph: for what is read, not compared. */

/* "  LABEL     text", the label padded to label_width. Lines are broken at blanks where they would pass width
 * columns; 0: never, so that a pipe sees one line. Text is cleaned. */
void block_print(const char *label, size_t label_width, const char *text, size_t width);

/* A line, cleaned and folded to width columns (0: there is no terminal), indented where it goes on. */
void line_print(size_t width, size_t indent, const char *format, ...) PRINTF_LIKE(3, 4);
/* block_print() of a text that is made. */
void block_printf(const char *label, size_t label_width, size_t width, const char *format, ...)
    PRINTF_LIKE(4, 5);
