/* SPDX-License-Identifier: MIT */
/* The configuration files of NCCL, UCX and Open MPI, read as the libraries themselves do. */
#include "source/files/texts.h"

/* How much the library's fgets() reads at a time, and where it cuts off names and values; in bytes. */
enum { NCCL_LINE = 4095, NCCL_WORD = 1023, UCX_LINE = 199, UCX_SECTION = 49, UCX_NAME = 49 };

static size_t shorter(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How much of text fgets() would read: up to and including a newline, but no more than most bytes. */
static size_t piece(const char *text, size_t len, size_t most)
{
    const char *newline = memchr(text, '\n', shorter(len, most));
    return newline ? (size_t)(newline - text) + 1 : shorter(len, most);
}

void nccl_conf_parse(const char *text, size_t len, conf_line_fn *fn, void *data)
{
    struct conf_line line = { .number = 1 };
    for (size_t taken; len; text += taken, len -= taken) {
        taken = piece(text, len, NCCL_LINE);
        size_t end = strnlen(text, taken);
        bool ends = text[taken - 1] == '\n';
        if (end && text[end - 1] == '\n')
            end--;
        if (end && text[end - 1] == '\r')
            end--;
        const char *equals = end && *text != '#' ? memchr(text, '=', end) : NULL;
        if (equals) {
            line.name = text;
            line.name_len = shorter((size_t)(equals - text), NCCL_WORD);
            line.value = equals + 1;
            line.value_len = shorter(end - (size_t)(equals + 1 - text), NCCL_WORD);
            fn(data, &line);
        }
        line.number += ends;
    }
}

static void strip(const char **text, size_t *len)
{
    while (*len && isspace((unsigned char)(*text)[*len - 1]))
        --*len;
    while (*len && isspace((unsigned char)**text)) {
        ++*text;
        --*len;
    }
}

/* The position of the first of chars in text, or of a ";" after a blank; len if there is none. */
static size_t find_or_comment(const char *text, size_t len, const char *chars)
{
    bool was_space = false;
    for (size_t i = 0; i < len; i++) {
        if (strchr(chars, text[i]) || (was_space && text[i] == ';'))
            return i;
        was_space = isspace((unsigned char)text[i]);
    }
    return len;
}

/* "CPU vendor", "CPU model", "Product name": what ucs_config_parse_check_filter() compares with the machine. */
static bool is_filter(const struct conf_line *line)
{
    static const char *const filters[] = { "CPU vendor", "CPU model", "Product name" };
    for (size_t i = 0; i < sizeof(filters) / sizeof(*filters); i++)
        if (strlen(filters[i]) == line->name_len && memcmp(filters[i], line->name, line->name_len) == 0)
            return true;
    return false;
}

struct ini {
    conf_line_fn *fn;
    void *data;
    struct conf_line line;
    char section[UCX_SECTION], judged[UCX_SECTION]; /* the current line's, and the previous line's */
    size_t section_len, judged_len;
    char previous[UCX_NAME];
    size_t previous_len;
};

/* ucs_config_parse_set_section_info(): a section is new if its name differs from the previous line's. */
static void emit(struct ini *ini)
{
    if (ini->section_len != ini->judged_len || memcmp(ini->section, ini->judged, ini->section_len) != 0) {
        memcpy(ini->judged, ini->section, ini->section_len);
        ini->judged_len = ini->section_len;
        ini->line.conditional = false;
    }
    if (is_filter(&ini->line))
        ini->line.conditional = true;
    else
        ini->fn(ini->data, &ini->line);
}

static void take_section(struct ini *ini, const char *text, size_t len)
{
    size_t end = find_or_comment(text + 1, len - 1, "]") + 1;
    if (end == len || text[end] != ']')
        return;
    ini->section_len = shorter(end - 1, UCX_SECTION);
    memcpy(ini->section, text + 1, ini->section_len);
    ini->previous_len = 0;
}

static void take_assignment(struct ini *ini, const char *text, size_t len)
{
    struct conf_line *line = &ini->line;
    size_t end = find_or_comment(text, len, "=:");
    if (end == len || (text[end] != '=' && text[end] != ':'))
        return;
    line->name = text;
    line->name_len = end;
    strip(&line->name, &line->name_len);
    line->value = text + end + 1;
    line->value_len = find_or_comment(line->value, len - end - 1, "");
    strip(&line->value, &line->value_len);
    ini->previous_len = shorter(line->name_len, UCX_NAME);
    memcpy(ini->previous, line->name, ini->previous_len);
    emit(ini);
}

static void take_line(struct ini *ini, const char *text, size_t len)
{
    const char *start = text;
    if (ini->line.number == 1 && len >= 3 && memcmp(start, "\xef\xbb\xbf", 3) == 0) {
        start += 3;
        len -= 3;
    }
    strip(&start, &len);
    if (len == 0 || *start == '#' || *start == ';')
        return;
    if (ini->previous_len && start > text) {
        ini->line.name = ini->previous;
        ini->line.name_len = ini->previous_len;
        ini->line.value = start;
        ini->line.value_len = len;
        emit(ini);
    } else if (*start == '[') {
        take_section(ini, start, len);
    } else {
        take_assignment(ini, start, len);
    }
}

void ucx_conf_parse(const char *text, size_t len, conf_line_fn *fn, void *data)
{
    struct ini ini = { .fn = fn, .data = data, .line.number = 1 };
    for (size_t taken; len; text += taken, len -= taken) {
        taken = piece(text, len, UCX_LINE);
        take_line(&ini, text, strnlen(text, taken));
        ini.line.number += text[taken - 1] == '\n';
    }
}

/* The lexer's {CHAR}. */
static bool is_key(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

/* Skips blanks, but not the end of the line. */
static void skip_blanks(const char **text, size_t *len)
{
    while (*len && **text != '\n' && isspace((unsigned char)**text)) {
        ++*text;
        --*len;
    }
}

static void take_parameter(const char *text, size_t len, struct conf_line *line, conf_line_fn *fn, void *data)
{
    line->name = text;
    while (len && is_key(*text)) {
        text++;
        len--;
    }
    line->name_len = (size_t)(text - line->name);
    skip_blanks(&text, &len);
    if (!line->name_len || !len || *text != '=')
        return;
    line->value = text + 1;
    line->value_len = len - 1;
    strip(&line->value, &line->value_len);
    fn(data, line);
}

void mpi_conf_parse(const char *text, size_t len, conf_line_fn *fn, void *data)
{
    struct conf_line line = { .number = 1 };
    for (size_t taken; len; text += taken, len -= taken) {
        skip_blanks(&text, &len);
        bool block = len >= 2 && text[0] == '/' && text[1] == '*';
        const char *end = block ? memmem(text + 2, len - 2, "*/", 2) : NULL;
        taken = end ? (size_t)(end + 2 - text) : block ? len : piece(text, len, len);
        if (!block && taken && is_key(*text))
            take_parameter(text, taken, &line, fn, data);
        for (size_t i = 0; i < taken; i++)
            line.number += text[i] == '\n';
    }
}
