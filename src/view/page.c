#include "view/page.h"

#include <stdio.h>

void page_list(const char *title, const struct page_item *items, size_t count, size_t label_width)
{
    printf("\n%s:\n", title);
    for (size_t i = 0; i < count; i++)
        if (items[i].text)
            printf("  %-*s  %s\n", (int)label_width, items[i].label, items[i].text);
        else
            printf("  %s\n", items[i].label);
}

void page_text(const char *text)
{
    printf("%s\n", text);
}
