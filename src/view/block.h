/* SPDX-License-Identifier: MIT */
/* A label and a text beside it, as a paragraph: for what is read, not compared. */
#pragma once

#include <stddef.h>

#include "base/base.h"

/* "  LABEL     text", the label padded to label_width. Lines are broken at blanks where they would pass width
 * columns; 0: never, so that a pipe sees one line. Text is cleaned. */
void block_print(const char *label, size_t label_width, const char *text, size_t width);

/* A line, cleaned and folded to width columns (0: there is no terminal), indented where it goes on. */
void line_print(size_t width, size_t indent, const char *format, ...) PRINTF_LIKE(3, 4);
/* block_print() of a text that is made. */
void block_printf(const char *label, size_t label_width, size_t width, const char *format, ...)
    PRINTF_LIKE(4, 5);
