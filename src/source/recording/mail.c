/* SPDX-License-Identifier: MIT */
/* Recordings that came by mail or over Windows: what was done to their text is undone. */
#include "source/recording/recording.h"

/* Every line begins with it; what stands behind may follow a blank. */
static bool is_quoted(const struct bytes *text)
{
    for (const char *line = text->data; *line; line = text_next_line(line))
        if (*line != '>' && *line != '\n' && *line != '\r')
            return false;
    return text->len && text->data[0] == '>';
}

static size_t quote_length(const char *line)
{
    return *line != '>' ? 0 : line[1] == ' ' ? 2 : 1;
}

void mail_undo(struct bytes *text)
{
    static const char mark[] = "\xef\xbb\xbf";
    const char *from = text->data, *end = text->data + text->len;
    if (text_starts(from, mark))
        from += strlen(mark);
    const struct bytes rest = { .data = (char *)from, .len = (size_t)(end - from) };
    bool quoted = is_quoted(&rest);
    char *to = text->data;
    while (from < end) {
        const char *newline = memchr(from, '\n', (size_t)(end - from));
        const char *next = newline ? newline + 1 : end;
        from += quoted ? quote_length(from) : 0;
        size_t len = (size_t)(next - from);
        bool windows = newline && len >= 2 && next[-2] == '\r';
        memmove(to, from, len);
        to += windows ? len - 1 : len;
        if (windows)
            to[-1] = '\n';
        from = next;
    }
    text->len = (size_t)(to - text->data);
    *to = '\0';
}
