/* SPDX-License-Identifier: MIT */
/* Files of a recording in memory: its tree answers as if it were unpacked into a file system. */
#include "source/recording/filetree.h"
#include "source/root/backend.h"

/* The node at path, or NULL and why: -ENOENT also if it has only an errno. */
static const struct node *find_node(struct root *root, const struct node *from, const char *path, bool follow,
                                    int *err)
{
    struct node *node = NULL;
    *err = root_spend(root, 0);
    if (*err == 0)
        *err = filetree_look_up(root->tree, from, path, follow, &node);
    if (!node || !node_is_told_only(node))
        return node;
    *err = -ENOENT;
    return NULL;
}

static int read_node(struct root *root, const struct node *from, const char *path, size_t most,
                     struct span *out)
{
    int r;
    const struct node *node = find_node(root, from, path, true, &r);
    if (!node || node->kind == NODE_DIRECTORY)
        return node ? -EISDIR : r;
    r = node->len > most ? -EFBIG : root_spend(root, node->len);
    if (r == 0) /* not copied: the tree lives as long as the root, and 10,000 queue pairs take space */
        *out = (struct span){ node->data, node->len };
    return r;
}

static int link_of(struct root *root, const struct node *from, const char *path, char *target)
{
    int r;
    const struct node *node = find_node(root, from, path, false, &r);
    if (!node || node->kind != NODE_LINK)
        return node ? -EINVAL : r;
    if (node->len >= PATH_MAX)
        return -ENAMETOOLONG;
    memcpy(target, node->data, node->len + 1);
    return 0;
}

static int open_node(struct root *root, const struct node *from, const char *path, struct root_dir *dir)
{
    int r;
    dir->node = find_node(root, from, path, true, &r);
    return !dir->node ? r : dir->node->kind == NODE_DIRECTORY ? 0 : -ENOTDIR;
}

static int read_path(struct root *root, const char *path, size_t most, struct span *out)
{
    return read_node(root, root->tree->top, path, most, out);
}

static int link_at(struct root *root, const char *path, char *target)
{
    return link_of(root, root->tree->top, path, target);
}

static bool is_there(struct root *root, const char *path, bool as_directory)
{
    int r;
    const struct node *node = find_node(root, root->tree->top, path, true, &r);
    return node && (!as_directory || node->kind == NODE_DIRECTORY);
}

static int open_directory(struct root *root, const char *path, struct root_dir *dir)
{
    return open_node(root, root->tree->top, path, dir);
}

static void close_directory(struct root_dir *dir)
{
    (void)dir;
}

/* A file that was there but could not be read is listed all the same. */
static int names_of(struct root_dir *dir, struct arena *arena, struct names *names)
{
    for (const struct node *node = dir->node->children; node; node = node->next) {
        if (node->name[0] != '.' && (node->err || !node_is_told_only(node)))
            *ARENA_PUSH(arena, names->items, names->count) = arena_strdup(arena, node->name);
        if (names->count > ROOT_NAMES_MOST)
            return -EFBIG;
    }
    return 0;
}

static int read_in(const struct root_dir *dir, const char *name, size_t most, struct span *out)
{
    return read_node(dir->root, dir->node, name, most, out);
}

static int link_in(const struct root_dir *dir, const char *name, char *target)
{
    return link_of(dir->root, dir->node, name, target);
}

static int open_in(const struct root_dir *parent, const char *name, struct root_dir *dir)
{
    return open_node(parent->root, parent->node, name, dir);
}

const struct root_files root_by_node = {
    .read = read_path,
    .read_in = read_in,
    .link = link_at,
    .link_in = link_in,
    .open = open_directory,
    .open_in = open_in,
    .names = names_of,
    .close = close_directory,
    .is_there = is_there,
};
