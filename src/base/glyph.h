/* SPDX-License-Identifier: MIT */
/* The characters beyond ASCII that roce itself writes, and their replacements where a terminal can't show them.
 * The machine's own text isn't changed. */
#pragma once

enum glyph {
    GLYPH_ELLIPSIS,
    GLYPH_ARROW,
    GLYPH_BOTH_WAYS,
    GLYPH_AT_LEAST,
    GLYPH_DEGREE,
    GLYPH_BRANCH,
    GLYPH_LAST_BRANCH,
    GLYPH_STEM,
    GLYPH_BAR, /* the lowest of GLYPH_BARS, each higher than the one before */
    GLYPH_BARS = 8,
    GLYPHS = GLYPH_BAR + GLYPH_BARS
};

/* Does the environment name a character set that isn't UTF-8 ($LC_ALL, $LC_CTYPE, $LANG: the first that is set;
 * if none is, it is the C locale, which is ASCII)? */
bool glyph_locale_is_ascii(void);
void glyph_set_ascii(bool ascii); /* UTF-8 until this is called */
bool glyph_is_ascii(void);
/* Widths may differ: "…" is one wide, "..." three. */
const char *glyph(enum glyph glyph);
/* A bar one character wide: 0 is the lowest, GLYPH_BARS - 1 and above the highest. */
const char *glyph_bar(unsigned height);
/* A copy of our own text (a heading, a sentence), in ASCII if that is wanted; caller frees it. */
char *glyph_text(const char *own);
