/* SPDX-License-Identifier: MIT */
#include "source/recording/escape.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/text.h"

/* One character, or a byte that is none; how many bytes it was. */
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

static int hex_digit(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
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
        } else if (text[i + 1] == 'x' && len - i > 3 && hex_digit(text[i + 2]) >= 0 &&
                   hex_digit(text[i + 3]) >= 0) {
            char byte = (char)(hex_digit(text[i + 2]) << 4 | hex_digit(text[i + 3]));
            bytes_append(out, &byte, 1);
            i += 3;
        } else {
            return -EINVAL;
        }
    }
    return 0;
}
