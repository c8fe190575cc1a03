/* SPDX-License-Identifier: MIT */
/* Words that don't reveal whose machine it is, from text that anybody could have written. */
#include "source/anonymise/anonymise.h"

#include <arpa/inet.h>

static bool is_number(const char *text, size_t len)
{
    size_t at = len > 2 && text[0] == '0' && text[1] == 'x' ? 2 : 0, digits = at;
    while (at < len && (digits ? isxdigit((unsigned char)text[at]) : isdigit((unsigned char)text[at])))
        at++;
    return len > 0 && len <= 10 && at == len;
}

/* A word in the list, possibly followed by a number: "el9", "amzn2023". */
static bool is_numbered(const char *list, const char *text, size_t len)
{
    size_t word = len;
    while (word && isdigit((unsigned char)text[word - 1]))
        word--;
    return len - word <= 6 && words_have(list, text, word);
}

/* -- modules and programs ------------------------------------------------------------------------------- */

void words_put_module(const char *name, size_t len, struct bytes *out)
{
    words_put_known("[modules]", "module", name, len, out);
}

void words_put_program(const char *name, size_t len, struct bytes *out)
{
    words_put_known("[programs]", "program", name, len, out);
}

void words_put_conf_file(const char *path, size_t len, struct bytes *out)
{
    words_put_known("[files]", "/conf", path, len, out);
}

void words_put_known(const char *list, const char *what, const char *word, size_t len, struct bytes *out)
{
    if (words_have(list, word, len))
        bytes_append(out, word, len);
    else
        anonymise_word(what, word, len, out);
}

/* -- kernel and distribution ---------------------------------------------------------------------------- */

void words_put_release(const char *text, size_t len, struct bytes *out)
{
    size_t before = out->len;
    char *release = mem_printf("%.*s", (int)len, text);
    for (const char *at = release; *at;) {
        size_t blank = strspn(at, "-._+~"), size = strcspn(at + blank, "-._+~");
        const char *word = at + blank;
        if (is_number(word, size) || is_numbered("[releases]", word, size))
            bytes_append(out, out->len == before ? word : at, size + (out->len == before ? 0 : blank));
        at += blank + size;
    }
    free(release);
}

static bool is_version(const char *text, size_t len)
{
    size_t digits = 0;
    while (digits < len && (isdigit((unsigned char)text[digits]) || text[digits] == '.'))
        digits++;
    return len && len <= 16 && digits == len && memchr(text, '.', len);
}

void words_put_distribution(const char *text, size_t len, struct bytes *out)
{
    const char *blank = "\"";
    for (size_t at = 0, size; at < len; at += size + 1) {
        const char *word = text + at;
        size = words_length(word, len - at, " \t\"'()");
        if (!size ||
            !(is_version(word, size) || is_number(word, size) || is_numbered("[distributions]", word, size)))
            continue;
        bytes_printf(out, "%s%.*s", blank, (int)size, word);
        blank = " ";
    }
    bytes_printf(out, "%s\"", *blank == '"' ? "\"" : "");
}

/* -- parameters and variables --------------------------------------------------------------------------- */

static bool is_plain(const char *text, size_t len)
{
    return is_number(text, len) || words_have("[flags]", text, len);
}

static bool is_parameter(const char *text, size_t len)
{
    size_t name = words_length(text, len, "=");
    if (!words_have("[parameters]", text, name))
        return false;
    for (size_t at = name + 1, size; at < len; at += size + 1) {
        size = words_length(text + at, len - at, ",");
        if (!is_plain(text + at, size) && !words_have("[parameter values]", text + at, size))
            return false;
    }
    return true;
}

void words_put_parameters(const char *text, size_t len, struct bytes *out)
{
    const char *blank = "";
    for (size_t at = 0, size; at < len; at += size + 1) {
        size = words_length(text + at, len - at, " \t");
        if (!is_parameter(text + at, size))
            continue;
        bytes_printf(out, "%s%.*s", blank, (int)size, text + at);
        blank = " ";
    }
}

void words_put_flag(const char *text, size_t len, struct bytes *out)
{
    for (; len && *text == '"'; len--)
        text++;
    size_t size = words_length(text, len, " \t\"#;");
    if (size && (is_plain(text, size) || (size == 7 && memcmp(text, "nfsrdma", size) == 0)))
        bytes_append(out, text, size);
    else if (size)
        bytes_printf(out, "other");
}

/* An address, possibly followed by "/24" or ":4791". */
static bool put_address(const char *text, size_t len, struct bytes *out)
{
    char copy[64];
    uint8_t raw[16];
    if (len >= sizeof(copy))
        return false;
    memcpy(copy, text, len);
    copy[len] = '\0';
    copy[strcspn(copy, "/")] = '\0';
    bool is_v6 = inet_pton(AF_INET6, copy, raw) == 1;
    if (!is_v6)
        copy[strcspn(copy, ":")] = '\0';
    if (!is_v6 && inet_pton(AF_INET, copy, raw) != 1)
        return false;
    size_t address = strlen(copy);
    if (address < len && !is_number(text + address + 1, len - address - 1))
        return false;
    anonymise_text(copy, address, out);
    bytes_append(out, text + address, len - address);
    return true;
}

static void put_element(const char *text, size_t len, struct bytes *out)
{
    if (len == 0 || is_plain(text, len) || words_have("[variable values]", text, len)) {
        bytes_append(out, text, len);
    } else if (!put_address(text, len, out)) {
        size_t name = words_length(text, len, ":/");
        anonymise_name(text, name, out);
        if (name + 1 < len && is_number(text + name + 1, len - name - 1)) /* the port */
            bytes_append(out, text + name, len - name);
    }
}

/* Names of devices, addresses, numbers and known words; keeps the separators between them. */
static void put_variable_value(const char *value, size_t len, struct bytes *out)
{
    for (size_t at = 0, size; at <= len; at += size + 1) {
        size = words_length(value + at, len - at, ", \t^=;");
        put_element(value + at, size, out);
        if (at + size < len)
            bytes_append(out, value + at + size, 1);
    }
}

/* A variable that isn't judged only keeps its library, to show that this is used. */
void words_put_variable(const char *text, size_t len, struct bytes *out)
{
    static const char *const libraries[] = { "NCCL_", "RCCL_", "UCX_", "OMPI_MCA_btl", "OMPI_MCA_pml" };
    size_t name = words_length(text, len, "=");
    if (name == len)
        return;
    if (words_have("[variables]", text, name)) {
        bytes_append(out, text, name + 1);
        put_variable_value(text + name + 1, len - name - 1, out);
        return;
    }
    for (size_t i = 0; i < ARRAY_SIZE(libraries); i++)
        if (text_starts(text, libraries[i])) {
            bytes_printf(out, "%s_other=", libraries[i]);
            return;
        }
}

/* -- the kernel's log ----------------------------------------------------------------------------------- */

static bool is_pci_address(const char *word, size_t len)
{
    unsigned domain, bus, slot, function;
    int used = 0;
    char copy[24];
    snprintf(copy, sizeof(copy), "%.*s", (int)len, word);
    return sscanf(copy, "%x:%x:%x.%x%n", &domain, &bus, &slot, &function, &used) == 4 &&
           (size_t)used + 1 >= len && len < sizeof(copy);
}

/* One word: a PCI function or module stays; what ends in a colon may be a device's name. */
static void put_log_word(const char *word, size_t len, struct bytes *out)
{
    bool colon = len && word[len - 1] == ':';
    if (is_pci_address(word, len) || words_have("[modules]", word, len - colon)) {
        bytes_printf(out, "%.*s ", (int)len, word);
    } else if (colon && isalpha((unsigned char)*word)) {
        anonymise_name(word, len - 1, out);
        bytes_append(out, ": ", 2);
    }
}

/* A line of the kernel log, possibly after its age, that matches the same pattern, or nothing. */
void words_put_log(const char *text, size_t len, struct bytes *out)
{
    struct bytes kept = { 0 };
    unsigned long long age;
    int aged = 0;
    char *copy = mem_printf("%.*s", (int)len, text);
    if (sscanf(copy, "[%llu s ago] %n", &age, &aged) != 1)
        aged = 0;
    const char *line = copy + aged;
    const struct log_pattern *pattern = kernel_log_pattern(line);
    const char *first = pattern ? strstr(line, pattern->words[0]) : line;
    for (const char *at = line; at < first;) {
        size_t size = strcspn(at, " ");
        put_log_word(at, size, &kept);
        at += size + (at[size] == ' ');
    }
    if (pattern) {
        bytes_printf(&kept, "%s ", pattern->words[0]);
        const char *behind = first + strlen(pattern->words[0]);
        behind += strspn(behind, " :");
        put_log_word(behind, strcspn(behind, " "), &kept);
        kept.data[--kept.len] = '\0'; /* the blank */
        if (pattern->words[1])
            bytes_printf(&kept, " %s", pattern->words[1]);
    }
    if (pattern && kernel_log_pattern(kept.data) == pattern)
        bytes_printf(out, "%.*s%s", aged, copy, kept.data);
    bytes_free(&kept);
    free(copy);
}
