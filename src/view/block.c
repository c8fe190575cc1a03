/* SPDX-License-Identifier: MIT */
#include "view/block.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "view/fold.h"

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
