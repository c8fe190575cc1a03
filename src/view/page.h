/* SPDX-License-Identifier: MIT */
/* Help texts: paragraphs, and lists of a word and what it means; folded to the terminal. */
#pragma once

#include <stddef.h>

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
