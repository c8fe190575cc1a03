/* SPDX-License-Identifier: MIT */
#include "fleet/scan.h"

#include <stdint.h>
#include <string.h>

enum { DEEPEST = 32 };

static bool wrong(struct scan *scan, const char *why)
{
    if (!scan->wrong)
        scan->wrong = why;
    return false;
}

static void skip_blanks(struct scan *scan)
{
    for (; scan->at < scan->end; scan->at++) {
        if (*scan->at == '\n')
            scan->line++;
        else if (*scan->at != ' ' && *scan->at != '\t' && *scan->at != '\r')
            break;
    }
}

static bool takes(struct scan *scan, char c)
{
    skip_blanks(scan);
    if (scan->wrong || scan->at == scan->end || *scan->at != c)
        return false;
    scan->at++;
    return true;
}

/* -- strings ------------------------------------------------------------------------------------------- */

static int hex4(const char *at, const char *end)
{
    int value = 0;
    for (int i = 0; i < 4; i++) {
        char c = at + i < end ? at[i] : '\0';
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return -1;
        value = value << 4 | digit;
    }
    return value;
}

static void put_utf8(struct bytes *out, uint32_t c)
{
    char text[4];
    size_t len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = { 0, 0x00, 0xc0, 0xe0, 0xf0 };
    for (size_t i = len; i-- > 1; c >>= 6)
        text[i] = (char)(0x80 | (c & 0x3f));
    text[0] = (char)(lead[len] | c);
    bytes_append(out, text, len);
}

/* "\u00e9", or two of them that are one character. at is behind the u. */
static bool put_unicode(struct scan *scan)
{
    int first = hex4(scan->at, scan->end), second;
    if (first <= 0)
        return wrong(scan, first < 0 ? "a \\u without four digits" : "a string with a zero byte in it");
    scan->at += 4;
    if (first >= 0xdc00 && first < 0xe000)
        return wrong(scan, "half a character");
    if (first < 0xd800 || first >= 0xe000) {
        put_utf8(&scan->string, (uint32_t)first);
        return true;
    }
    second = scan->end - scan->at > 6 && scan->at[0] == '\\' && scan->at[1] == 'u'
                 ? hex4(scan->at + 2, scan->end)
                 : -1;
    if (second < 0xdc00 || second >= 0xe000)
        return wrong(scan, "half a character");
    scan->at += 6;
    put_utf8(&scan->string, 0x10000 + ((uint32_t)(first - 0xd800) << 10) + (uint32_t)(second - 0xdc00));
    return true;
}

static bool put_escape(struct scan *scan)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    if (scan->at == scan->end)
        return wrong(scan, "it ends within a string");
    char c = *scan->at++;
    const char *known = c ? strchr(from, c) : NULL;
    if (c == 'u')
        return put_unicode(scan);
    if (!known)
        return wrong(scan, "an escape that JSON doesn't have");
    bytes_append(&scan->string, &to[known - from], 1);
    return true;
}

/* Behind its first quote. */
static bool read_string(struct scan *scan)
{
    scan->string.len = 0;
    bytes_append(&scan->string, "", 0);
    for (;;) {
        const char *start = scan->at;
        while (scan->at < scan->end && *scan->at != '"' && *scan->at != '\\' &&
               (unsigned char)*scan->at >= 0x20)
            scan->at++;
        bytes_append(&scan->string, start, (size_t)(scan->at - start));
        if (scan->at == scan->end)
            return wrong(scan, "it ends within a string");
        char c = *scan->at++;
        if (c == '"')
            return true;
        if (c != '\\')
            return wrong(scan, "a control character in a string");
        if (!put_escape(scan))
            return false;
    }
}

/* -- values -------------------------------------------------------------------------------------------- */

static size_t digits(const struct scan *scan, size_t from)
{
    size_t i = from;
    while (scan->at + i < scan->end && scan->at[i] >= '0' && scan->at[i] <= '9')
        i++;
    return i - from;
}

static bool has(const struct scan *scan, size_t i, const char *any)
{
    return scan->at + i < scan->end && scan->at[i] && strchr(any, scan->at[i]);
}

static enum scan_kind read_number(struct scan *scan)
{
    size_t len = has(scan, 0, "-"), whole = digits(scan, len);
    if (whole == 0 || (whole > 1 && scan->at[len] == '0')) {
        wrong(scan, whole ? "a number with a zero in front" : "neither a value nor the end of one");
        return SCAN_WRONG;
    }
    len += whole;
    for (int part = 0; part < 2; part++) {
        size_t sign = 0, more;
        if (!has(scan, len, part ? "eE" : "."))
            continue;
        sign = part && has(scan, len + 1, "+-");
        more = digits(scan, len + 1 + sign);
        if (more == 0) {
            wrong(scan, "a number that ends too soon");
            return SCAN_WRONG;
        }
        len += 1 + sign + more;
    }
    scan->string.len = 0;
    bytes_append(&scan->string, scan->at, len);
    scan->at += len;
    return SCAN_NUMBER;
}

static enum scan_kind read_word(struct scan *scan, const char *word, enum scan_kind kind)
{
    size_t len = strlen(word);
    if ((size_t)(scan->end - scan->at) < len || memcmp(scan->at, word, len) != 0) {
        wrong(scan, "neither a value nor the end of one");
        return SCAN_WRONG;
    }
    scan->at += len;
    return kind;
}

static enum scan_kind open_one(struct scan *scan, enum scan_kind kind)
{
    scan->at++;
    if (++scan->depth > DEEPEST) {
        wrong(scan, "more brackets in brackets than any facts have");
        return SCAN_WRONG;
    }
    return kind;
}

enum scan_kind scan_value(struct scan *scan)
{
    skip_blanks(scan);
    if (scan->at == scan->end)
        wrong(scan, "it ends too soon");
    if (scan->wrong)
        return SCAN_WRONG;
    switch (*scan->at) {
    case '{':
        return open_one(scan, SCAN_OBJECT);
    case '[':
        return open_one(scan, SCAN_ARRAY);
    case '"':
        scan->at++;
        return read_string(scan) ? SCAN_STRING : SCAN_WRONG;
    case 't':
        return read_word(scan, "true", SCAN_TRUE);
    case 'f':
        return read_word(scan, "false", SCAN_FALSE);
    case 'n':
        return read_word(scan, "null", SCAN_NULL);
    default:
        return read_number(scan);
    }
}

/* Is there one more before the closing bracket? */
static bool goes_on(struct scan *scan, bool first, char close)
{
    if (takes(scan, close)) {
        scan->depth--;
        return false;
    }
    if (!first && !takes(scan, ','))
        return wrong(scan,
                     scan->at == scan->end ? "it ends too soon" : "neither a comma nor a closing bracket");
    return !scan->wrong;
}

bool scan_key(struct scan *scan, bool first)
{
    if (!goes_on(scan, first, '}'))
        return false;
    if (!takes(scan, '"'))
        return wrong(scan, scan->at == scan->end ? "it ends too soon" : "a key that is no string");
    if (!read_string(scan))
        return false;
    return takes(scan, ':') || wrong(scan, "a key without a colon");
}

bool scan_item(struct scan *scan, bool first)
{
    return goes_on(scan, first, ']');
}

bool scan_skip(struct scan *scan, enum scan_kind kind)
{
    bool more = true;
    for (bool first = true; more && (kind == SCAN_OBJECT || kind == SCAN_ARRAY); first = false) {
        more = kind == SCAN_OBJECT ? scan_key(scan, first) : scan_item(scan, first);
        if (more)
            scan_skip(scan, scan_value(scan));
    }
    return !scan->wrong;
}

bool scan_ended(struct scan *scan)
{
    skip_blanks(scan);
    return scan->at == scan->end;
}

void scan_free(struct scan *scan)
{
    bytes_free(&scan->string);
}
