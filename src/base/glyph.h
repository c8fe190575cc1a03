/* SPDX-License-Identifier: MIT */
/* What roce itself writes beyond ASCII, and what stands for it where a terminal can't show it. The machine's
 * own text isn't changed. */
#pragma once

#include <stdbool.h>

enum glyph {
    GLYPH_ELLIPSIS,
    GLYPH_ARROW,
    GLYPH_AT_LEAST,
    GLYPH_DEGREE,
    GLYPH_BRANCH,
    GLYPH_LAST_BRANCH,
    GLYPH_STEM,
    GLYPH_BAR, /* the lowest of GLYPH_BARS, one higher than the other */
    GLYPH_BARS = 8,
    GLYPHS = GLYPH_BAR + GLYPH_BARS
};

/* Does the environment name a character set that isn't UTF-8 ($LC_ALL, $LC_CTYPE, $LANG: the first that is
 * set; none: the C locale, which is ASCII)? */
bool glyph_locale_is_ascii(void);
void glyph_set_ascii(bool ascii); /* before that: UTF-8 */
bool glyph_is_ascii(void);
/* Columns may differ: "…" is one wide, "..." three. */
const char *glyph(enum glyph glyph);
/* A bar of one character: 0 is the lowest, GLYPH_BARS - 1 and more the highest. */
const char *glyph_bar(unsigned height);
/* A copy of a text of our own (a heading, a sentence), in ASCII where that is asked for; the caller frees it.
 */
char *glyph_text(const char *own);
