/* SPDX-License-Identifier: MIT */
/* The characters written to a terminal: UTF-8, or ASCII instead. */
#include "base/glyph.h"

static bool ascii_only;

static const struct {
    const char *utf8, *ascii;
} forms[GLYPHS] = {
    [GLYPH_ELLIPSIS] = { "…", "..." },
    [GLYPH_ARROW] = { "→", "->" },
    [GLYPH_BOTH_WAYS] = { "⇄", "<->" },
    [GLYPH_AT_LEAST] = { "≥", ">=" },
    [GLYPH_DEGREE] = { "°", "" },
    [GLYPH_BRANCH] = { "├─ ", "|- " },
    [GLYPH_LAST_BRANCH] = { "└─ ", "`- " },
    [GLYPH_STEM] = { "│  ", "|  " },
    [GLYPH_BAR] = { "▁", "_" },
    { "▂", "." },
    { "▃", "," },
    { "▄", "-" },
    { "▅", "=" },
    { "▆", "+" },
    { "▇", "*" },
    { "█", "#" },
};

/* Other characters in sentences and headings. */
static const struct {
    const char *utf8, *ascii;
} letters[] = { { "µ", "u" }, { "×", "x" }, { "–", "-" } };

bool glyph_locale_is_ascii(void)
{
    static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        const char *locale = getenv(names[i]);
        if (locale && *locale)
            return !strcasestr(locale, "utf-8") && !strcasestr(locale, "utf8");
    }
    return true;
}

void glyph_set_ascii(bool ascii)
{
    ascii_only = ascii;
}

bool glyph_is_ascii(void)
{
    return ascii_only;
}

const char *glyph(enum glyph glyph)
{
    return ascii_only ? forms[glyph].ascii : forms[glyph].utf8;
}

const char *glyph_bar(unsigned height)
{
    return glyph(GLYPH_BAR + (height < GLYPH_BARS ? height : GLYPH_BARS - 1));
}

/* NULL if the first character of text stays unchanged. */
static const char *in_ascii(const char *text, size_t *length)
{
    for (size_t i = 0; i < GLYPHS + ARRAY_SIZE(letters); i++) {
        const char *utf8 = i < GLYPHS ? forms[i].utf8 : letters[i - GLYPHS].utf8;
        *length = strlen(utf8);
        if (strncmp(text, utf8, *length) == 0)
            return i < GLYPHS ? forms[i].ascii : letters[i - GLYPHS].ascii;
    }
    return NULL;
}

char *glyph_text(const char *own)
{
    if (!ascii_only)
        return mem_strdup(own);
    struct bytes out = { 0 };
    bytes_append(&out, "", 0);
    while (*own) {
        size_t length = 1;
        const char *ascii = (unsigned char)*own < 0x80 ? NULL : in_ascii(own, &length);
        if (!ascii)
            length = 1;
        bytes_append(&out, ascii ? ascii : own, ascii ? strlen(ascii) : 1);
        own += length;
    }
    return out.data;
}
