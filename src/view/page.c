/* SPDX-License-Identifier: MIT */
/* Paragraphs and labelled blocks, folded to the terminal. */
#include "view/page.h"

#include "base/glyph.h"

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

void page_list(const char *title, const struct page_item *items, size_t count, size_t label_width, size_t width)
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

enum { NARROWEST = 20 };

void block_print(const char *label, size_t label_width, const char *text, size_t width)
{
    char *clean = text_clean(text ? text : "", TEXT_ONE_LINE);
    size_t room = width > label_width + 3 + NARROWEST ? width - label_width - 3 : 0;
    const char *at = clean, *rest;
    do {
        size_t len = fold_line(at, room, &rest);
        printf("  %-*s %.*s\n", (int)label_width, at == clean ? label : "", (int)len, at);
        at = rest;
    } while (*at);
    free(clean);
}

void block_print_lines(const char *label, const char *more, size_t label_width, const char *lines, size_t width)
{
    char *copy = lines && *lines ? mem_strdup(lines) : NULL;
    for (char *rest = copy, *line; (line = strsep(&rest, "\n"));)
        block_print(line == copy ? label : more, label_width, line, width);
    free(copy);
}

void line_print(size_t width, size_t indent, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = mem_vprintf(format, args), *clean = text_clean(text, TEXT_KEEP_NEWLINES);
    va_end(args);
    char *lines = fold_text(clean, width, indent);
    puts(lines);
    free(lines);
    free(clean);
    free(text);
}

void block_printf(const char *label, size_t label_width, size_t width, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = mem_vprintf(format, args);
    va_end(args);
    block_print(label, label_width, text, width);
    free(text);
}
