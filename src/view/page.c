/* SPDX-License-Identifier: MIT */
#include "view/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "view/block.h"
#include "view/fold.h"

enum { WIDEST = 100, WITHOUT_TERMINAL = 80 }; /* a longer line is hard to read */

size_t page_width(size_t width)
{
    return width == 0 ? WITHOUT_TERMINAL : width > WIDEST ? WIDEST : width;
}

void page_text(const char *text, size_t width)
{
    char *copy = mem_strdup(text), *save = copy;
    for (char *paragraph; (paragraph = strsep(&save, "\n"));) {
        const char *at = paragraph, *rest;
        do {
            size_t len = fold_line(at, width, &rest);
            printf("%.*s\n", (int)len, at);
            at = rest;
        } while (*at);
    }
    free(copy);
}

void page_list(const char *title, const struct page_item *items, size_t count, size_t label_width,
               size_t width)
{
    printf("\n%s:\n", title);
    for (size_t i = 0; i < count; i++) {
        const char *label = items[i].label;
        if (!items[i].text || text_width(label) > label_width) {
            printf("  %s\n", label);
            label = "";
        }
        if (items[i].text)
            block_print(label, label_width + 1, items[i].text, width);
    }
}
