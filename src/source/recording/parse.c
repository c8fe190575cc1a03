/* SPDX-License-Identifier: MIT */
/* Parses the text of a recording into a tree. */
#include "source/recording/recording.h"

#include "source/recording/lines.h"

struct parser {
    const char *at, *end; /* the rest of the text */
    const char *line;     /* the current one */
    size_t len, number;   /* of it */
    struct filetree *tree;
    struct node *directory; /* whose list the line is in; NULL if none has begun */
    struct bytes note, content, scratch;
    char block;             /* '|' or ':' while the lines of a file follow, else 0 */
    const char *block_name; /* as it stands in the text */
    size_t block_name_len, block_line;
    bool open; /* the last line of the block had no newline */
    struct recording_fault *fault;
};

static int __attribute__((format(printf, 2, 3))) broken(struct parser *parser, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(parser->fault->what, sizeof(parser->fault->what), format, args);
    va_end(args);
    parser->fault->line = parser->number;
    return -EBADMSG;
}

/* Explains an errno from the tree about the entry with this name. */
static int refused(struct parser *parser, int err, const char *name, size_t len)
{
    int shown = (int)(len < 80 ? len : 80);
    switch (-err) {
    case EEXIST:
        return broken(parser, "'%.*s' is there twice", shown, name);
    case ENOTDIR:
        return broken(parser, "'%.*s' is below a file or a link", shown, name);
    case EPERM:
        return broken(parser, "'%.*s' cannot be a file at the top of a recording", shown, name);
    case ENAMETOOLONG:
        return broken(parser, "'%.*s' is too long, or too deep in directories", shown, name);
    case E2BIG:
        return broken(parser, "there are more than %d entries", RECORDING_ENTRIES_MOST);
    case EFBIG:
        return broken(parser, "'%.*s' is larger than a recording may hold", shown, name);
    default:
        return broken(parser, "'%.*s' is not a name that a recording may hold", shown, name);
    }
}

/* Control characters, bytes that aren't UTF-8 and trailing blanks are escaped: a line with any was changed in
 * transit. */
static int check_line(struct parser *parser)
{
    for (size_t i = 0, n; i < parser->len; i += n) {
        n = text_clean_length(parser->line + i);
        if (n == 0 || n > parser->len - i)
            return broken(parser, "there is a byte 0x%02x; it should read \\x%02x",
                          (unsigned char)parser->line[i], (unsigned char)parser->line[i]);
    }
    if (parser->len && parser->line[parser->len - 1] == ' ')
        return broken(parser, "it ends in a blank; a blank that belongs there reads \\x20");
    return 0;
}

/* Returns 1 if there is another line, 0 if not, or -EBADMSG. */
static int next_line(struct parser *parser)
{
    if (parser->at == parser->end)
        return 0;
    size_t left = (size_t)(parser->end - parser->at);
    const char *newline = memchr(parser->at, '\n', left < RECORDING_LINE_MOST ? left : RECORDING_LINE_MOST);
    parser->number++;
    if (!newline && left < RECORDING_LINE_MOST)
        return broken(parser, "the file ends in the middle of a line");
    if (!newline)
        return broken(parser, "it is longer than %d bytes", RECORDING_LINE_MOST);
    parser->line = parser->at;
    parser->len = (size_t)(newline - parser->at);
    parser->at = newline + 1;
    int r = check_line(parser);
    return r < 0 ? r : 1;
}

/* Unescapes a name or part of one; valid until the next call. */
static int read_name(struct parser *parser, const char *name, size_t len)
{
    parser->scratch.len = 0;
    if (unescape(&parser->scratch, name, len, NULL) < 0)
        return broken(parser, "'%.*s' has a backslash that means nothing", (int)(len < 80 ? len : 80), name);
    return 0;
}

/* What an entry says about each name that it covers. */
struct value {
    enum node_kind kind; /* NODE_NONE: only err */
    int err;
    const char *data;
    size_t len;
};

static int put_value(struct parser *parser, const struct value *value, const char *name, size_t len)
{
    struct filetree *tree = parser->tree;
    struct node *node;
    int r = filetree_add(tree, parser->directory, name, len, &node);
    if (r == 0 && value->kind == NODE_DIRECTORY)
        r = node->kind == NODE_DIRECTORY ? -EEXIST : filetree_make_directory(tree, node);
    else if (r == 0 && value->kind == NODE_FILE)
        r = filetree_make_file(tree, node, value->data, value->len);
    else if (r == 0 && value->kind == NODE_LINK)
        r = filetree_make_link(tree, node, value->data, value->len);
    else if (r == 0)
        r = filetree_make_error(node, value->err);
    return r < 0 ? refused(parser, r, name, len) : 0;
}

/* name as written in the text, possibly a range. */
static int put_entry(struct parser *parser, const struct value *value, const char *name, size_t len)
{
    struct run run;
    int ranged = run_parse(&run, name, len);
    if (ranged < 0)
        return broken(parser, "'%.*s' is not a range like [4-15]", (int)(len < 80 ? len : 80), name);
    int r = read_name(parser, name, ranged ? run.prefix_len : len);
    if (r < 0 || !ranged)
        return r < 0 ? r : put_value(parser, value, parser->scratch.data, parser->scratch.len);
    struct bytes full = { 0 }, suffix = { 0 };
    bytes_append(&full, parser->scratch.data, parser->scratch.len);
    size_t prefix_len = full.len;
    r = read_name(parser, run.suffix, (size_t)(name + len - run.suffix));
    bytes_append(&suffix, parser->scratch.data, r < 0 ? 0 : parser->scratch.len);
    for (unsigned long number = run.first; r == 0 && number <= run.last; number++) {
        full.len = prefix_len;
        bytes_printf(&full, "%lu", number);
        bytes_append(&full, suffix.data, suffix.len);
        r = put_value(parser, value, full.data, full.len);
    }
    bytes_free(&full);
    bytes_free(&suffix);
    return r;
}

/* A file or link with the content that was read. */
static int put_content(struct parser *parser, enum node_kind kind, const char *name, size_t len)
{
    struct value value = { .kind = kind, .len = parser->content.len };
    value.data = filetree_keep(parser->tree, parser->content.data, value.len);
    return put_entry(parser, &value, name, len);
}

static int end_block(struct parser *parser)
{
    if (!parser->block)
        return 0;
    size_t number = parser->number;
    bool empty = parser->content.len == 0;
    parser->block = 0;
    parser->number = parser->block_line; /* report the fault there */
    int r = empty ? broken(parser, "no line of its contents follows")
                  : put_content(parser, NODE_FILE, parser->block_name, parser->block_name_len);
    parser->number = number;
    return r;
}

static int begin_block(struct parser *parser, const char *name, size_t len, char kind)
{
    parser->block = kind;
    parser->block_name = name;
    parser->block_name_len = len;
    parser->block_line = parser->number;
    parser->content.len = 0;
    return 0;
}

/* "  |text" or "  :digits" */
static int block_line(struct parser *parser)
{
    const char *text = parser->line + 3;
    size_t len = parser->len - 3;
    bool open = false;
    if (parser->block != parser->line[2])
        return broken(parser, "it continues no file");
    int r;
    if (parser->block == ':') {
        r = hex_read(&parser->content, text, len, RECORDING_FILE_MOST);
    } else {
        r = unescape(&parser->content, text, len, &open);
        if (r == 0 && !open)
            bytes_append(&parser->content, "\n", 1);
        if (parser->content.len > RECORDING_FILE_MOST)
            r = -EFBIG;
    }
    if (r == -EFBIG)
        return refused(parser, r, parser->block_name, parser->block_name_len);
    if (r < 0)
        return broken(parser, parser->block == ':' ? "these are no bytes in hexadecimal digits"
                                                   : "it has a backslash that means nothing");
    return 0;
}

static int error_value(struct parser *parser, const char *name, size_t name_len, const char *text, size_t len)
{
    char word[32];
    int n = snprintf(word, sizeof(word), "%.*s", (int)(len < 31 ? len : 31), text);
    struct value value = { .err = n > 2 && strncmp(word, "! ", 2) == 0 ? errno_from_name(word + 2) : 0 };
    if (!value.err)
        return broken(parser, "'%s' should read ! and the name of an errno", word);
    return put_entry(parser, &value, name, name_len);
}

static int link_value(struct parser *parser, const char *name, size_t name_len, const char *text, size_t len)
{
    if (len < 4 || text[2] != ' ')
        return broken(parser, "a link should read NAME -> TARGET");
    parser->content.len = 0;
    if (unescape(&parser->content, text + 3, len - 3, NULL) < 0)
        return broken(parser, "it has a backslash that means nothing");
    return put_content(parser, NODE_LINK, name, name_len);
}

/* A file's contents on the same line as its name; its newline is implied. */
static int text_value(struct parser *parser, const char *name, size_t name_len, const char *text, size_t len)
{
    bool open;
    parser->content.len = 0;
    if (unescape(&parser->content, text, len, &open) < 0)
        return broken(parser, "it has a backslash that means nothing");
    if (!open)
        bytes_append(&parser->content, "\n", 1);
    return put_content(parser, NODE_FILE, name, name_len);
}

/* "  NAME VALUE" */
static int entry_line(struct parser *parser)
{
    const char *name = parser->line + 2, *end = parser->line + parser->len;
    const char *blank = memchr(name, ' ', (size_t)(end - name));
    size_t name_len = (size_t)((blank ? blank : end) - name);
    const char *text = blank ? blank + 1 : end;
    size_t len = (size_t)(end - text);
    if (!parser->directory)
        return broken(parser, "it is below no directory");
    if (name_len == 0)
        return broken(parser, "it doesn't begin with a name");
    if (name[name_len - 1] == '/' && !blank) {
        struct value value = { .kind = NODE_DIRECTORY };
        return put_entry(parser, &value, name, name_len - 1);
    }
    if (len == 1 && (*text == '|' || *text == ':'))
        return begin_block(parser, name, name_len, *text);
    if (len && *text == '!')
        return error_value(parser, name, name_len, text, len);
    if (len >= 2 && text[0] == '-' && text[1] == '>')
        return link_value(parser, name, name_len, text, len);
    if (len && strchr(" |:", *text))
        return broken(parser, "contents that begin with '%c' should begin with \\x%02x", *text, *text);
    return text_value(parser, name, name_len, text, len);
}

/* "sys/class/net/", or "/" for the top */
static int header_line(struct parser *parser)
{
    const char *at = parser->line, *end = parser->line + parser->len;
    struct node *node = parser->tree->top;
    if (end[-1] != '/' || memchr(at, ' ', parser->len))
        return broken(parser,
                      "it should be the path of a directory with a '/' at its end, or begin with two blanks");
    if (parser->len == 1)
        at++;
    while (at < end) {
        size_t len = (size_t)((const char *)memchr(at, '/', (size_t)(end - at)) - at);
        int r = read_name(parser, at, len);
        if (r < 0)
            return r;
        r = filetree_add(parser->tree, node, parser->scratch.data, parser->scratch.len, &node);
        if (r == 0 && (r = filetree_make_directory(parser->tree, node)) == -EEXIST)
            r = -ENOTDIR;
        if (r < 0)
            return refused(parser, r, parser->line, parser->len - 1);
        at += len + 1;
    }
    parser->directory = node;
    return 0;
}

static int body_line(struct parser *parser)
{
    const char *line = parser->line;
    bool indented = parser->len > 2 && line[0] == ' ' && line[1] == ' ';
    if (parser->len && line[indented ? 2 : 0] == '#')
        return 0;
    if (indented && (line[2] == '|' || line[2] == ':'))
        return block_line(parser);
    int r = end_block(parser);
    if (r < 0 || parser->len == 0)
        return r;
    return indented ? entry_line(parser) : header_line(parser);
}

/* Comments and empty lines before the first directory. Returns 1 if the line was one of them. */
static int note_line(struct parser *parser)
{
    if (parser->len && parser->line[0] != '#')
        return 0;
    size_t skip = parser->len > 1 && parser->line[1] == ' ' ? 2 : parser->len > 0;
    if (unescape(&parser->note, parser->line + skip, parser->len - skip, NULL) < 0)
        return broken(parser, "it has a backslash that means nothing; a backslash reads \\\\");
    bytes_append(&parser->note, "\n", 1);
    return 1;
}

static void keep_note(struct parser *parser)
{
    struct bytes *note = &parser->note;
    while (note->len && note->data[note->len - 1] == '\n' &&
           (note->len == 1 || note->data[note->len - 2] == '\n'))
        note->len--; /* the empty lines at its end */
    if (note->len)
        parser->tree->note = filetree_keep(parser->tree, note->data, note->len);
}

/* Why the text isn't a recording, by how it begins. */
static int no_recording(struct parser *parser)
{
    static const struct {
        const char *begins, *what;
    } others[] = {
        { "\xff\xfe", "it is UTF-16, as Windows writes text: 'iconv -f UTF-16 -t UTF-8' makes it readable" },
        { "\xfd"
          "7zXZ",
          "it is packed: unpack it with 'xz -d'" },
        { "\x28\xb5\x2f\xfd", "it is packed: unpack it with 'zstd -d'" },
        { "BZh", "it is packed: unpack it with 'bzip2 -d'" },
        { "PK\x03\x04", "it is an archive: unpack it with 'unzip'" },
        { "{", "it is JSON: 'roce compare' reads what 'roce facts' printed" },
    };
    const char *begins = memmem(parser->at, (size_t)(parser->end - parser->at), "\n" RECORDING_FIRST_LINE "\n",
                                strlen("\n" RECORDING_FIRST_LINE "\n"));
    for (size_t i = 0; i < ARRAY_SIZE(others); i++)
        if (text_starts(parser->at, others[i].begins))
            return broken(parser, "%s", others[i].what);
    for (const char *at = parser->at; begins && at <= begins; at++)
        parser->number += *at == '\n';
    if (begins)
        return broken(parser, "a recording begins on the next line only: delete what is above it");
    return broken(parser, "not a recording: its first line is not '%s'", RECORDING_FIRST_LINE);
}

static int first_line(struct parser *parser)
{
    static const char known[] = RECORDING_FIRST_LINE;
    enum { COMMON = sizeof(known) - 2 }; /* up to the number */
    size_t left = (size_t)(parser->end - parser->at);
    if (left < COMMON || memcmp(parser->at, known, COMMON) != 0)
        return no_recording(parser);
    int r = next_line(parser);
    if (r > 0 && (parser->len != COMMON + 1 || parser->line[COMMON] != '1'))
        return broken(parser, "this roce reads '%s' only", known);
    return r;
}

static int parse(struct parser *parser)
{
    if (parser->end - parser->at > RECORDING_TEXT_MOST)
        return broken(parser, "it is larger than %d bytes", RECORDING_TEXT_MOST);
    int r = first_line(parser);
    bool in_note = true;
    while (r >= 0 && (r = next_line(parser)) > 0) {
        int was_note = in_note ? note_line(parser) : 0;
        if (was_note < 0)
            return was_note;
        in_note = was_note;
        if (!in_note && (r = body_line(parser)) < 0)
            return r;
    }
    keep_note(parser);
    return r < 0 ? r : end_block(parser);
}

int recording_parse(const char *text, size_t len, struct filetree **tree, struct recording_fault *fault)
{
    struct parser parser = { .at = text, .end = text + len, .fault = fault, .tree = filetree_new() };
    bytes_append(&parser.content, "", 0);
    int r = parse(&parser);
    bytes_free(&parser.note);
    bytes_free(&parser.content);
    bytes_free(&parser.scratch);
    if (r < 0)
        filetree_free(parser.tree);
    else
        *tree = parser.tree;
    return r;
}
