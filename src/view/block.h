/* SPDX-License-Identifier: MIT */
/* A label and a text beside it, as a paragraph: for what is read, not compared. */
#pragma once

#include <stddef.h>

/* "  LABEL     text", the label padded to label_width. Lines are broken at blanks where they would pass width
 * columns; 0: never, so that a pipe sees one line. Text is cleaned. */
void block_print(const char *label, size_t label_width, const char *text, size_t width);
