/* SPDX-License-Identifier: MIT */
/* What an anonymised recording keeps of a file: what fits its form, each value replaced according to its
 * type. */
#include <regex.h>

#include "model/system.h"
#include "model/verbs.h"
#include "source/anonymise/anonymise.h"
#include "source/files/files.h"
#include "source/files/texts.h"

/* -- whole files that are no lines, or whose lines belong together -------------------------------------- */

struct page {
    const struct anonymiser *anonymiser;
    const char *path, *data; /* NUL-terminated after len */
    size_t len;
    struct bytes *out;
};

static void put_pci_config(const struct page *page)
{
    size_t before = page->out->len;
    bytes_append(page->out, page->data, page->len);
    pci_config_strip((uint8_t *)page->out->data + before, page->len);
}

/* Anybody may write it. The kernel's default is the names of the host and the device. */
static void put_node_desc(const struct page *page)
{
    const char *end = strrchr(page->path, '/'), *name = end;
    while (name > page->path && name[-1] != '/')
        name--;
    bytes_printf(page->out, "host ");
    anonymise_name(page->anonymiser, name, (size_t)(end - name), page->out);
    bytes_append(page->out, "\n", 1);
}

static void put_verbs(const struct page *page)
{
    struct arena *arena = arena_new();
    struct verbs_device *device = NULL;
    if (verbs_decode(page->data, page->len, arena, &device) < 0) {
        bytes_printf(page->out, "broken\n");
    } else {
        anonymise_guid(page->anonymiser, &device->node_guid);
        anonymise_guid(page->anonymiser, &device->sys_image_guid);
        for (size_t p = 0; p < device->nports; p++)
            for (size_t g = 0; g < device->ports[p].ngids; g++)
                anonymise_v6(page->anonymiser, device->ports[p].gids[g].raw);
        verbs_encode(device, page->out);
    }
    arena_free(arena);
}

static void put_cgroup(const struct page *page)
{
    services_put_cgroup(page->anonymiser, page->data, page->out);
}

/* A file's settings; the first one that doesn't apply to all machines begins a section. */
struct conf_page {
    const struct page *page;
    const char *prefix; /* of the names in the environment */
    bool conditional;
    unsigned sections;
};

static void put_conf_line(void *data, const struct conf_line *line)
{
    struct conf_page *conf = data;
    struct bytes whole = { 0 }, text = { 0 };
    bytes_printf(&whole, "%s%.*s=%.*s", conf->prefix, (int)line->name_len, line->name, (int)line->value_len,
                 line->value);
    words_put_variable(conf->page->anonymiser, whole.data, whole.len, &text);
    if (text.len) {
        if (line->conditional != conf->conditional)
            bytes_printf(conf->page->out, "[%u]\n%s", ++conf->sections,
                         line->conditional ? "CPU model=other\n" : "");
        conf->conditional = line->conditional;
        bytes_printf(conf->page->out, "%s\n", text.data + strlen(conf->prefix));
    }
    bytes_free(&whole);
    bytes_free(&text);
}

static const struct {
    const char *form;
    void (*put)(const struct page *page);
} whole_files[] = {
    { "{pci-config}", put_pci_config },
    { "{node-desc}", put_node_desc },
    { "{verbs}", put_verbs },
    { "{cgroup}", put_cgroup },
};

static const struct {
    const char *form, *prefix;
    void (*parse)(const char *text, size_t len, conf_line_fn *fn, void *data);
} conf_files[] = {
    { "{nccl-conf}", "", nccl_conf_parse },
    { "{ucx-conf}", "", ucx_conf_parse },
    { "{mpi-conf}", "OMPI_MCA_", mpi_conf_parse },
};

/* False if the file consists of lines. */
static bool put_whole(const struct page *page, const char *form)
{
    for (size_t i = 0; i < ARRAY_SIZE(whole_files); i++)
        if (strcmp(form, whole_files[i].form) == 0) {
            whole_files[i].put(page);
            return true;
        }
    for (size_t i = 0; i < ARRAY_SIZE(conf_files); i++)
        if (strcmp(form, conf_files[i].form) == 0) {
            struct conf_page conf = { .page = page, .prefix = conf_files[i].prefix };
            conf_files[i].parse(page->data, page->len, put_conf_line, &conf);
            return true;
        }
    return false;
}

/* -- values --------------------------------------------------------------------------------------------- */

static void put_nothing(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out)
{
    (void)anonymiser, (void)text, (void)len, (void)out;
}

static void put_names(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out)
{
    for (size_t at = 0, size; at < len; at += size + 1) {
        for (size = 0; at + size < len && text[at + size] != ' '; size++)
            ;
        if (at)
            bytes_append(out, " ", 1);
        if (size)
            anonymise_name(anonymiser, text + at, size, out);
    }
}

/* sysfs prints it as digits without colons. */
static void put_switch_id(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out)
{
    uint8_t bytes[32];
    for (size_t i = 0; i < len / 2; i++) {
        char pair[3] = { text[i * 2], text[i * 2 + 1] };
        bytes[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    anonymise_mac(anonymiser, bytes, len / 2);
    for (size_t i = 0; i < len / 2; i++)
        bytes_printf(out, "%02x", bytes[i]);
}

static void put_hostname(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out)
{
    (void)anonymiser, (void)text, (void)len;
    bytes_printf(out, "host");
}

/* One module per line; "#" begins a comment. */
static void put_configured_module(const struct anonymiser *anonymiser, const char *text, size_t len,
                                  struct bytes *out)
{
    size_t size = 0;
    while (size < len && !strchr(" \t\r#;", text[size]))
        size++;
    if (size)
        words_put_module(anonymiser, text, size, out);
}

/* Names from a public register, for numbers that are also kept. */
static void put_pci_id(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out)
{
    uint16_t id;
    size_t indent = len && *text == '\t';
    (void)anonymiser;
    if (pci_ids_line(text + indent, len - indent, &id))
        bytes_append(out, text, len);
}

/* Keeps known daemons, whose names are roce's own. */
static void put_daemon(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out)
{
    struct daemon daemon;
    (void)anonymiser;
    if (daemon_parse(text, len, &daemon))
        bytes_printf(out, "%s %llu %s", daemon.program, (unsigned long long)daemon.pid, daemon.unit);
}

/* "ucx?\t~/ucx.conf:3\tUCX_TLS=rc": files/settings.c. */
static void put_setting(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out)
{
    struct arena *arena = arena_new();
    struct setting setting;
    struct bytes variable = { 0 };
    if (settings_parse_line(text, len, arena, &setting)) {
        const char *whole = arena_printf(arena, "%s=%s", setting.name, setting.value);
        words_put_variable(anonymiser, whole, strlen(whole), &variable);
    }
    if (variable.len) {
        bytes_printf(out, "%.*s\t", (int)strcspn(text, "\t"), text);
        words_put_conf_file(anonymiser, setting.file, out);
        bytes_printf(out, ":%u\t%s", setting.line, variable.data);
    }
    bytes_free(&variable);
    arena_free(arena);
}

/* The name of a port or portal group. */
static void put_numbered(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out)
{
    static const char group[] = "tpgt_";
    size_t at = len > strlen(group) && memcmp(text, group, strlen(group)) == 0 ? strlen(group) : 0;
    while (at < len && isdigit((unsigned char)text[at]))
        at++;
    if (at == len)
        bytes_append(out, text, len);
    else
        anonymise_word(anonymiser, "port", text, len, out);
}

/* "mlx5.driver" */
static void put_file_name(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out)
{
    const char *dot = memrchr(text, '.', len);
    size_t stem = dot && dot > text ? (size_t)(dot - text) : len;
    static const char *const endings[] = { ".conf", ".driver", ".exports" };
    words_put_module(anonymiser, text, stem, out);
    for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
        if (strlen(endings[i]) == len - stem && memcmp(endings[i], text + stem, len - stem) == 0)
            bytes_printf(out, "%s", endings[i]);
}

/* "dcb-ieee.eth0", "nldev-values.mlx5_0.1" */
static void put_answer_name(const struct anonymiser *anonymiser, const char *text, size_t len,
                            struct bytes *out)
{
    const char *about = memchr(text, '.', len);
    size_t before = about ? (size_t)(about + 1 - text) : len;
    bytes_append(out, text, before);
    if (before < len)
        anonymise_name(anonymiser, about + 1, len - before, out);
}

static bool put_line(const struct anonymiser *anonymiser, const char *form, const char *text, size_t len,
                     struct bytes *out);

/* Keeps the comma-separated words of that form and leaves out others. */
static void put_words(const struct anonymiser *anonymiser, const char *form, const char *text, size_t len,
                      struct bytes *out)
{
    size_t begin = out->len;
    for (size_t at = 0, size; at < len; at += size + 1) {
        const char *comma = memchr(text + at, ',', len - at);
        size_t before = out->len;
        size = comma ? (size_t)(comma - text) - at : len - at;
        if (before > begin)
            bytes_append(out, ",", 1);
        if (!put_line(anonymiser, form, text + at, size, out))
            out->len = before;
    }
    if (out->len == begin) /* what follows must still follow a word */
        bytes_append(out, "-", 1);
}

static void put_mount_options(const struct anonymiser *anonymiser, const char *text, size_t len,
                              struct bytes *out)
{
    put_words(anonymiser,
              "rdma\nproto={rdma|tcp|udp|rdma6|tcp6|udp6}\nport={number}\nvers={decimal}\nnfsvers={decimal}\n"
              "nconnect={number}\naddr={host}\nclientaddr={host}\nmountaddr={host}",
              text, len, out);
}

static void put_nvme_address(const struct anonymiser *anonymiser, const char *text, size_t len,
                             struct bytes *out)
{
    put_words(anonymiser, "traddr={host}\ntrsvcid={number}\nsrc_addr={host}\nhost_traddr={host}", text, len,
              out);
}

/* What a value may look like, and how it is replaced (NULL: kept as it is); anything else becomes "?". */
static const struct type {
    const char *name;
    const char *look; /* a regular expression for the whole value; NULL: any */
    put_value *put;
} types[] = {
    { "number", "-?[0-9]{1,20}|0x[0-9a-fA-F]{1,16}", NULL },
    { "hex", "[0-9a-fA-F]{1,16}", NULL },
    { "decimal", "[0-9]{1,20}([.][0-9]{1,9})?", NULL },
    { "numbers", "[-0-9, \t]*", NULL },
    { "pairs", "([0-9]{1,10}:[0-9]{1,10} *)*", NULL },
    { "limit", "unlimited|[0-9]{1,20}", NULL },
    { "version", "[0-9]{1,10}([.][0-9]{1,10}){0,4}(-[a-z])?(-[0-9]{1,4})?|0x[0-9a-fA-F]{1,8}", NULL },
    { "psid", "[A-Z][A-Z0-9]{1,2}_?[0-9A-F]{8,13}", NULL },
    { "mac", "[0-9a-f]{2}(:[0-9a-f]{2}){3,31}", anonymise_text },
    { "switch-id", "([0-9a-f]{2}){3,32}", put_switch_id },
    { "guid", "[0-9a-f]{4}(:[0-9a-f]{4}){3}", anonymise_text },
    { "gid", "[0-9a-f]{4}(:[0-9a-f]{4}){7}", anonymise_text },
    { "text", NULL, anonymise_text }, /* named by the kernel: "0000:17:00.0" */
    { "name", NULL, anonymise_name },
    { "names", NULL, put_names },
    { "module", NULL, words_put_module },
    { "configured-module", NULL, put_configured_module },
    { "program", NULL, words_put_program },
    { "release", NULL, words_put_release },
    { "distribution", NULL, words_put_distribution },
    { "parameters", NULL, words_put_parameters },
    { "variable", NULL, words_put_variable },
    { "setting", NULL, put_setting },
    { "flag", NULL, words_put_flag },
    { "log", NULL, words_put_log },
    { "hostname", NULL, put_hostname },
    { "host", NULL, services_put_host },
    { "qualified", NULL, services_put_qualified_name },
    { "nvme-address", NULL, put_nvme_address },
    { "mount-source", NULL, services_put_mount_source },
    { "mount-point", NULL, services_put_mount_point },
    { "mount-options", NULL, put_mount_options },
    { "wish", NULL, services_put_wish },
    { "smb", NULL, services_put_smb },
    { "daemon", NULL, put_daemon },
    { "numbered", NULL, put_numbered },
    { "file-name", NULL, put_file_name },
    { "answer-name", NULL, put_answer_name },
    { "pci-id", NULL, put_pci_id },
    { "rest", NULL, put_nothing },
};

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

enum { PIECES_MOST = 16 };

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

static bool fits(const struct piece *piece)
{
    if (!piece->type)
        return true;
    const struct type *type = find_type(piece->type, piece->type_len);
    return type ? !type->look || has_look(type, piece->text, piece->len)
                : words_have(piece->type, piece->type_len, piece->text, piece->len);
}

static void put_piece(const struct anonymiser *anonymiser, const struct piece *piece, struct bytes *out)
{
    const struct type *type = piece->type ? find_type(piece->type, piece->type_len) : NULL;
    if (!fits(piece))
        bytes_append(out, "?", 1);
    else if (type && type->put && piece->len)
        type->put(anonymiser, piece->text, piece->len, out);
    else if (!type || !type->put)
        bytes_append(out, piece->text, piece->len);
}

/* Uses the first line of the form that fits the text's words and types, or else its words. False if none
 * does. */
static bool put_line(const struct anonymiser *anonymiser, const char *form, const char *text, size_t len,
                     struct bytes *out)
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
        put_piece(anonymiser, &chosen.items[i], out);
    return found;
}

static void put_lines(const struct page *page, const char *form)
{
    for (const char *line = page->data, *end = line + page->len, *next; line < end; line = next) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t len = (size_t)((newline ? newline : end) - line), before = page->out->len;
        next = newline ? newline + 1 : end;
        while (len && (is_blank(line[len - 1]) || line[len - 1] == '\r'))
            len--;
        if (len)
            (void)put_line(page->anonymiser, form, line, len, page->out);
        while (page->out->len > before && is_blank(page->out->data[page->out->len - 1]))
            page->out->len--;
        if (page->out->len > before)
            bytes_append(page->out, "\n", 1);
    }
}

static void put_one_line(const struct page *page, const char *form)
{
    size_t whole = strcspn(page->data, "\n"), len = whole;
    while (len && is_blank(page->data[len - 1]))
        len--;
    if (len && !put_line(page->anonymiser, form, page->data, len, page->out))
        bytes_append(page->out, "?", 1);
    bytes_append(page->out, page->data + len, whole - len);
    if (page->data[whole])
        bytes_append(page->out, "\n", 1);
}

bool anonymise_file(const struct anonymiser *anonymiser, const char *form, const char *path, const char *data,
                    size_t len, struct bytes *out)
{
    struct page page = { anonymiser, path, data, len, out };
    if (!form)
        return false;
    bytes_append(out, "", 0);
    if (strcmp(form, "{netlink}") == 0)
        return anonymise_reply(anonymiser, path + strlen("netlink/"), data, len, out);
    if (put_whole(&page, form))
        return true;
    if (text_ends(form, "\n"))
        put_lines(&page, form);
    else
        put_one_line(&page, form);
    return true;
}

void anonymise_value(const struct anonymiser *anonymiser, const char *type, const char *text, size_t len,
                     struct bytes *out)
{
    put_piece(anonymiser, &(struct piece){ type, strlen(type), text, len }, out);
}
