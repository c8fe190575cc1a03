/* SPDX-License-Identifier: MIT */
#include "view/fold.h"

#include <string.h>

#include "base/text.h"

size_t fold_line(const char *text, size_t width, const char **rest)
{
    size_t len = strlen(text);
    if (width && text_width(text) > width) {
        size_t cut = text_prefix(text, width);
        while (cut && text[cut] != ' ')
            cut--;
        len = cut ? cut : strcspn(text, " ");
    }
    *rest = text + len + strspn(text + len, " ");
    return len;
}
