/* SPDX-License-Identifier: MIT */
#include "view/fold.h"

#include <string.h>

#include "base/text.h"

/* Of a word that is wider than the line: a path goes on behind a slash, another word stays whole. */
static size_t long_word(const char *text, size_t width)
{
    size_t len = strcspn(text, " "), cut = text_prefix(text, width);
    while (cut && text[cut - 1] != '/')
        cut--;
    return cut && cut < len ? cut : len;
}

size_t fold_line(const char *text, size_t width, const char **rest)
{
    size_t len = strlen(text);
    if (width && text_width(text) > width) {
        size_t cut = text_prefix(text, width);
        while (cut && text[cut] != ' ')
            cut--;
        len = cut ? cut : long_word(text, width);
    }
    *rest = text + len + strspn(text + len, " ");
    return len;
}
