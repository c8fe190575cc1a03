/* SPDX-License-Identifier: MIT */
/* Anonymises a recording: nothing in it reveals whose machine it is. */
#include "source/anonymise/anonymise.h"

#include <fnmatch.h>

#include "tables.h"

struct rewriting {
    struct filetree *from;
    struct filetree *to;
    struct bytes text;
};

static const struct {
    const char *directory, *type;
} named[] = { ANONYMISED_NAMES };

static bool is_at(const char *pattern, const char *directory, bool in_sys)
{
    if (in_sys && !strchr(pattern, '/')) {
        const char *last = strrchr(directory, '/');
        return text_is(last ? last + 1 : NULL, pattern);
    }
    return strncmp(pattern, directory, strcspn(pattern, "*")) == 0 &&
           fnmatch(pattern, directory, FNM_PATHNAME) == 0;
}

/* The type of the names in a directory; NULL: the kernel's or roce's own. */
static const char *type_of(const char *directory)
{
    bool in_sys = text_starts(directory, "sys/") || strcmp(directory, "sys") == 0;
    for (size_t i = ARRAY_SIZE(named); i-- > 0;)
        if (is_at(named[i].directory, directory, in_sys))
            return named[i].type;
    return in_sys ? "text" : NULL;
}

static void put_name(const char *type, const char *name, size_t len, struct bytes *out)
{
    static const char *const relations[] = { "lower_", "upper_" };
    for (size_t i = 0; type && strcmp(type, "text") == 0 && i < ARRAY_SIZE(relations); i++)
        if (len > strlen(relations[i]) && text_starts(name, relations[i])) {
            bytes_printf(out, "%s", relations[i]);
            name += strlen(relations[i]);
            len -= strlen(relations[i]);
            type = "name";
        }
    if (type)
        anonymise_value(type, name, len, out);
    else
        bytes_append(out, name, len);
}

/* Appends a path or a link's target that leads on from the directory; changes that. */
static void put_path(const char *path, struct bytes *directory, struct bytes *out)
{
    if (*path == '/')
        directory->len = 0;
    for (const char *at = path;; at++) {
        size_t len = strcspn(at, "/");
        if (len == 2 && at[0] == '.' && at[1] == '.') {
            const char *slash = directory->len ? memrchr(directory->data, '/', directory->len) : NULL;
            directory->len = slash ? (size_t)(slash - directory->data) : 0;
            bytes_append(out, at, len);
        } else if (len) {
            bytes_append(directory, "", 0);
            put_name(type_of(directory->data), at, len, out);
            bytes_printf(directory, "%s%.*s", directory->len ? "/" : "", (int)len, at);
        }
        at += len;
        if (!*at)
            return;
        bytes_append(out, "/", 1);
    }
}

static int put_link(struct rewriting *rewriting, const struct node *old, struct node *node)
{
    struct bytes directory = { 0 }, *text = &rewriting->text;
    filetree_path(old->parent, &directory);
    text->len = 0;
    put_path(old->data, &directory, text);
    bytes_free(&directory);
    return filetree_make_link(rewriting->to, node, filetree_keep(rewriting->to, text->data, text->len),
                              text->len);
}

/* Puts the contents at path in the old tree, and its errno, into the new one. */
static int put_contents(struct rewriting *rewriting, const char *form, const char *path, const struct node *old,
                        struct node *node)
{
    struct bytes *text = &rewriting->text;
    int r = old->err ? filetree_make_error(node, old->err) : 0;
    text->len = 0;
    if (r == 0 && old->kind == NODE_FILE && anonymise_file(form, path, old->data, old->len, text))
        r = filetree_make_file(rewriting->to, node, filetree_keep(rewriting->to, text->data, text->len),
                               text->len);
    else if (r == 0 && old->kind == NODE_LINK)
        r = put_link(rewriting, old, node);
    else if (r == 0 && old->kind == NODE_DIRECTORY)
        r = filetree_make_directory(rewriting->to, node);
    return r;
}

/* sys/: all of it, including links, since its directories are the kernel's. path is that of from. */
static int put_below(struct rewriting *rewriting, struct bytes *path, const struct node *from, struct node *to)
{
    const char *type = type_of(path->data);
    size_t len = path->len;
    int r = 0;
    for (const struct node *old = from->children; old && r == 0; old = old->next) {
        struct node *node;
        struct bytes *name = &rewriting->text;
        name->len = 0;
        put_name(type, old->name, strlen(old->name), name);
        r = filetree_add(rewriting->to, to, name->data, name->len, &node);
        bytes_append(path, "/", 1);
        bytes_append(path, old->name, strlen(old->name));
        if (r == 0)
            r = put_contents(rewriting, old->form, path->data, old, node);
        if (r == 0 && old->kind == NODE_DIRECTORY)
            r = put_below(rewriting, path, old, node);
        path->len = len;
    }
    return r;
}

/* Outside sys/: what was asked for, whatever links lead there. */
static int put_asked(struct rewriting *rewriting, const struct asked *asked)
{
    const struct node *old = filetree_resolve(rewriting->from, asked->path);
    struct bytes path = { 0 }, directory = { 0 };
    struct node *node;
    if (!old || (old->kind != NODE_FILE && old->kind != NODE_DIRECTORY && !old->err))
        return 0;
    put_path(asked->path, &directory, &path);
    int r = filetree_add_path(rewriting->to, path.data, &node);
    if (r == 0 && node->kind == NODE_NONE && !node->err) /* two files may now have the same name */
        r = put_contents(rewriting, asked->form, asked->path, old, node);
    bytes_free(&path);
    bytes_free(&directory);
    return r;
}

int anonymise_tree(struct filetree **tree)
{
    struct rewriting rewriting = { .from = *tree, .to = filetree_new() };
    const struct node *sys = filetree_find(*tree, (*tree)->top, "sys", 3);
    struct bytes path = { 0 };
    struct node *node;
    bytes_printf(&path, "sys");
    int r = filetree_enter(rewriting.to, "sys", &node);
    if (r == 0 && sys)
        r = put_below(&rewriting, &path, sys, node);
    for (size_t i = 0; r == 0 && i < (*tree)->nasked; i++)
        r = put_asked(&rewriting, &(*tree)->asked[i]);
    struct filetree *unused = r < 0 ? rewriting.to : *tree;
    if (r == 0)
        *tree = rewriting.to;
    filetree_free(unused);
    bytes_free(&path);
    bytes_free(&rewriting.text);
    return r;
}
