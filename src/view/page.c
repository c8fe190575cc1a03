/* SPDX-License-Identifier: MIT */
#include "view/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fold.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "base/text.h"
#include "view/block.h"

enum { WIDEST = 100, WITHOUT_TERMINAL = 80 }; /* a longer line is hard to read */

size_t page_width(size_t width)
{
    return width == 0 ? WITHOUT_TERMINAL : width > WIDEST ? WIDEST : width;
}

void page_text(const char *text, size_t width)
{
    char *own = glyph_text(text);
    char *lines = fold_text(own, width, 0);
    puts(lines);
    free(lines);
    free(own);
}

void page_list(const char *title, const struct page_item *items, size_t count, size_t label_width,
               size_t width)
{
    char *heading = mem_printf("\n%s:", title);
    page_text(heading, width);
    free(heading);
    for (size_t i = 0; i < count; i++) {
        const char *label = items[i].label;
        if (!items[i].text || text_width(label) > label_width) {
            printf("  %s\n", label);
            label = "";
        }
        if (!items[i].text)
            continue;
        char *own = glyph_text(items[i].text);
        block_print(label, label_width + 1, own, width);
        free(own);
    }
}
