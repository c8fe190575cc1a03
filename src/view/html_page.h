/* SPDX-License-Identifier: MIT */
/* The frame of a page about many hosts: no script runs in it, and nothing is fetched from anywhere. */
#pragma once

#include "view/html.h"

void html_page_begin(struct bytes *out, const char *title);
void html_page_end(struct bytes *out);
/* <TAG CLASS>text</TAG>: tag and class_name are our own words; class_name may be NULL. */
void html_element(struct bytes *out, const char *tag, const char *class_name, const char *text);
