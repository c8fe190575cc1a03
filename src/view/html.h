/* SPDX-License-Identifier: MIT */
/* Pages for a browser that need nothing else: no script, no font, no picture from anywhere. */
#pragma once

#include "base/base.h"

/* What begins a page, up to its <main>; title is text. */
void html_begin(const char *title);
void html_end(void);
/* Text, cleaned and escaped: fit for an element and, in double quotes, for an attribute. */
void html_text(const char *text);
/* <TAG CLASS>text</TAG>; class_name may be NULL. tag and class_name are our own words. */
void html_element(const char *tag, const char *class_name, const char *text);
