/* SPDX-License-Identifier: MIT */
/* The differences between a live machine and a recording: what can't be read, nodes, answers, changes. */
#include <sys/stat.h>

#include "source/recording/filetree.h"
#include "source/root/backend.h"

static int failure(struct root *root, const char *path, int err)
{
    (void)root, (void)path;
    return err;
}

static int try_node(struct root *root, const char *path)
{
    int fd = root_open_below(root, path, O_RDWR);
    if (fd < 0)
        return fd;
    close(fd);
    return 0;
}

static int fetch_answer(struct root *root, struct span *out, const char *form, const char *path,
                        root_fetcher *fetch, void *data)
{
    root->buffer.len = 0;
    bytes_append(&root->buffer, "", 0);
    int r = fetch(data, &root->buffer);
    if (r == 0)
        *out = (struct span){ root->buffer.data, root->buffer.len };
    root_tell(root, ROOT_FILE, form, path, r < 0 ? NULL : out->data, r < 0 ? 0 : out->len, r);
    return r;
}

static int make_directory(struct root *root, const char *path)
{
    return mkdirat(root->fd, path, 0755) < 0 ? -errno : 0;
}

static int remove_directory(struct root *root, const char *path)
{
    return unlinkat(root->fd, path, AT_REMOVEDIR) < 0 ? -errno : 0;
}

static int open_to_write(struct root *root, const char *path)
{
    return root_open_below(root, path, O_WRONLY);
}

const struct root_backend root_live = {
    .files = &root_by_descriptor,
    .failure = failure,
    .try_node = try_node,
    .fetch = fetch_answer,
    .make_directory = make_directory,
    .remove_directory = remove_directory,
    .open_to_write = open_to_write,
};

/* -- a recording: its "errors" says what a plain file can't, and nothing in it changes ------------------ */

static int told_error(const struct root *root, const char *path)
{
    const struct node *node = filetree_resolve(root->errors, path);
    return node ? node->err : 0;
}

static bool is_told_of(const struct root *root, const char *name)
{
    const struct filetree *names = root->error_names;
    return names->top->children && filetree_find(names, names->top->children, name, strlen(name));
}

/* What "errors" says about a path, as given or with its directory resolved; 0: nothing. */
static int recorded_error(struct root *root, const char *path)
{
    if (!root->errors)
        return 0;
    int err = told_error(root, path);
    const char *slash = strrchr(path, '/');
    if (err || !slash || !is_told_of(root, slash + 1))
        return err;
    char *parent = mem_printf("%.*s", (int)(slash - path), path);
    int fd = root_open_below(root, parent, O_PATH | O_DIRECTORY);
    free(parent);
    if (fd < 0)
        return 0;
    char *real = walk_path_of(root->fd, fd);
    close(fd);
    if (real) {
        char *full = mem_printf("%s%s%s", real, *real ? "/" : "", slash + 1);
        err = told_error(root, full);
        free(full);
        free(real);
    }
    return err;
}

/* The same if the errors are in the tree, whose directories are where they really are. */
static int error_of_node(const struct filetree *tree, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *parent = mem_printf("%.*s", slash ? (int)(slash - path) : 0, path);
    const struct node *directory = filetree_resolve(tree, parent);
    const struct node *node = directory ? filetree_find(tree, directory, name, strlen(name)) : NULL;
    free(parent);
    return node ? node->err : 0;
}

/* A recorded error takes the place of a missing file. */
static int recorded_failure(struct root *root, const char *path, int err)
{
    int recorded = root->tree ? error_of_node(root->tree, path) : recorded_error(root, path);
    return recorded ? -recorded : err;
}

/* A file that was there but could not be read is only in "errors": it is listed all the same. */
static void add_told(const struct root *root, const char *path, struct arena *arena, struct names *names)
{
    const struct node *directory = filetree_resolve(root->errors, path);
    for (const struct node *at = directory ? directory->children : NULL; at; at = at->next)
        if (at->err)
            *ARENA_PUSH(arena, names->items, names->count) = arena_strdup(arena, at->name);
}

static void add_names(const struct root_dir *dir, struct arena *arena, struct names *names)
{
    const struct root *root = dir->root;
    if (!root->errors)
        return;
    char *real = walk_path_of(root->fd, dir->fd);
    add_told(root, dir->path, arena, names);
    if (real && strcmp(real, dir->path) != 0)
        add_told(root, real, arena, names);
    free(real);
}

static bool is_there(struct root *root, const char *path)
{
    return root->backend->files->is_there(root, path, false);
}

/* Somebody else's copy of sys/ says nothing about nodes; roce's own recordings have probe answers, whatever
 * nodes there are. */
static int no_node(struct root *root)
{
    return is_there(root, "dev") || is_there(root, "probe") ? -ENOENT : -ENODATA;
}

/* Here an error also overrides an existing file: the node's name is known, but it may not be opened. */
static int try_recorded_node(struct root *root, const char *path)
{
    int err = recorded_failure(root, path, 0);
    if (err)
        return err;
    return is_there(root, path) ? 0 : no_node(root);
}

static int read_answer(struct root *root, struct span *out, const char *form, const char *path,
                       root_fetcher *fetch, void *data)
{
    (void)fetch, (void)data;
    return root_read_path(root, form, path, ROOT_REPLY_MOST, out);
}

/* What the kernel would show below it, or its error, is already there. */
static int find_made(struct root *root, const char *path)
{
    (void)root, (void)path;
    return -EEXIST;
}

static int refuse(struct root *root, const char *path)
{
    (void)root, (void)path;
    return -EROFS;
}

#define SAME_IN_BOTH                                                                                    \
    .recorded = true, .failure = recorded_failure, .try_node = try_recorded_node, .fetch = read_answer, \
    .make_directory = find_made, .remove_directory = refuse, .open_to_write = refuse

const struct root_backend root_recorded = {
    SAME_IN_BOTH,
    .files = &root_by_descriptor,
    .add_names = add_names,
};

const struct root_backend root_in_memory = {
    SAME_IN_BOTH,
    .files = &root_by_node,
};
