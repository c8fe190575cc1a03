/* SPDX-License-Identifier: MIT */
#include "fleet/split.h"

#include <string.h>

/* Drops what is open, and says so once. */
static void damaged(struct split *split, const char *what)
{
    split->fault(split->data, split->depth ? split->first : split->line + 1, what);
    split->text.len = 0;
    split->depth = 0;
    split->string = split->escaped = false;
    split->name_len = 0;
}

/* "h3: " */
static void take_name(struct split *split)
{
    size_t len = split->name_len;
    while (len && (split->name[len - 1] == ' ' || split->name[len - 1] == ':'))
        len--;
    split->name[len] = '\0';
}

static void begin(struct split *split)
{
    take_name(split);
    split->first = split->line + 1;
    split->depth = 1;
    split->text.len = 0;
    bytes_append(&split->text, "{", 1);
}

/* Outside of an object. */
static void between(struct split *split, char c)
{
    if (c == '\n') {
        if (split->name_len && !split->skipping)
            damaged(split, "no facts: 'roce facts' prints them as one JSON object");
        split->name_len = 0;
        split->skipping = false;
    } else if (split->skipping || (split->name_len == 0 && (c == ' ' || c == '\t' || c == '\r'))) {
        return;
    } else if (c == '{' && (split->name_len == 0 || split->name[split->name_len - 1] == ' ' ||
                            split->name[split->name_len - 1] == ':')) {
        begin(split);
    } else if (split->name_len + 1 < SPLIT_NAME && (unsigned char)c > 0x1f) {
        split->name[split->name_len++] = c;
    } else {
        damaged(split, "no facts: 'roce facts' prints them as one JSON object");
        split->skipping = true;
    }
}

static void within(struct split *split, char c)
{
    bytes_append(&split->text, &c, 1);
    if (split->string) {
        if (c == '\n')
            damaged(split, "it ends within a string: cut off, or damaged");
        else if (split->escaped)
            split->escaped = false;
        else if (c == '\\')
            split->escaped = true;
        else if (c == '"')
            split->string = false;
    } else if (c == '"') {
        split->string = true;
    } else if (c == '{' || c == '[') {
        split->depth++;
    } else if ((c == '}' || c == ']') && --split->depth == 0) {
        split->object(split->data, split->text.data, split->text.len, split->first, split->name);
        split->text.len = 0;
        split->name_len = 0;
    }
}

/* Does the line that begins here begin facts, though one before is open? So it is when that was cut off.
 * Within sound facts no line does. */
static bool begins_anew(const char *text, size_t len)
{
    static const char start[] = "{\"version\"";
    return len >= sizeof(start) - 1 && memcmp(text, start, sizeof(start) - 1) == 0;
}

/* All of an object's text up to what matters: a quote, a bracket, the line's end. */
static size_t plain(const struct split *split, const char *text, size_t len)
{
    size_t i = 0;
    if (split->escaped)
        return 0;
    if (split->string)
        while (i < len && text[i] != '"' && text[i] != '\\' && text[i] != '\n')
            i++;
    else
        while (i < len && text[i] != '"' && text[i] != '\n' && text[i] != '{' && text[i] != '}' &&
               text[i] != '[' && text[i] != ']')
            i++;
    return i;
}

void split_feed(struct split *split, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (split->depth) {
            size_t run = plain(split, text + i, len - i);
            bytes_append(&split->text, text + i, run);
            i += run;
            if (split->text.len > split->most) {
                damaged(split, "more bytes than the facts of any host take");
                split->skipping = true;
            }
            if (i == len)
                break;
        }
        if (text[i] == '\n') {
            if (split->depth && begins_anew(text + i + 1, len - i - 1))
                damaged(split, "it ends too soon: cut off, or damaged");
            if (split->depth)
                within(split, '\n');
            else
                between(split, '\n');
            split->line++;
        } else if (split->depth) {
            within(split, text[i]);
        } else {
            between(split, text[i]);
        }
    }
}

void split_end(struct split *split)
{
    if (split->depth)
        damaged(split, "it ends too soon: cut off, or damaged");
    else if (split->name_len && !split->skipping)
        damaged(split, "no facts: 'roce facts' prints them as one JSON object");
    bytes_free(&split->text);
}
