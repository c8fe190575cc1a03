#include "view/block.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"

enum { NARROWEST = 20 };

void block_print(const char *label, size_t label_width, const char *text, size_t width)
{
    char *clean = text_clean(text ? text : "", TEXT_ONE_LINE);
    const char *rest = clean;
    size_t room = width > label_width + 3 + NARROWEST ? width - label_width - 3 : 0;
    printf("  %-*s", (int)label_width, label);
    while (room && text_width(rest) > room) {
        size_t cut = text_prefix(rest, room);
        while (cut && rest[cut] != ' ')
            cut--;
        if (cut == 0)
            break;
        printf(" %.*s\n  %-*s", (int)cut, rest, (int)label_width, "");
        while (rest[cut] == ' ')
            cut++;
        rest += cut;
    }
    printf(" %s\n", rest);
    free(clean);
}
