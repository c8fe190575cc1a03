/* SPDX-License-Identifier: MIT */
/* Escapes and ranges of names in a recording's text. */
#include "source/recording/lines.h"

/* Escapes one character, or a byte that isn't one. Returns how many bytes it took. */
static size_t escape_one(struct bytes *out, const char *text, size_t len)
{
    size_t clean = text_clean_length(text);
    if (*text == '\\' || *text == '\t') {
        bytes_append(out, *text == '\\' ? "\\\\" : "\\t", 2);
        return 1;
    }
    if (clean && clean <= len) {
        bytes_append(out, text, clean);
        return clean;
    }
    bytes_printf(out, "\\x%02x", (unsigned char)*text);
    return 1;
}

static void escape_byte(struct bytes *out, char byte)
{
    bytes_printf(out, "\\x%02x", (unsigned char)byte);
}

void escape_name(struct bytes *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len;) {
        if (text[i] == ' ' || text[i] == '[' || (i == 0 && strchr("#|:", text[i])))
            escape_byte(out, text[i++]);
        else
            i += escape_one(out, text + i, len - i);
    }
}

void escape_text(struct bytes *out, const char *text, size_t len, bool in_block)
{
    bool arrow = len >= 2 && text[0] == '-' && text[1] == '>';
    for (size_t i = 0; i < len;) {
        bool first = i == 0 && !in_block && (arrow || (text[0] && strchr(" !|:", text[0])));
        if (first || (i + 1 == len && text[i] == ' '))
            escape_byte(out, text[i++]);
        else
            i += escape_one(out, text + i, len - i);
    }
}

size_t escape_count(const char *text, size_t len)
{
    size_t count = 0;
    for (size_t i = 0; i < len;) {
        size_t clean = text[i] == '\t' || text[i] == '\n' ? 1 : text_clean_length(text + i);
        bool kept = clean && clean <= len - i;
        count += !kept;
        i += kept ? clean : 1;
    }
    return count;
}

size_t escape_cut(const char *text, size_t len, size_t most)
{
    size_t at = len < most ? len : most;
    for (size_t back = 0; at < len && back < 4 && at > back; back++)
        if (((unsigned char)text[at - back] & 0xc0) != 0x80)
            return at - back;
    return at;
}

int unescape(struct bytes *out, const char *text, size_t len, bool *open)
{
    bytes_append(out, "", 0);
    if (open)
        *open = false;
    for (size_t i = 0; i < len; i++) {
        size_t plain = i;
        while (i < len && text[i] != '\\')
            i++;
        bytes_append(out, text + plain, i - plain);
        if (i == len)
            break;
        if (i + 1 == len) {
            if (!open)
                return -EINVAL;
            *open = true;
        } else if (text[i + 1] == '\\' || text[i + 1] == 't') {
            bytes_append(out, text[++i] == 't' ? "\t" : "\\", 1);
        } else if (text[i + 1] == 'x' && len - i > 3 && text_digit(text[i + 2], 16) >= 0 &&
                   text_digit(text[i + 3], 16) >= 0) {
            char byte = (char)(text_digit(text[i + 2], 16) << 4 | text_digit(text[i + 3], 16));
            bytes_append(out, &byte, 1);
            i += 3;
        } else {
            return -EINVAL;
        }
    }
    return 0;
}

enum { MOST_DIGITS = 9 };

/* Finds the last number in a name; returns its first digit, or NULL. None with a leading zero. */
static const char *find_number(const char *name, unsigned long *number, const char **suffix)
{
    const char *end = name + strlen(name);
    while (end > name && !isdigit((unsigned char)end[-1]))
        end--;
    const char *start = end;
    while (start > name && isdigit((unsigned char)start[-1]))
        start--;
    if (start == end || end - start > MOST_DIGITS || (*start == '0' && end - start > 1))
        return NULL;
    *number = strtoul(start, NULL, 10);
    *suffix = end;
    return start;
}

struct run run_find(struct node *const *nodes, size_t count, run_alike *alike)
{
    struct run run = { .count = 1 };
    const char *start = find_number(nodes[0]->name, &run.first, &run.suffix);
    run.last = run.first;
    if (!start)
        return run;
    run.prefix_len = (size_t)(start - nodes[0]->name);
    for (; run.count < count; run.count++) {
        const struct node *next = nodes[run.count];
        unsigned long number;
        const char *suffix;
        start = find_number(next->name, &number, &suffix);
        if (!start || number != run.last + 1 || (size_t)(start - next->name) != run.prefix_len ||
            memcmp(nodes[0]->name, next->name, run.prefix_len) != 0 || strcmp(run.suffix, suffix) != 0 ||
            !alike(nodes[0], next))
            break;
        run.last = number;
    }
    return run;
}

/* Parses a number that find_number() accepts; returns its end, or NULL. */
static const char *parse_number(const char *at, const char *end, unsigned long *number)
{
    const char *start = at;
    *number = 0;
    for (; at < end && isdigit((unsigned char)*at) && at - start < MOST_DIGITS; at++)
        *number = *number * 10 + (unsigned long)(*at - '0');
    return at == start || (*start == '0' && at - start > 1) ? NULL : at;
}

int run_parse(struct run *run, const char *name, size_t len)
{
    const char *end = name + len, *open = memchr(name, '[', len), *at = open;
    *run = (struct run){ .count = 1 };
    if (!open)
        return 0;
    at = parse_number(at + 1, end, &run->first);
    if (!at || at == end || *at != '-')
        return -EINVAL;
    at = parse_number(at + 1, end, &run->last);
    if (!at || at == end || *at != ']' || run->last <= run->first || memchr(at, '[', (size_t)(end - at)))
        return -EINVAL;
    run->prefix_len = (size_t)(open - name);
    run->suffix = at + 1;
    run->count = run->last - run->first + 1;
    return 1;
}
