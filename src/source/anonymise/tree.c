/* SPDX-License-Identifier: MIT */
#include "source/anonymise/anonymise.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "source/netlink/message.h"
#include "source/recording/lines.h"

struct rewriting {
    struct anonymiser *anonymiser;
    const struct filetree *from;
    struct filetree *to;
    const char **names; /* of the netdevs and devices somewhere in it, sorted */
    size_t nnames;
    struct arena *arena;
    struct bytes text;
};

/* A file of one tree for the other; -ENOENT: it stays out. path is where it was asked for. */
static int put_file(struct rewriting *rewriting, const char *path, const struct node *old, struct node *node)
{
    struct bytes *text = &rewriting->text;
    text->len = 0;
    if (!anonymise_file(rewriting->anonymiser, path, old->data, old->len, text))
        return -ENOENT;
    return filetree_make_file(rewriting->to, node, filetree_keep(rewriting->to, text->data, text->len),
                              text->len);
}

/* -- sys/: as it is, links too, for its directories are the kernel's ---------------------------------------- */

static bool holds_names(const char *directory, size_t len)
{
    static const char *const names[] = { "net", "infiniband", "rdma_cm" };
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (strlen(names[i]) == len && memcmp(names[i], directory, len) == 0)
            return true;
    return false;
}

static void collect_names(struct rewriting *rewriting, const struct node *directory)
{
    bool here = holds_names(directory->name, strlen(directory->name));
    for (const struct node *child = directory->children; child; child = child->next) {
        if (here)
            *ARENA_PUSH(rewriting->arena, rewriting->names, rewriting->nnames) = child->name;
        collect_names(rewriting, child);
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_name(const struct rewriting *rewriting, const char *name)
{
    return rewriting->nnames &&
           bsearch(&name, rewriting->names, rewriting->nnames, sizeof(*rewriting->names), by_name);
}

/* before: the component in front of it. */
static void put_component(const struct rewriting *rewriting, const char *before, size_t before_len,
                          const char *name, size_t len, struct bytes *out)
{
    static const char *const relations[] = { "lower_", "upper_" };
    for (size_t i = 0; i < ARRAY_SIZE(relations); i++) {
        size_t skip = strlen(relations[i]);
        if (len > skip && memcmp(name, relations[i], skip) == 0) {
            bytes_append(out, name, skip);
            anonymise_name(rewriting->anonymiser, name + skip, len - skip, out);
            return;
        }
    }
    if (before_len == strlen("subsystems") && memcmp(before, "subsystems", before_len) == 0) /* nvmet's */
        services_put_qualified_name(rewriting->anonymiser, name, len, out);
    else if (holds_names(before, before_len))
        anonymise_name(rewriting->anonymiser, name, len, out);
    else
        anonymise_text(rewriting->anonymiser, name, len, out);
}

/* What a link says. Its last component may be a netdev in the directory that it stands in itself. */
static void put_target(struct rewriting *rewriting, const char *target, struct bytes *out)
{
    const char *before = "";
    size_t before_len = 0;
    for (const char *at = target;;) {
        size_t len = strcspn(at, "/");
        if (!at[len] && is_name(rewriting, at))
            anonymise_name(rewriting->anonymiser, at, len, out);
        else
            put_component(rewriting, before, before_len, at, len, out);
        if (!at[len])
            return;
        bytes_append(out, "/", 1);
        before = at;
        before_len = len;
        at += len + 1;
    }
}

static int put_link(struct rewriting *rewriting, const struct node *old, struct node *node)
{
    rewriting->text.len = 0;
    put_target(rewriting, old->data, &rewriting->text);
    size_t len = rewriting->text.len;
    return filetree_make_link(rewriting->to, node, filetree_keep(rewriting->to, rewriting->text.data, len),
                              len);
}

static int put_below(struct rewriting *rewriting, const struct node *from, struct node *to);

/* configfs, where directories have names that people gave: of subsystems, targets, portals. */
static bool is_config(const char *path)
{
    return text_starts(path, "sys/kernel/config/");
}

static int put_node(struct rewriting *rewriting, const struct node *old, struct node *to)
{
    struct node *node;
    struct bytes *name = &rewriting->text, path = { 0 };
    name->len = 0;
    filetree_path(old, &path);
    if (!is_config(path.data)) {
        put_component(rewriting, old->parent->name, strlen(old->parent->name), old->name, strlen(old->name),
                      name);
    } else if (services_config_is_kept(path.data)) {
        services_put_config_name(rewriting->anonymiser, path.data, name);
    } else {
        bytes_free(&path);
        return 0;
    }
    int r = filetree_add(rewriting->to, to, name->data, name->len, &node);
    if (r == 0 && old->err)
        r = filetree_make_error(rewriting->to, node, old->err);
    if (r == 0 && old->kind == NODE_FILE)
        r = put_file(rewriting, path.data, old, node);
    else if (r == 0 && old->kind == NODE_LINK)
        r = put_link(rewriting, old, node);
    else if (r == 0 && old->kind == NODE_DIRECTORY)
        r = filetree_make_directory(rewriting->to, node);
    bytes_free(&path);
    if (r == 0 && old->kind == NODE_DIRECTORY)
        r = put_below(rewriting, old, node);
    return r == -ENOENT ? 0 : r;
}

static int put_below(struct rewriting *rewriting, const struct node *from, struct node *to)
{
    int r = 0;
    for (const struct node *old = from->children; old && r == 0; old = old->next)
        r = put_node(rewriting, old, to);
    return r;
}

/* -- the rest: what is asked for by a known path, whatever links lead there --------------------------------- */

static int put_found(struct rewriting *rewriting, const char *path, const char *new_path,
                     const struct node *old)
{
    struct node *node;
    if (old->kind != NODE_FILE && !old->err)
        return 0;
    struct bytes *text = &rewriting->text;
    text->len = 0;
    bool kept = old->kind == NODE_FILE &&
                anonymise_file(rewriting->anonymiser, path, old->data, old->len, text);
    if (!kept && !old->err)
        return 0;
    int r = filetree_add_path(rewriting->to, new_path, &node);
    if (r == 0 && kept)
        r = filetree_make_file(rewriting->to, node, filetree_keep(rewriting->to, text->data, text->len),
                               text->len);
    if (r == 0 && old->err)
        r = filetree_make_error(rewriting->to, node, old->err);
    return r == -EEXIST ? 0 : r; /* two files of one name now */
}

static int put_path(struct rewriting *rewriting, const char *pattern, const char *path, const char *new_path);

/* A * of the pattern: every name that the directory at path has. */
static int put_each(struct rewriting *rewriting, const char *pattern, const char *path, const char *new_path)
{
    const struct node *directory = filetree_resolve(rewriting->from, path);
    int r = 0;
    for (const struct node *child = directory ? directory->children : NULL; child && r == 0;
         child = child->next) {
        struct bytes old = { 0 }, new = { 0 };
        bytes_printf(&old, "%s/%s", path, child->name);
        bytes_printf(&new, "%s/", new_path);
        anonymise_component(rewriting->anonymiser, old.data, &new);
        r = put_path(rewriting, pattern, old.data, new.data);
        bytes_free(&old);
        bytes_free(&new);
    }
    return r;
}

/* What is left of the pattern, below path. */
static int put_path(struct rewriting *rewriting, const char *pattern, const char *path, const char *new_path)
{
    size_t len = strcspn(pattern, "/");
    const char *rest = pattern + len + (pattern[len] == '/');
    if (!*pattern) {
        const struct node *old = filetree_resolve(rewriting->from, path);
        return old ? put_found(rewriting, path, new_path, old) : 0;
    }
    if (len == 1 && *pattern == '*')
        return put_each(rewriting, rest, path, new_path);
    struct bytes old = { 0 }, new = { 0 };
    bytes_printf(&old, "%s%s%.*s", path, *path ? "/" : "", (int)len, pattern);
    bytes_printf(&new, "%s%s%.*s", new_path, *new_path ? "/" : "", (int)len, pattern);
    int r = put_path(rewriting, rest, old.data, new.data);
    bytes_free(&old);
    bytes_free(&new);
    return r;
}

/* A directory that could be read, and is empty, or couldn't. */
static int put_directory(struct rewriting *rewriting, const char *pattern)
{
    size_t len = strcspn(pattern, "*");
    char path[PATH_MAX];
    struct node *node;
    if (!pattern[len] || pattern[len + 1])
        return 0;
    snprintf(path, sizeof(path), "%.*s", (int)len - 1, pattern);
    const struct node *old = filetree_resolve(rewriting->from, path);
    if (!old || (old->kind != NODE_DIRECTORY && !old->err))
        return 0;
    int r = filetree_add_path(rewriting->to, path, &node);
    if (r == 0 && old->kind == NODE_DIRECTORY)
        r = filetree_make_directory(rewriting->to, node);
    if (r == 0 && old->err && !node->err)
        r = filetree_make_error(rewriting->to, node, old->err);
    return r;
}

static int put_all(struct rewriting *rewriting)
{
    const struct node *sys = filetree_find(rewriting->from, rewriting->from->top, "sys", 3);
    struct node *node;
    int r = filetree_enter(rewriting->to, "sys", &node);
    if (r == 0 && sys)
        r = put_below(rewriting, sys, node);
    const char *path;
    for (size_t i = 0; r == 0 && (path = anonymise_path(i)); i++) {
        r = put_directory(rewriting, path);
        if (r == 0)
            r = put_path(rewriting, path, "", "");
    }
    return r;
}

/* Whether some answer came from a machine of the other byte order: what is made of it here would be of both. */
static bool has_foreign_order(const struct filetree *tree)
{
    const struct node *answers = filetree_resolve(tree, "netlink");
    for (const struct node *node = answers ? answers->children : NULL; node; node = node->next) {
        messages_of(node->data, node->len);
        if (order_is_foreign() && reply_is_whole(node->data, node->len))
            return true;
    }
    return false;
}

int anonymise_tree(struct filetree **tree)
{
    if (has_foreign_order(*tree))
        return -EPROTONOSUPPORT;
    struct rewriting rewriting = { .anonymiser = anonymiser_new(), .from = *tree, .to = filetree_new() };
    rewriting.arena = arena_new();
    collect_names(&rewriting, (*tree)->top);
    if (rewriting.nnames)
        qsort(rewriting.names, rewriting.nnames, sizeof(*rewriting.names), by_name);
    const struct node *sets = filetree_resolve(*tree, "netlink/nft-sets");
    if (sets && sets->kind == NODE_FILE)
        anonymiser_learn_sets(rewriting.anonymiser, nft_sets_new(rewriting.anonymiser, sets->data, sets->len),
                              nft_sets_free);
    int r = put_all(&rewriting);
    arena_free(rewriting.arena);
    struct filetree *unused = r < 0 ? rewriting.to : *tree;
    if (r == 0)
        *tree = rewriting.to;
    filetree_free(unused);
    anonymiser_free(rewriting.anonymiser);
    bytes_free(&rewriting.text);
    return r;
}
