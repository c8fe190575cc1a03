/* SPDX-License-Identifier: MIT */
/* Help texts: paragraphs, and lists of words with their meanings, folded to the terminal. */
#pragma once

struct page_item {
    const char *label, *text; /* text NULL: the label is all */
};

/* The columns a page uses on a terminal of width columns (0: no terminal). */
size_t page_width(size_t width);
/* Paragraphs, each ended by a newline: "\n\n" is a blank line between two. */
void page_text(const char *text, size_t width);
/* "\nTITLE:\n" and the items, with their texts aligned after labels of label_width; a longer label gets its own
 * line. */
void page_list(const char *title, const struct page_item *items, size_t count, size_t label_width,
               size_t width);

/* A label and a text next to it, as a paragraph: for what is read, not compared. */

/* "  LABEL     text", the label padded to label_width. Lines are broken at blanks if they would exceed width
 * columns; 0: never, so that a pipe gets one line. Text is cleaned. */
void block_print(const char *label, size_t label_width, const char *text, size_t width);
/* The same of each line of a text (NULL: none); more: the label of all but the first. */
void block_print_lines(const char *label, const char *more, size_t label_width, const char *lines,
                       size_t width);

/* A line, cleaned and folded to width columns (0: no terminal), its continuation lines indented. */
void line_print(size_t width, size_t indent, const char *format, ...) PRINTF_LIKE(3, 4);
/* block_print() of a formatted text. */
void block_printf(const char *label, size_t label_width, size_t width, const char *format, ...)
    PRINTF_LIKE(4, 5);
