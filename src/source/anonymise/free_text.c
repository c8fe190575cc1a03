/* SPDX-License-Identifier: MIT */
/* Replaces addresses in text, and names of netdevs and devices. */
#include <arpa/inet.h>

#include "source/anonymise/anonymise.h"

enum { MAC_MOST = 32, ADDRESS_MOST = 64, MOST_DIGITS = 5, SHORTEST_MAC = 4 };

/* An IP address as inet_pton accepts it; false if it isn't one. */
static bool put_ip(const char *text, size_t len, struct bytes *out)
{
    uint8_t bytes[16];
    char copy[ADDRESS_MOST], plain[INET6_ADDRSTRLEN];
    if (len >= sizeof(copy))
        return false;
    memcpy(copy, text, len);
    copy[len] = '\0';
    int family = inet_pton(AF_INET, copy, bytes) == 1 ? AF_INET : AF_INET6;
    if (family == AF_INET)
        anonymise_v4(bytes);
    else if (inet_pton(AF_INET6, copy, bytes) == 1)
        anonymise_v6(bytes);
    else
        return false;
    bytes_printf(out, "%s", inet_ntop(family, bytes, plain, sizeof(plain)));
    return true;
}

/* A run of hexadecimal digits, colons and dots: unchanged unless it is an address. */
static void put_run(const char *run, size_t len, struct bytes *out)
{
    uint8_t bytes[MAC_MOST];
    size_t count = text_to_bytes(run, len, 1, bytes, sizeof(bytes));
    const char *port = memchr(run, ':', len);
    if (count >= SHORTEST_MAC) { /* for a tunnel it's an IP address */
        anonymise_mac(bytes, count);
        bytes_put_hex(out, bytes, count, 1);
        return;
    }
    count = text_to_bytes(run, len, 2, bytes, 16);
    if (count == 8) {
        anonymise_mac(bytes, count);
        bytes_put_hex(out, bytes, count, 2);
    } else if (count == 16) {
        anonymise_v6(bytes);
        bytes_put_hex(out, bytes, count, 2);
    } else if (!put_ip(run, len, out)) {
        bool before_port = port && put_ip(run, (size_t)(port - run), out);
        const char *rest = before_port ? port : run;
        bytes_append(out, rest, (size_t)(run + len - rest));
    }
}

bool anonymise_digits(const char *text, size_t len, struct bytes *out)
{
    uint8_t bytes[MAC_MOST];
    size_t count = text_to_bytes(text, len, 0, bytes, sizeof(bytes));
    if (count < 3)
        return false;
    anonymise_mac(bytes, count);
    bytes_put_hex(out, bytes, count, 0);
    return true;
}

/* udev names some adapters after their address: enx and the MAC's 12 digits, rocex and the GUID's 16. Returns
 * how much of text it used, or 0. */
static size_t put_named_by_address(const char *text, size_t len, struct bytes *out)
{
    static const char *const types[] = { "enx", "wlx", "wwx", "slx", "ibx", "rocex", "iwx", "opax", "rdmax" };
    for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
        size_t prefix = strlen(types[i]), digits = 0, before = out->len;
        if (len < prefix || memcmp(text, types[i], prefix) != 0)
            continue;
        while (prefix + digits < len && isxdigit((unsigned char)text[prefix + digits]))
            digits++;
        bytes_append(out, text, prefix);
        if ((digits == 12 || digits == 16) && anonymise_digits(text + prefix, digits, out))
            return prefix + digits;
        out->len = before;
    }
    return 0;
}

/* Hyper-V names devices this way. Returns how much of text it used, or 0. */
static size_t put_uuid(const char *text, size_t len, struct bytes *out)
{
    static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    size_t at = 0;
    while (form[at] && at < len && (form[at] == '-' ? text[at] == '-' : isxdigit((unsigned char)text[at]) != 0))
        at++;
    if (form[at])
        return 0;
    static const size_t parts[] = { 8, 4, 4, 4, 12 };
    struct bytes digits = { 0 };
    for (char salt[] = "u0"; salt[1] < '6'; salt[1]++) {
        char salted[sizeof(form) + 2];
        memcpy(salted, salt, 2);
        memcpy(salted + 2, text, at);
        anonymise_word("", salted, at + 2, &digits);
    }
    for (size_t i = 0, used = 0; i < ARRAY_SIZE(parts); used += parts[i++])
        bytes_printf(out, "%s%.*s", i ? "-" : "", (int)parts[i], digits.data + used);
    bytes_free(&digits);
    return at;
}

static bool is_run_char(char c)
{
    return isxdigit((unsigned char)c) || c == ':' || c == '.';
}

/* Digits, colons and dots at the beginning of text, without any punctuation after an address. */
static size_t run_of(const char *text, size_t len)
{
    size_t run = 0;
    while (run < len && is_run_char(text[run]))
        run++;
    while (run && (text[run - 1] == '.' || (text[run - 1] == ':' && (run < 2 || text[run - 2] != ':'))))
        run--;
    return run;
}

void anonymise_text(const char *text, size_t len, struct bytes *out)
{
    bytes_append(out, "", 0);
    for (size_t i = 0, taken; i < len; i += taken) {
        bool starts = i == 0 || !text_is_word_char(text[i - 1]);
        size_t run = starts ? run_of(text + i, len - i) : 0;
        bool ends = i + run == len || !text_is_word_char(text[i + run]);
        taken = starts ? put_uuid(text + i, len - i, out) : 0;
        if (!taken && starts)
            taken = put_named_by_address(text + i, len - i, out);
        if (!taken && run > 2 && ends) {
            put_run(text + i, run, out);
            taken = run;
        }
        if (!taken) {
            bytes_append(out, text + i, 1);
            taken = 1;
        }
    }
}

/* -- names ------------------------------------------------------------------------------------------------ */

/* The length of the first of the words that the text begins with; 0 if none. */
static size_t begins_with_one(const char *text, size_t len, const char *words)
{
    const char *word;
    for (size_t size; words_next(&words, &word, &size);)
        if (len >= size && memcmp(text, word, size) == 0)
            return size;
    return 0;
}

static size_t digits_of(const char *text, size_t len)
{
    size_t count = 0;
    while (count < len && isdigit((unsigned char)text[count]))
        count++;
    return count;
}

/* Is the rest of the name, after a word, only numbers and what may separate them in a predictable name (udev's
 * net_id, drivers' phys_port_name)? */
static bool is_numbering(const char *text, size_t len)
{
    size_t at = digits_of(text, len);
    if (at > MOST_DIGITS)
        return false;
    while (at < len) {
        size_t word = begins_with_one(text + at, len - at,
                                      "npf np pf vf sf nc p P s f d n o b v c u i r a _ .");
        size_t digits = digits_of(text + at + word, len - at - word);
        if (!word || !digits || digits > MOST_DIGITS)
            return false;
        at += word + digits;
    }
    return true;
}

static bool is_ordinary(const char *name, size_t len)
{
    const char *words = words_of("[names]"), *word;
    for (size_t size; words_next(&words, &word, &size);)
        if (len >= size && memcmp(name, word, size) == 0 && is_numbering(name + size, len - size))
            return true;
    return false;
}

void anonymise_name(const char *name, size_t len, struct bytes *out)
{
    bytes_append(out, "", 0);
    size_t taken = put_named_by_address(name, len, out);
    if (taken && is_numbering(name + taken, len - taken)) {
        bytes_append(out, name + taken, len - taken);
    } else if (!taken && is_ordinary(name, len)) {
        bytes_append(out, name, len);
    } else {
        size_t word = taken;
        while (word < len && !is_numbering(name + word, len - word))
            word++;
        if (word == 0) /* nothing but numbers */
            word = len;
        if (taken == 0 || word > taken)
            anonymise_word("net", name + taken, word - taken, out);
        bytes_append(out, name + word, len - word);
    }
}
