/* SPDX-License-Identifier: MIT */
/* What an anonymised recording keeps of a file: what fits its form, each value replaced according to its
 * type. */
#include <regex.h>

#include "model/verbs.h"
#include "source/anonymise/anonymise.h"
#include "source/files/files.h"
#include "source/files/texts.h"
#include "tables.h"
#include "trace/trace.h"

/* -- whole files, whose lines belong together ------------------------------------------------------------ */

static void put_pci_config(const char *data, size_t len, struct bytes *out)
{
    size_t before = out->len;
    bytes_append(out, data, len);
    pci_config_strip((uint8_t *)out->data + before, len);
}

static void put_verbs(const char *data, size_t len, struct bytes *out)
{
    struct arena *arena = arena_new();
    struct verbs_device *device = NULL;
    if (verbs_decode(data, len, arena, &device) < 0) {
        bytes_printf(out, "broken\n");
    } else {
        anonymise_guid(&device->node_guid);
        anonymise_guid(&device->sys_image_guid);
        for (size_t p = 0; p < device->nports; p++)
            for (size_t g = 0; g < device->ports[p].ngids; g++)
                anonymise_v6(device->ports[p].gids[g].raw);
        verbs_encode(device, out);
    }
    arena_free(arena);
}

/* A file's settings; the first one that doesn't apply to all machines begins a section. */
struct conf_page {
    const char *prefix; /* of the names in the environment */
    bool conditional;
    unsigned sections;
    struct bytes *out;
};

static void put_conf_line(void *data, const struct conf_line *line)
{
    struct conf_page *conf = data;
    struct bytes text = { 0 };
    char *whole = mem_printf("%s%.*s=%.*s", conf->prefix, (int)line->name_len, line->name, (int)line->value_len,
                             line->value);
    words_put_variable(whole, strlen(whole), &text);
    if (text.len) {
        if (line->conditional != conf->conditional)
            bytes_printf(conf->out, "[%u]\n%s", ++conf->sections, line->conditional ? "CPU model=other\n" : "");
        conf->conditional = line->conditional;
        bytes_printf(conf->out, "%s\n", text.data + strlen(conf->prefix));
    }
    bytes_free(&text);
    free(whole);
}

static void put_nccl_conf(const char *data, size_t len, struct bytes *out)
{
    nccl_conf_parse(data, len, put_conf_line, &(struct conf_page){ .prefix = "", .out = out });
}

static void put_ucx_conf(const char *data, size_t len, struct bytes *out)
{
    ucx_conf_parse(data, len, put_conf_line, &(struct conf_page){ .prefix = "", .out = out });
}

static void put_mpi_conf(const char *data, size_t len, struct bytes *out)
{
    mpi_conf_parse(data, len, put_conf_line, &(struct conf_page){ .prefix = "OMPI_MCA_", .out = out });
}

static void put_word(char *word, size_t size, put_value *put)
{
    struct bytes text = { 0 };
    if (*word && !trace_is_kernel_task(word))
        put(word, strlen(word), &text);
    if (text.len)
        snprintf(word, size, "%s", text.data);
    bytes_free(&text);
}

/* What joins two hosts' streams stays: ports, and the connection manager's ids. */
static void put_trace(const char *data, size_t len, struct bytes *out)
{
    static put_value *const texts[LINE_END + 1] = {
        [LINE_HEAD] = words_put_release, [LINE_DEVICE] = anonymise_name
    };
    struct trace_line line;
    for (size_t at = 0, size; at < len; at += size + 1) {
        size = words_length(data + at, len - at, "\n");
        if (trace_line_parse(data + at, size, &line) < 0 || line.kind == LINE_PLACE ||
            line.kind == LINE_LOG) /* which names targets, exports and whatever else */
            continue;
        anonymise_v6(line.event.from.raw);
        anonymise_v6(line.event.to.raw);
        put_word(line.event.task, sizeof(line.event.task), words_put_program);
        put_word(line.event.device, sizeof(line.event.device), anonymise_name);
        put_word(line.text, sizeof(line.text), texts[line.kind] ? texts[line.kind] : anonymise_text);
        trace_line_write(&line, out);
    }
}

/* -- values --------------------------------------------------------------------------------------------- */

static void put_nothing(const char *text, size_t len, struct bytes *out)
{
    (void)text, (void)len, (void)out;
}

static void put_names(const char *text, size_t len, struct bytes *out)
{
    for (size_t at = 0, size; at < len; at += size + 1) {
        size = words_length(text + at, len - at, " ");
        if (at)
            bytes_append(out, " ", 1);
        if (size)
            anonymise_name(text + at, size, out);
    }
}

/* sysfs prints it as digits without colons. */
static void put_switch_id(const char *text, size_t len, struct bytes *out)
{
    (void)anonymise_digits(text, len, out);
}

static void put_hostname(const char *text, size_t len, struct bytes *out)
{
    (void)text, (void)len;
    bytes_printf(out, "host");
}

/* One module per line; "#" begins a comment. */
static void put_configured_module(const char *text, size_t len, struct bytes *out)
{
    size_t size = words_length(text, len, " \t\r#;");
    if (size)
        words_put_module(text, size, out);
}

/* Names from a public register, for numbers that are also kept. */
static void put_pci_id(const char *text, size_t len, struct bytes *out)
{
    uint16_t id;
    size_t indent = len && *text == '\t';
    if (pci_ids_line(text + indent, len - indent, &id))
        bytes_append(out, text, len);
}

/* Keeps known daemons, whose names are roce's own. */
static void put_daemon(const char *text, size_t len, struct bytes *out)
{
    struct daemon daemon;
    if (daemon_parse(text, len, &daemon))
        bytes_printf(out, "%s %llu %s", daemon.program, (unsigned long long)daemon.pid, daemon.unit);
}

/* "ucx?\t~/ucx.conf:3\tUCX_TLS=rc": files/settings.c. */
static void put_setting(const char *text, size_t len, struct bytes *out)
{
    struct arena *arena = arena_new();
    struct setting setting;
    struct bytes variable = { 0 };
    if (settings_parse_line(text, len, arena, &setting)) {
        const char *whole = arena_printf(arena, "%s=%s", setting.name, setting.value);
        words_put_variable(whole, strlen(whole), &variable);
    }
    if (variable.len) {
        bytes_append(out, text, words_length(text, len, "\t") + 1);
        words_put_conf_file(setting.file, strlen(setting.file), out);
        bytes_printf(out, ":%u\t%s", setting.line, variable.data);
    }
    bytes_free(&variable);
    arena_free(arena);
}

/* "mlx5.driver" */
static void put_file_name(const char *text, size_t len, struct bytes *out)
{
    const char *dot = memrchr(text, '.', len);
    size_t stem = dot && dot > text ? (size_t)(dot - text) : len;
    static const char *const endings[] = { ".conf", ".driver", ".exports" };
    words_put_module(text, stem, out);
    for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
        if (strlen(endings[i]) == len - stem && memcmp(endings[i], text + stem, len - stem) == 0)
            bytes_printf(out, "%s", endings[i]);
}

/* "dcb-ieee.eth0", "nldev-values.mlx5_0.1" */
static void put_answer_name(const char *text, size_t len, struct bytes *out)
{
    size_t kind = words_length(text, len, ".");
    bytes_append(out, text, kind < len ? kind + 1 : len);
    if (kind < len)
        anonymise_name(text + kind + 1, len - kind - 1, out);
}

/* What a value may look like, and how it is replaced; anything else becomes "?". */
static const struct type {
    const char *name;
    const char *look;  /* a regular expression for the whole value; NULL: any */
    put_value *put;    /* NULL: it is kept as it is */
    const char *words; /* the form of each of its comma-separated words, of which others are left out */
    const char *other; /* what replaces values of another look: a word and six digits */
} types[] = { ANONYMISED_TYPES }, whole_files[] = { ANONYMISED_FILES };

static const struct type *find_type(const char *name, size_t len)
{
    for (size_t i = 0; i < ARRAY_SIZE(types); i++)
        if (strlen(types[i].name) == len && memcmp(types[i].name, name, len) == 0)
            return &types[i];
    return NULL;
}

static bool has_look(const struct type *type, const char *text, size_t len)
{
    /* each compiled when it is first needed, and kept: compiling is most of the work */
    static regex_t looks[ARRAY_SIZE(types)];
    static bool is_compiled[ARRAY_SIZE(types)];
    size_t i = (size_t)(type - types);
    if (!is_compiled[i]) {
        char *pattern = mem_printf("^(%s)$", type->look);
        is_compiled[i] = mem_regex(regcomp(&looks[i], pattern, REG_EXTENDED | REG_NOSUB));
        free(pattern);
    }
    char *copy = mem_printf("%.*s", (int)len, text);
    bool has = is_compiled[i] && strlen(copy) == len && mem_regex(regexec(&looks[i], copy, 0, NULL, 0));
    free(copy);
    return has;
}

/* -- forms ---------------------------------------------------------------------------------------------- */

enum { PIECES_MOST = 20 }; /* /proc/net/packet has 17 */

/* A part of a line: a type in braces in the form, and the value; or the form's literal text. */
struct piece {
    const char *type; /* NULL: none */
    size_t type_len;
    const char *text;
    size_t len;
};

struct pieces {
    struct piece items[PIECES_MOST];
    size_t count;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* How much of the text the form's literal words cover, where a blank matches any blanks; -1 if they don't
 * match. */
static long match_words(const char *words, size_t len, const char *text, size_t text_len)
{
    size_t at = 0;
    for (size_t i = 0; i < len; i++) {
        size_t before = at;
        if (words[i] == ' ')
            while (at < text_len && is_blank(text[at]))
                at++;
        else if (at < text_len && text[at] == words[i])
            at++;
        if (at == before && (words[i] != ' ' || len == 1))
            return -1;
    }
    return (long)at;
}

/* Splits text by one line of a form. False if the text has other words. */
static bool split(const char *form, size_t form_len, const char *text, size_t len, struct pieces *pieces)
{
    const char *end = form + form_len;
    size_t at = 0;
    pieces->count = 0;
    while (form < end && pieces->count < PIECES_MOST) {
        struct piece *piece = &pieces->items[pieces->count++];
        *piece = (struct piece){ .text = text + at };
        if (*form == '{') {
            piece->type = form + 1;
            piece->type_len = strcspn(form, "}") - 1;
            form += piece->type_len + 2;
        }
        size_t words = strcspn(form, "{\n");
        words = words < (size_t)(end - form) ? words : (size_t)(end - form);
        if (piece->type && words == 0) {
            at = len;
        } else if (piece->type) {
            while (at < len && match_words(form, words, text + at, len - at) < 0)
                at++;
        } else {
            long matched = match_words(form, words, text + at, len - at);
            if (matched < 0)
                return false;
            at += (size_t)matched;
            form += words;
        }
        piece->len = (size_t)(text + at - piece->text);
    }
    return at == len && form == end;
}

/* Is it one of the words, which are separated by bars? */
static bool is_one_of(const char *words, size_t words_len, const char *word, size_t len)
{
    const char *end = words + words_len;
    for (size_t size; words < end; words += size + 1) {
        size = words_length(words, (size_t)(end - words), "|");
        if (size == len && memcmp(words, word, len) == 0)
            return true;
    }
    return false;
}

static bool fits(const struct piece *piece)
{
    if (!piece->type)
        return true;
    const struct type *type = find_type(piece->type, piece->type_len);
    return type ? !type->look || type->other || has_look(type, piece->text, piece->len)
                : is_one_of(piece->type, piece->type_len, piece->text, piece->len);
}

static bool put_line(const char *form, const char *text, size_t len, struct bytes *out);

/* Keeps the comma-separated words of that form and leaves out others. */
static void put_words(const char *form, const char *text, size_t len, struct bytes *out)
{
    size_t begin = out->len;
    for (size_t at = 0, size; at < len; at += size + 1) {
        size_t before = out->len;
        size = words_length(text + at, len - at, ",");
        if (before > begin)
            bytes_append(out, ",", 1);
        if (!put_line(form, text + at, size, out))
            out->len = before;
    }
    if (out->len == begin) /* what follows must still follow a word */
        bytes_append(out, "-", 1);
}

static void put_piece(const struct piece *piece, struct bytes *out)
{
    const struct type *type = piece->type ? find_type(piece->type, piece->type_len) : NULL;
    if (!fits(piece))
        bytes_append(out, "?", 1);
    else if (!piece->len)
        return;
    else if (type && type->words)
        put_words(type->words, piece->text, piece->len, out);
    else if (type && type->put)
        type->put(piece->text, piece->len, out);
    else if (type && type->other && !has_look(type, piece->text, piece->len))
        anonymise_word(type->other, piece->text, piece->len, out);
    else
        bytes_append(out, piece->text, piece->len);
}

/* Uses the first line of the form that fits the text's words and types, or else its words. False if none
 * does. */
static bool put_line(const char *form, const char *text, size_t len, struct bytes *out)
{
    struct pieces chosen, tried;
    bool found = false, fit = false;
    for (size_t size; *form && !fit; form += size + (form[size] == '\n')) {
        size = strcspn(form, "\n");
        if (!split(form, size, text, len, &tried))
            continue;
        fit = true;
        for (size_t i = 0; i < tried.count; i++)
            fit &= fits(&tried.items[i]);
        if (fit || !found)
            chosen = tried;
        found = true;
    }
    for (size_t i = 0; found && i < chosen.count; i++)
        put_piece(&chosen.items[i], out);
    return found;
}

static void put_lines(const char *form, const char *text, size_t len, struct bytes *out)
{
    for (size_t at = 0, size; at < len; at += size + 1) {
        size_t before = out->len, kept = size = words_length(text + at, len - at, "\n");
        while (kept && (is_blank(text[at + kept - 1]) || text[at + kept - 1] == '\r'))
            kept--;
        if (kept)
            (void)put_line(form, text + at, kept, out);
        while (out->len > before && is_blank(out->data[out->len - 1]))
            out->len--;
        if (out->len > before)
            bytes_append(out, "\n", 1);
    }
}

static void put_one_line(const char *form, const char *text, struct bytes *out)
{
    size_t whole = strcspn(text, "\n"), len = whole;
    while (len && is_blank(text[len - 1]))
        len--;
    if (len && !put_line(form, text, len, out))
        bytes_append(out, "?", 1);
    bytes_append(out, text + len, whole - len + (text[whole] == '\n'));
}

/* Anybody may set it. The kernel's default consists of the names of the host and the device. */
static void put_node_desc(const char *path, struct bytes *out)
{
    const char *end = strrchr(path, '/'), *name = end;
    while (name > path && name[-1] != '/')
        name--;
    bytes_printf(out, "host ");
    anonymise_name(name, (size_t)(end - name), out);
    bytes_append(out, "\n", 1);
}

bool anonymise_file(const char *form, const char *path, const char *data, size_t len, struct bytes *out)
{
    if (!form)
        return false;
    bytes_append(out, "", 0);
    if (strcmp(form, "{netlink}") == 0)
        return anonymise_reply(path + strlen("netlink/"), data, len, out);
    for (size_t i = 0; i < ARRAY_SIZE(whole_files); i++)
        if (strcmp(form, whole_files[i].name) == 0) {
            whole_files[i].put(data, len, out);
            return true;
        }
    if (strcmp(form, "{node-desc}") == 0)
        put_node_desc(path, out);
    else if (text_ends(form, "\n"))
        put_lines(form, data, len, out);
    else
        put_one_line(form, data, out);
    return true;
}

void anonymise_value(const char *type, const char *text, size_t len, struct bytes *out)
{
    put_piece(&(struct piece){ type, strlen(type), text, len }, out);
}
