/* SPDX-License-Identifier: MIT */
/* Text in lines. */
#pragma once

#include <stddef.h>

/* How many bytes of clean text stand on its first line, when that has room for width columns (0: all of
 * them): up to the last blank that fits, or where a word is wider, up to the last slash in it that fits, or
 * to the next blank. *rest is what the next line begins with. */
size_t fold_line(const char *text, size_t width, const char **rest);
