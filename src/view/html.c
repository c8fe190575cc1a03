/* SPDX-License-Identifier: MIT */
#include "view/html.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"

/* Colours that are told apart without colour vision by their lightness, on light and dark screens. */
static const char style[] =
    ":root{color-scheme:light dark}\n"
    "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em}\n"
    "table{border-collapse:collapse;margin:1em 0;display:block;overflow-x:auto}\n"
    "th,td{border:1px solid #8886;padding:.25em .5em;text-align:left;vertical-align:top}\n"
    "code,td{font-family:ui-monospace,monospace;font-size:13px}\n"
    ".fail{background:#c0392b;color:#fff}.warn{background:#f5b041;color:#000}.info{background:#aed6f1;color:#000}\n"
    ".good{background:#7dcea055}.none{color:#888}\n"
    "section{border-left:.4em solid #8886;padding:0 0 0 1em;margin:1.5em 0}\n"
    "h2 span{padding:0 .4em;border-radius:.2em}\n";

void html_add(struct bytes *out, const char *text)
{
    char *clean = text_clean(text, TEXT_ONE_LINE);
    bytes_append(out, "", 0);
    for (const char *at = clean; at && *at; at++)
        switch (*at) {
        case '&':
            bytes_printf(out, "&amp;");
            break;
        case '<':
            bytes_printf(out, "&lt;");
            break;
        case '>':
            bytes_printf(out, "&gt;");
            break;
        case '"':
            bytes_printf(out, "&quot;");
            break;
        case '\'':
            bytes_printf(out, "&#39;");
            break;
        default:
            bytes_append(out, at, 1);
        }
    free(clean);
}

void html_text(const char *text)
{
    struct bytes out = { 0 };
    html_add(&out, text);
    fputs(out.data, stdout);
    bytes_free(&out);
}

void html_element(const char *tag, const char *class_name, const char *text)
{
    if (class_name)
        printf("<%s class=\"%s\">", tag, class_name);
    else
        printf("<%s>", tag);
    html_text(text);
    printf("</%s>\n", tag);
}

void html_begin(const char *title)
{
    printf(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n");
    html_element("title", NULL, title);
    printf("<style>%s</style>\n</head>\n<body>\n<main>\n", style);
    html_element("h1", NULL, title);
}

void html_end(void)
{
    printf("</main>\n</body>\n</html>\n");
}
