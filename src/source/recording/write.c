/* SPDX-License-Identifier: MIT */
/* Writes a tree as the text of a recording. */
#include "source/recording/recording.h"

#include "source/recording/lines.h"

enum { LONGEST_LINE = 4096 };

static int is_alike(const struct node *a, const struct node *b)
{
    return a->kind == b->kind && a->err == b->err && a->nchildren == 0 && b->nchildren == 0 &&
           a->len == b->len && (a->data == b->data || memcmp(a->data, b->data, a->len) == 0);
}

static int has_same_error(const struct node *a, const struct node *b)
{
    return a->err == b->err;
}

/* Escaped for a recording, raw for "errors". */
static void put_name(struct bytes *out, const struct node *node, const struct run *run, bool escaped)
{
    size_t len = run->count > 1 ? run->prefix_len : strlen(node->name);
    if (escaped)
        escape_name(out, node->name, len);
    else
        bytes_append(out, node->name, len);
    if (run->count == 1)
        return;
    bytes_printf(out, "[%lu-%lu]", run->first, run->last);
    if (escaped)
        escape_name(out, run->suffix, strlen(run->suffix));
    else
        bytes_printf(out, "%s", run->suffix);
}

static void begin_entry(struct bytes *out, const struct node *node, const struct run *run)
{
    bytes_append(out, "  ", 2);
    put_name(out, node, run, true);
}

/* Puts each line on its own line, with a lone backslash if it has no newline. */
static void put_block(struct bytes *out, const char *text, size_t len)
{
    bytes_append(out, " |\n", 3);
    for (size_t at = 0; at < len;) {
        const char *newline = memchr(text + at, '\n', len - at);
        size_t line = newline ? (size_t)(newline - text) - at : len - at;
        size_t part = escape_cut(text + at, line, LONGEST_LINE);
        bytes_append(out, "  |", 3);
        escape_text(out, text + at, part, true);
        bool ends = newline && part == line;
        bytes_append(out, ends ? "\n" : "\\\n", ends ? 1 : 2);
        at += part + ends;
    }
}

static bool is_text(const struct node *node)
{
    return escape_count(node->data, node->len) * 4 <= node->len;
}

static void put_content(struct bytes *out, const struct node *node)
{
    const char *newline = memchr(node->data, '\n', node->len);
    size_t line = newline ? (size_t)(newline - node->data) : node->len;
    if (reply_is_netlink(node)) {
        bytes_append(out, " :\n", 3);
        reply_write(out, node);
    } else if (!is_text(node)) {
        bytes_append(out, " :\n", 3);
        hex_write(out, node->data, node->len);
    } else if (line > LONGEST_LINE || (newline && line + 1 < node->len)) {
        put_block(out, node->data, node->len);
    } else {
        if (line || !newline)
            bytes_append(out, " ", 1);
        escape_text(out, node->data, line, false);
        bytes_append(out, newline ? "\n" : "\\\n", newline ? 1 : 2);
    }
}

static void put_entry(struct bytes *out, const struct node *node, const struct run *run)
{
    if (node->kind == NODE_DIRECTORY && node->nchildren == 0 && !node->err) {
        begin_entry(out, node, run);
        bytes_append(out, "/\n", 2);
    } else if (node->kind == NODE_LINK) {
        begin_entry(out, node, run);
        bytes_append(out, " -> ", 4);
        escape_text(out, node->data, node->len, false);
        bytes_append(out, "\n", 1);
    } else if (node->kind == NODE_FILE) {
        if (reply_is_netlink(node))
            reply_write_question(out, node);
        begin_entry(out, node, run);
        put_content(out, node);
    }
    if (node->err) {
        begin_entry(out, node, run);
        bytes_printf(out, " ! %s\n", strerrorname_np(node->err));
    }
}

/* Does it have a list of its own, rather than an entry in its parent's? */
static bool has_list(const struct node *node)
{
    return node->kind == NODE_DIRECTORY && node->nchildren > 0;
}

static void put_header(struct bytes *out, const struct node *node)
{
    if (!node->parent)
        return;
    put_header(out, node->parent);
    escape_name(out, node->name, strlen(node->name));
    bytes_append(out, "/", 1);
}

static void put_directory(struct bytes *out, const struct node *directory)
{
    struct node **nodes = filetree_children(directory);
    bool begun = false;
    for (size_t i = 0; i < directory->nchildren;) {
        if (has_list(nodes[i]) && !nodes[i]->err) {
            i++;
            continue;
        }
        if (!begun) {
            bytes_append(out, "\n", 1);
            put_header(out, directory);
            bytes_append(out, directory->parent ? "\n" : "/\n", directory->parent ? 1 : 2);
            begun = true;
        }
        struct run run = run_find(nodes + i, directory->nchildren - i, is_alike);
        put_entry(out, nodes[i], &run);
        i += run.count;
    }
    for (size_t i = 0; i < directory->nchildren; i++)
        if (has_list(nodes[i]))
            put_directory(out, nodes[i]);
    free(nodes);
}

static void put_note(struct bytes *out, const char *note)
{
    for (const char *at = note; at && *at;) {
        size_t len = strcspn(at, "\n");
        bytes_append(out, "# ", len ? 2 : 1);
        escape_text(out, at, len, true);
        bytes_append(out, "\n", 1);
        at += len + (at[len] == '\n');
    }
}

void recording_write(const struct filetree *tree, struct bytes *out)
{
    bytes_append(out, RECORDING_FIRST_LINE "\n", strlen(RECORDING_FIRST_LINE) + 1);
    put_note(out, tree->note);
    put_directory(out, tree->top);
}

static void put_errors(struct bytes *out, const struct node *directory)
{
    struct node **nodes = filetree_children(directory);
    struct bytes path = { 0 };
    filetree_path(directory, &path);
    for (size_t i = 0; i < directory->nchildren;) {
        struct run run = run_find(nodes + i, directory->nchildren - i, has_same_error);
        if (nodes[i]->err) {
            bytes_printf(out, "%s%s", path.data, path.len ? "/" : "");
            put_name(out, nodes[i], &run, false);
            bytes_printf(out, "\t%s\n", strerrorname_np(nodes[i]->err));
        }
        i += run.count;
    }
    for (size_t i = 0; i < directory->nchildren; i++)
        if (has_list(nodes[i]))
            put_errors(out, nodes[i]);
    bytes_free(&path);
    free(nodes);
}

void recording_write_errors(const struct filetree *tree, struct bytes *out)
{
    put_errors(out, tree->top);
}
