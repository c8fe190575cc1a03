/* SPDX-License-Identifier: MIT */
#include "view/block.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fold.h"
#include "base/mem.h"
#include "base/text.h"

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
