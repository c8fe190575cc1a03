/* SPDX-License-Identifier: MIT */
/* Folds text to a width. */
#include "base/glyph.h"

/* Where to break a word that is wider than the line: a path after a slash, a list after a comma or bar; any
 * other word stays whole. */
static size_t long_word(const char *text, size_t width)
{
    size_t len = strcspn(text, " "), cut = text_prefix(text, width);
    while (cut && !strchr("/,|", text[cut - 1]))
        cut--;
    return cut && cut < len ? cut : len;
}

size_t fold_line(const char *text, size_t width, const char **rest)
{
    size_t len = strlen(text);
    if (width && text_width(text) > width) {
        size_t cut = text_prefix(text, width);
        while (cut && text[cut] != ' ')
            cut--;
        len = cut ? cut : long_word(text, width);
    }
    *rest = text + len + strspn(text + len, " ");
    return len;
}

size_t fold_cut(const char *text, size_t width, const char **end)
{
    *end = "";
    if (text_width(text) <= width)
        return strlen(text);
    const char *mark = glyph(GLYPH_ELLIPSIS);
    size_t needed = text_width(mark);
    *end = needed <= width ? mark : "";
    return text_prefix(text, needed <= width ? width - needed : width);
}

static void add_paragraph(struct bytes *out, char *paragraph, size_t width, size_t indent)
{
    const char *at = paragraph, *rest;
    do {
        bool first = at == paragraph;
        size_t len = fold_line(at, width == 0 || first || width <= indent ? width : width - indent, &rest);
        bytes_printf(out, "%s%*s%.*s", first ? "" : "\n", first ? 0 : (int)indent, "", (int)len, at);
        at = rest;
    } while (*at);
}

char *fold_text(const char *text, size_t width, size_t indent)
{
    struct bytes out = { 0 };
    char *copy = mem_strdup(text), *save = copy;
    bytes_append(&out, "", 0);
    for (char *paragraph; (paragraph = strsep(&save, "\n"));) {
        add_paragraph(&out, paragraph, width, indent);
        if (save)
            bytes_append(&out, "\n", 1);
    }
    free(copy);
    return out.data;
}
