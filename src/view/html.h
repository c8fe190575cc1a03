/* SPDX-License-Identifier: MIT */
/* Pages for a browser that need nothing else: no script, no font, no picture from anywhere. */
#pragma once

#include "base/mem.h"

/* What begins a page, up to its <main>; title is text. */
void html_begin(const char *title);
void html_end(void);
/* Text, cleaned as for a terminal, and & < > " ' as entities: fit for an element and, in quotes, for an
 * attribute. NULL: nothing. */
void html_add(struct bytes *out, const char *text);
void html_text(const char *text); /* the same to standard output */
/* <TAG CLASS>text</TAG>; class_name may be NULL. tag and class_name are our own words. */
void html_element(const char *tag, const char *class_name, const char *text);
