/* SPDX-License-Identifier: MIT */
/* Anonymises a recording: nothing in it reveals whose machine it is. */
#include "source/anonymise/anonymise.h"

#include <fnmatch.h>

#include "source/netlink/message.h"
#include "source/recording/lines.h"

struct rewriting {
    struct anonymiser *anonymiser;
    const struct filetree *from;
    struct filetree *to;
    struct bytes text;
};

/* Names not given by the kernel: a name in this directory (a path or, in sys/, its last component) is of this
 * type. */
static const struct {
    const char *directory, *type;
} named[] = {
    { "net", "name" },
    { "infiniband", "name" },
    { "rdma_cm", "name" },
    { "msi_irqs", "numbered" },
    { "sys/kernel/config/nvmet/subsystems", "qualified" },
    { "sys/kernel/config/nvmet/ports", "numbered" },
    { "sys/kernel/config/nvmet/ports/*/subsystems", "qualified" },
    { "sys/kernel/config/target/iscsi", "qualified" },
    { "sys/kernel/config/target/iscsi/*", "numbered" },
    { "dev/infiniband", "name" },
    { "etc/exports.d", "file-name" },
    { "etc/libibverbs.d", "file-name" },
    { "etc/nfs.conf.d", "file-name" },
    { "etc/rdma/modules", "file-name" },
    { "netlink", "answer-name" },
    { "proc/irq", "numbered" },
    { "proc/net/vlan", "name" },
    { "proc/sys/net/ipv4/conf", "name" },
    { "verbs", "name" },
};

/* Appends the last component of path to out. */
static void put_component(const struct rewriting *rewriting, const char *path, struct bytes *out)
{
    static const char *const relations[] = { "lower_", "upper_" };
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    bool in_sys = text_starts(path, "sys/");
    char *directory = mem_printf("%.*s", slash ? (int)(slash - path) : 0, path);
    const char *last = strrchr(directory, '/'), *type = in_sys ? "text" : NULL;
    for (size_t i = 0; i < ARRAY_SIZE(named); i++)
        if (strchr(named[i].directory, '/') || !in_sys
                ? fnmatch(named[i].directory, directory, FNM_PATHNAME) == 0
                : text_is(last ? last + 1 : NULL, named[i].directory))
            type = named[i].type;
    for (size_t i = 0; in_sys && i < ARRAY_SIZE(relations); i++)
        if (text_starts(name, relations[i])) {
            bytes_printf(out, "%s", relations[i]);
            name += strlen(relations[i]);
            type = "name";
        }
    if (type)
        anonymise_value(rewriting->anonymiser, type, name, strlen(name), out);
    else
        bytes_printf(out, "%s", name);
    free(directory);
}

/* Appends the target of a link in the directory at path; changes path. */
static void put_target(struct rewriting *rewriting, const char *target, struct bytes *path, struct bytes *out)
{
    if (*target == '/')
        path->len = 0;
    for (const char *at = target;; at++) {
        size_t len = strcspn(at, "/");
        const char *slash = path->len ? memrchr(path->data, '/', path->len) : NULL;
        if (len == 2 && at[0] == '.' && at[1] == '.') {
            path->len = slash ? (size_t)(slash - path->data) : 0;
            bytes_append(out, at, len);
        } else if (len) {
            bytes_printf(path, "%s%.*s", path->len ? "/" : "", (int)len, at);
            put_component(rewriting, path->data, out);
        }
        at += len;
        if (!*at)
            return;
        bytes_append(out, "/", 1);
    }
}

static int put_link(struct rewriting *rewriting, const struct node *old, struct node *node)
{
    struct bytes path = { 0 }, *text = &rewriting->text;
    filetree_path(old->parent, &path);
    text->len = 0;
    put_target(rewriting, old->data, &path, text);
    bytes_free(&path);
    return filetree_make_link(rewriting->to, node, filetree_keep(rewriting->to, text->data, text->len),
                              text->len);
}

/* Puts the contents at path in the old tree, and its errno, into the new one. */
static int put_contents(struct rewriting *rewriting, const char *form, const char *path, const struct node *old,
                        struct node *node)
{
    struct bytes *text = &rewriting->text;
    int r = old->err ? filetree_make_error(rewriting->to, node, old->err) : 0;
    text->len = 0;
    if (r == 0 && old->kind == NODE_FILE &&
        anonymise_file(rewriting->anonymiser, form, path, old->data, old->len, text))
        r = filetree_make_file(rewriting->to, node, filetree_keep(rewriting->to, text->data, text->len),
                               text->len);
    else if (r == 0 && old->kind == NODE_LINK)
        r = put_link(rewriting, old, node);
    else if (r == 0 && old->kind == NODE_DIRECTORY)
        r = filetree_make_directory(rewriting->to, node);
    return r;
}

/* sys/: all of it, including links, since its directories are the kernel's. */
static int put_below(struct rewriting *rewriting, const struct node *from, struct node *to)
{
    int r = 0;
    for (const struct node *old = from->children; old && r == 0; old = old->next) {
        struct node *node;
        struct bytes path = { 0 }, *name = &rewriting->text;
        name->len = 0;
        filetree_path(old, &path);
        put_component(rewriting, path.data, name);
        r = filetree_add(rewriting->to, to, name->data, name->len, &node);
        if (r == 0)
            r = put_contents(rewriting, old->form, path.data, old, node);
        bytes_free(&path);
        if (r == 0 && old->kind == NODE_DIRECTORY)
            r = put_below(rewriting, old, node);
    }
    return r;
}

/* Outside sys/: what was asked for, whatever links lead there. */
static int put_asked(struct rewriting *rewriting, const struct asked *asked)
{
    const struct node *old = filetree_resolve(rewriting->from, asked->path);
    struct bytes path = { 0 };
    struct node *node;
    if (!old || (old->kind != NODE_FILE && old->kind != NODE_DIRECTORY && !old->err))
        return 0;
    for (const char *slash = asked->path; slash; slash = strchr(slash + 1, '/')) {
        const char *next = strchr(slash + 1, '/');
        char *component = mem_printf("%.*s", (int)(next ? next - asked->path : (long)strlen(asked->path)),
                                     asked->path);
        if (path.len)
            bytes_append(&path, "/", 1);
        put_component(rewriting, component, &path);
        free(component);
    }
    int r = filetree_add_path(rewriting->to, path.data, &node);
    if (r == 0 && node->kind == NODE_NONE && !node->err) /* two files may now have the same name */
        r = put_contents(rewriting, asked->form, asked->path, old, node);
    bytes_free(&path);
    return r;
}

static int put_all(struct rewriting *rewriting)
{
    const struct node *sys = filetree_find(rewriting->from, rewriting->from->top, "sys", 3);
    struct node *node;
    int r = filetree_enter(rewriting->to, "sys", &node);
    if (r == 0 && sys)
        r = put_below(rewriting, sys, node);
    for (size_t i = 0; r == 0 && i < rewriting->from->nasked; i++)
        r = put_asked(rewriting, &rewriting->from->asked[i]);
    return r;
}

/* Did any answer come from a machine of the other byte order? What is rebuilt here would mix both. */
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
    int r = put_all(&rewriting);
    struct filetree *unused = r < 0 ? rewriting.to : *tree;
    if (r == 0)
        *tree = rewriting.to;
    filetree_free(unused);
    anonymiser_free(rewriting.anonymiser);
    bytes_free(&rewriting.text);
    return r;
}
