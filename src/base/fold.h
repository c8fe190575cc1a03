/* SPDX-License-Identifier: MIT */
/* Text in lines. */
#pragma once

#include <stddef.h>

/* How many bytes of clean text stand on its first line, when that has room for width columns (0: all of
 * them): up to the last blank that fits, or where a word is wider, up to the last slash, comma or bar
 * in it that fits, or to the next blank. *rest is what the next line begins with. */
size_t fold_line(const char *text, size_t width, const char **rest);

/* How many bytes of clean text are shown where width columns are free; *end is what stands behind them: an
 * ellipsis when it had to be cut, else "". */
size_t fold_cut(const char *text, size_t width, const char **end);

/* A copy of clean text in lines of width columns (0: as it is), those behind a paragraph's first one
 * indented; the caller frees it. Newlines stay. */
char *fold_text(const char *text, size_t width, size_t indent);
