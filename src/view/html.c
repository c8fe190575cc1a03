/* SPDX-License-Identifier: MIT */
#include "view/html.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const char *entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void html_text(struct bytes *out, const char *text)
{
    char *clean = text_clean(text ? text : "", TEXT_ONE_LINE);
    for (const char *at = clean; *at; at++) {
        const char *instead = entity(*at);
        bytes_append(out, instead ? instead : at, instead ? strlen(instead) : 1);
    }
    free(clean);
}
