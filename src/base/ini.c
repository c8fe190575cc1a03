/* SPDX-License-Identifier: MIT */
/* One reader for all NAME=VALUE files that have no grammar of their own. */
#include "base/ini.h"

/* Without surrounding blanks. */
static char *trimmed(struct arena *arena, const char *text, size_t len)
{
    size_t blanks = strspn(text, " \t\r");
    blanks = blanks < len ? blanks : len;
    return text_trim(arena_strndup(arena, text + blanks, len - blanks));
}

char *ini_next_line(struct arena *arena, const char **rest)
{
    const char *start = *rest;
    size_t len = strcspn(start, "\n");
    if (!*start)
        return NULL;
    while (len && start[len] && start[len - 1] == '\\')
        len += 1 + strcspn(start + len + 1, "\n");
    *rest = start + len + (start[len] == '\n');
    char *line = arena_strndup(arena, start, len);
    for (char *end = line; (end = strstr(end, "\\\n"));)
        end[0] = end[1] = ' ';
    return line;
}

static const char *unquoted(struct arena *arena, const char *value)
{
    size_t len = strlen(value);
    bool quoted = len >= 2 && (*value == '"' || *value == '\'') && value[len - 1] == *value;
    return quoted ? arena_strndup(arena, value + 1, len - 2) : value;
}

bool ini_next(struct arena *arena, const char **rest, struct ini_line *line)
{
    for (const char *text; (text = ini_next_line(arena, rest));) {
        text = trimmed(arena, text, strlen(text));
        const char *equals = strchr(text, '=');
        if (!line->section)
            line->section = "";
        if (*text == '[') {
            line->section = trimmed(arena, text + 1, strcspn(text + 1, "]"));
        } else if (equals && *text != '#' && *text != ';') {
            line->name = trimmed(arena, text, (size_t)(equals - text));
            line->value = unquoted(arena, trimmed(arena, equals + 1, strlen(equals + 1)));
            return true;
        }
    }
    return false;
}

const char *ini_value(struct arena *arena, const char *text, const char *name)
{
    for (struct ini_line line = { 0 }; ini_next(arena, &text, &line);)
        if (strcmp(line.name, name) == 0)
            return line.value;
    return NULL;
}
