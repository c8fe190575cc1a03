/* SPDX-License-Identifier: MIT */
/* Text: numbers, version order, distance, and untrusted bytes made safe to show. */

static bool only_blanks(const char *text)
{
    return text[strspn(text, " \t\n")] == '\0';
}

/* The result of strtoull or strtoll for the number that begins at start. */
static int number_result(const char *start, const char *end)
{
    if (end == start || !only_blanks(end))
        return -EINVAL;
    return errno == ERANGE ? -ERANGE : 0;
}

/* Only digits and a newline, as in nearly all files, so no base to determine; 18 digits always fit. */
static bool is_plain_number(const char *text, uint64_t *value)
{
    uint64_t number = 0;
    size_t len = 0;
    for (; text[len] >= '0' && text[len] <= '9' && len < 18; len++)
        number = number * 10 + (uint64_t)(text[len] - '0');
    bool ends = text[len] == '\0' || (text[len] == '\n' && text[len + 1] == '\0');
    bool plain = ends && len && (text[0] != '0' || len == 1);
    if (plain)
        *value = number;
    return plain;
}

int text_to_u64(const char *text, int base, uint64_t *value)
{
    if ((base == 10 || base == 0) && is_plain_number(text, value))
        return 0;
    const char *start = text + strspn(text, " \t\n");
    if (!isalnum((unsigned char)*start))
        return -EINVAL;
    char *end = NULL;
    errno = 0;
    unsigned long long number = strtoull(start, &end, base);
    int r = number_result(start, end);
    if (r == 0)
        *value = number;
    return r;
}

char *text_put_u64(char *at, uint64_t value)
{
    char digits[20];
    size_t len = 0;
    do
        digits[len++] = (char)('0' + value % 10);
    while (value /= 10);
    while (len)
        *at++ = digits[--len];
    return at;
}

int text_to_size(const char *text, uint64_t *bytes)
{
    static const char letters[] = "kmg";
    char copy[32];
    size_t len = strlen(text);
    uint64_t value;
    const char *letter = len ? strchr(letters, text[len - 1] | 0x20) : NULL;
    if (len == 0 || len >= sizeof(copy))
        return -EINVAL;
    unsigned shift = letter && *letter ? 10 * (unsigned)(letter - letters + 1) : 0;
    snprintf(copy, sizeof(copy), "%.*s", (int)(shift ? len - 1 : len), text);
    int r = text_to_u64(copy, 10, &value);
    if (r == 0 && value > UINT64_MAX >> shift)
        return -ERANGE;
    if (r == 0)
        *bytes = value << shift;
    return r;
}

int text_to_i64(const char *text, int base, int64_t *value)
{
    const char *start = text + strspn(text, " \t\n");
    if (*start != '-' && !isalnum((unsigned char)*start))
        return -EINVAL;
    char *end = NULL;
    errno = 0;
    long long number = strtoll(start, &end, base);
    int r = number_result(start, end);
    if (r == 0)
        *value = number;
    return r;
}

int text_digit(char c, int base)
{
    int digit = c >= '0' && c <= '9' ? c - '0' : -1;
    c |= 0x20;
    if (c >= 'a' && c <= 'f')
        digit = c - 'a' + 10;
    return digit < base ? digit : -1;
}

size_t text_to_bytes(const char *text, size_t len, size_t group, uint8_t *bytes, size_t most)
{
    size_t count = 0, at = 0;
    while (at < len) {
        if (group && count && count % group == 0 && text[at++] != ':')
            return 0;
        int high = len - at < 2 ? -1 : text_digit(text[at], 16),
            low = high < 0 ? -1 : text_digit(text[at + 1], 16);
        if (low < 0 || count == most)
            return 0;
        bytes[count++] = (uint8_t)(high << 4 | low);
        at += 2;
    }
    return count;
}

char *text_trim(char *text)
{
    size_t len = strlen(text);
    while (len && strchr(" \t\n\r", text[len - 1]))
        text[--len] = '\0';
    return text;
}

/* How many of the len bytes at text, which begin with ESC, form one ECMA-48 sequence: CSI with its parameters
 * and final byte, OSC up to BEL or ESC \, or ESC and one byte. */
static size_t escape_length(const char *text, size_t len)
{
    size_t n = 2;
    if (len < 2)
        return len;
    if (text[1] == '[') {
        while (n < len && text[n] >= 0x20 && text[n] < 0x40)
            n++;
        return n < len && text[n] >= 0x40 && text[n] < 0x7f ? n + 1 : n;
    }
    if (text[1] != ']')
        return n;
    while (n < len && text[n] != '\a' && text[n] != '\033')
        n++;
    return n == len ? 2 : n + 1 + (text[n] == '\033' && n + 1 < len && text[n + 1] == '\\');
}

size_t text_drop_escapes(char *text, size_t len)
{
    size_t out = 0;
    for (size_t in = 0; in < len;) {
        if (text[in] == '\033')
            in += escape_length(text + in, len - in);
        else
            text[out++] = text[in++];
    }
    return out;
}

bool text_is(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

bool text_same(const char *a, const char *b)
{
    return a == b || (b && text_is(a, b));
}

bool text_starts(const char *text, const char *prefix)
{
    return text && strncmp(text, prefix, strlen(prefix)) == 0;
}

bool text_ends(const char *text, const char *suffix)
{
    size_t len = strlen(text), tail = strlen(suffix);
    return len >= tail && memcmp(text + len - tail, suffix, tail) == 0;
}

static bool in_list(const char *list, char separator, const char *word,
                    int (*compare)(const char *a, const char *b, size_t len))
{
    size_t len = strlen(word);
    for (const char *at = list; at; at = strchr(at, separator), at = at ? at + 1 : NULL)
        if (compare(at, word, len) == 0 && (at[len] == separator || at[len] == '\0'))
            return true;
    return false;
}

const char *text_next_item(const char **list, char separator, size_t *len)
{
    const char *item = *list;
    if (!item || !*item)
        return NULL;
    *len = strcspn(item, (char[]){ separator, '\0' });
    *list += *len + (item[*len] != '\0');
    return item;
}

const char *text_next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

bool text_in_list(const char *list, const char *word)
{
    return in_list(list, ',', word, strncmp);
}

bool text_in_list_fold(const char *list, char separator, const char *word)
{
    return in_list(list, separator, word, strncasecmp);
}

/* The next character of a name that counts, as a small letter; '\0' at its end, which a comma is, too. */
static char next_letter(const char **name)
{
    *name += strspn(*name, " -_");
    return **name && **name != ',' ? (char)tolower((unsigned char)*(*name)++) : '\0';
}

static bool is_same_name(const char *a, const char *b)
{
    enum { PLURAL_LEAST = 3 };
    for (size_t same = 0;; same++) {
        char in_a = next_letter(&a), in_b = next_letter(&b);
        if (in_a == in_b && !in_a)
            return true;
        if (in_a == in_b)
            continue;
        bool is_plural = same >= PLURAL_LEAST && (!in_a || !in_b) && (in_a == 's' || in_b == 's');
        return is_plural && next_letter(in_a ? &a : &b) == '\0';
    }
}

bool text_is_named(const char *names, const char *word)
{
    const char *name;
    bool is = false;
    for (size_t len; !is && !strchr(word, ',') && (name = text_next_item(&names, ',', &len));)
        is = is_same_name(name, word);
    return is;
}

bool text_list_is_empty(const char *list)
{
    return list && list[strspn(list, ",")] == '\0';
}

int text_version_compare(const char *a, const char *b)
{
    if (a == b) /* the same pointer: true of most names that are sorted */
        return 0;
    /* where no digits are involved the order is strcmp's: true of most names, and several times faster */
    size_t same = 0;
    while (a[same] == b[same] && a[same])
        same++;
    bool in_number = same && isdigit((unsigned char)a[same - 1]);
    if (!in_number && !(isdigit((unsigned char)a[same]) && isdigit((unsigned char)b[same])))
        return (unsigned char)a[same] - (unsigned char)b[same];
    int order = strverscmp(a, b);
    return order ? order : strcmp(a, b);
}

bool text_is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

size_t text_distance(const char *a, const char *b)
{
    enum { MOST = 64 };
    size_t rows[3][MOST + 1];
    size_t alen = strnlen(a, MOST), blen = strnlen(b, MOST);
    size_t *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= blen; j++)
        last[j] = j;
    memcpy(before, last, sizeof(rows[0]));
    for (size_t i = 1; i <= alen; i++) {
        now[0] = i;
        for (size_t j = 1; j <= blen; j++) {
            bool same = a[i - 1] == b[j - 1];
            size_t best = last[j - 1] + !same;
            if (last[j] + 1 < best)
                best = last[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
        size_t *free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[blen];
}

const char *text_nearest(const char *word, size_t count, const char *(*get)(size_t i, const void *data),
                         const void *data)
{
    const char *nearest = NULL;
    size_t limit = strlen(word) < 6 ? 1 : strlen(word) / 3, least = limit + 1;
    for (size_t i = 0; i < count; i++) {
        const char *candidate = get(i, data);
        size_t distance = text_distance(word, candidate);
        if (strlen(word) >= 2 && text_starts(candidate, word))
            distance = 1;
        if (distance < least && distance < strlen(candidate)) {
            least = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

/* The code point at text and its length in bytes; length 0 when the bytes there are not valid UTF-8. */
static uint32_t decode(const char *text, size_t *length)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t n = s[0] < 0x80                   ? 1
               : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
               : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
               : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                             : 0;
    uint32_t code = n == 1 ? s[0] : n == 2 ? s[0] & 0x1f : n == 3 ? s[0] & 0x0f : s[0] & 0x07;
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            n = 0;
            break;
        }
        code = code << 6 | (s[i] & 0x3f);
    }
    if ((n == 3 && (code < 0x800 || (code >= 0xd800 && code < 0xe000))) ||
        (n == 4 && (code < 0x10000 || code > 0x10ffff)))
        n = 0;
    *length = n;
    return code;
}

/* Characters that change how a terminal shows the rest of the line, or that are invisible. */
static bool is_harmful(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
           (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe0fff);
}

size_t text_clean_length(const char *text)
{
    size_t length;
    if (*text >= ' ' && *text < 0x7f) /* nearly all */
        return 1;
    return is_harmful(decode(text, &length)) ? 0 : length;
}

bool text_is_clean(const char *text)
{
    for (size_t length; *text; text += length) {
        length = text_clean_length(text);
        if (length == 0)
            return false;
    }
    return true;
}

char *text_clean(const char *text, enum text_clean_mode mode)
{
    if (!text)
        return NULL;
    if (text_is_clean(text))
        return mem_strdup(text);
    struct bytes out = { 0 };
    bytes_append(&out, "", 0);
    while (*text) {
        size_t length;
        uint32_t code = decode(text, &length);
        size_t bytes = length ? length : 1;
        if (length && (!is_harmful(code) || (code == '\n' && mode == TEXT_KEEP_NEWLINES)))
            bytes_append(&out, text, bytes);
        else
            for (size_t i = 0; i < bytes; i++)
                bytes_printf(&out, "\\x%02x", (unsigned char)text[i]);
        text += bytes;
    }
    return out.data;
}

const char *text_clean_copy(struct arena *arena, const char *text, size_t most)
{
    char *clean = text_clean(text, TEXT_ONE_LINE);
    size_t len = clean ? strnlen(clean, most) : 0;
    while (len && clean[len] && !text_clean_length(clean + len)) /* within a character */
        len--;
    const char *copy = clean ? arena_strndup(arena, clean, len) : NULL;
    free(clean);
    return copy;
}

static size_t char_width(uint32_t c)
{
    if (c < 0x300)
        return 1;
    if ((c >= 0x300 && c < 0x370) || (c >= 0x1ab0 && c < 0x1b00) || (c >= 0x20d0 && c < 0x2100) ||
        (c >= 0xfe00 && c < 0xfe10))
        return 0;
    if ((c >= 0x1100 && c < 0x1160) || (c >= 0x2e80 && c < 0xa4d0) || (c >= 0xac00 && c < 0xd7a4) ||
        (c >= 0xf900 && c < 0xfb00) || (c >= 0xfe30 && c < 0xfe70) || (c >= 0xff00 && c < 0xff61) ||
        (c >= 0x1f300 && c < 0x1f650) || (c >= 0x1f900 && c < 0x1fa00) || (c >= 0x20000 && c < 0x3fffe))
        return 2;
    return 1;
}

size_t text_prefix(const char *text, size_t width)
{
    size_t used = 0;
    const char *at = text;
    while (*at) {
        size_t length;
        uint32_t code = decode(at, &length);
        size_t columns = length ? char_width(code) : 1;
        if (used + columns > width)
            break;
        used += columns;
        at += length ? length : 1;
    }
    return (size_t)(at - text);
}

size_t text_width(const char *text)
{
    size_t width = 0;
    for (size_t length; *text; text += length ? length : 1) {
        uint32_t code = decode(text, &length);
        width += length ? char_width(code) : 1;
    }
    return width;
}

bool text_is_shell_word(const char *text)
{
    return *text &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+:,./-")] ==
               '\0';
}

static void quote_clean(struct bytes *out, const char *text)
{
    bytes_append(out, "'", 1);
    for (const char *at = text; *at; at++)
        if (*at == '\'')
            bytes_append(out, "'\\''", 4);
        else
            bytes_append(out, at, 1);
    bytes_append(out, "'", 1);
}

static void quote_unclean(struct bytes *out, const char *text)
{
    bytes_append(out, "$'", 2);
    for (const char *at = text; *at;) {
        size_t len = text_clean_length(at);
        if (len == 0)
            bytes_printf(out, "\\x%02x", (unsigned char)*at);
        else if (*at == '\'' || *at == '\\')
            bytes_printf(out, "\\%c", *at);
        else
            bytes_append(out, at, len);
        at += len ? len : 1;
    }
    bytes_append(out, "'", 1);
}

char *text_shell(const char *text)
{
    struct bytes out = { 0 };
    if (text_is_shell_word(text))
        return mem_strdup(text);
    if (text_is_clean(text))
        quote_clean(&out, text);
    else
        quote_unclean(&out, text);
    return out.data;
}

void text_pairs_add(struct text_pairs *pairs, const char *text, size_t len)
{
    for (size_t i = 0; i + 1 < len; i++) {
        unsigned pair = text_pair(text[i], text[i + 1]);
        pairs->bits[pair / 64] |= (uint64_t)1 << pair % 64;
    }
}

bool text_pairs_may_spell(const struct text_pairs *pairs, const char *word)
{
    for (; word[0] && word[1]; word++)
        if (!text_pairs_have(pairs, word[0], word[1]))
            return false;
    return true;
}
