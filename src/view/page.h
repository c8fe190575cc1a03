/* Help texts: paragraphs, and lists of a word and what it means. */
#pragma once

#include <stddef.h>

struct page_item {
    const char *label, *text; /* text NULL: the label is all */
};

/* "\nTITLE:\n" and a line for each item, texts at one column behind labels of label_width. */
void page_list(const char *title, const struct page_item *items, size_t count, size_t label_width);
void page_text(const char *text);
