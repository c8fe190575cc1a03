/* SPDX-License-Identifier: MIT */
#include "view/html_page.h"

/* Colours that are told apart without colour vision by their lightness, on light and dark screens. */
static const char style[] =
    ":root{color-scheme:light dark}\n"
    "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em}\n"
    "table{border-collapse:collapse;margin:1em 0;display:block;overflow-x:auto}\n"
    "th,td{border:1px solid #8886;padding:.25em .5em;text-align:left;vertical-align:top}\n"
    "code,td{font-family:ui-monospace,monospace;font-size:13px}\n"
    ".fail{background:#c0392b;color:#fff}.warn{background:#f5b041;color:#000}.info{background:#aed6f1;color:#000}\n"
    ".good{background:#7dcea055}\n"
    ".slow1{background:#f9e79f;color:#000}.slow2{background:#f5b041;color:#000}.slow3{background:#ca6f1e;color:#fff}"
    ".none{background:#8883}\n"
    "section{border-left:.4em solid #8886;padding:0 0 0 1em;margin:1.5em 0}\n"
    "h2 span{padding:0 .4em;border-radius:.2em}";

void html_element(struct bytes *out, const char *tag, const char *class_name, const char *text)
{
    bytes_printf(out, class_name ? "<%s class=\"%s\">" : "<%s>", tag, class_name);
    html_text(out, text);
    bytes_printf(out, "</%s>\n", tag);
}

void html_page_begin(struct bytes *out, const char *title)
{
    bytes_printf(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n");
    html_element(out, "title", NULL, title);
    bytes_printf(out, "<style>%s</style>\n</head>\n<body>\n<main>\n", style);
    html_element(out, "h1", NULL, title);
}

void html_page_end(struct bytes *out)
{
    bytes_printf(out, "</main>\n</body>\n</html>\n");
}
