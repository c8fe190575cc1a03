/* SPDX-License-Identifier: MIT */
#include "source/root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/errors.h"
#include "source/recording/filetree.h"
#include "source/root_backend.h"

bool root_absent(int err)
{
    switch (err < 0 ? -err : err) {
    case ENOENT:
    case ENOTDIR:
    case ENODEV:
    case EINVAL:
    case EOPNOTSUPP:
    case ENODATA:
        return true;
    }
    return false;
}

bool root_is_recorded(const struct root *root)
{
    return root->backend->recorded;
}

void root_set_strange(struct root *root)
{
    root->strange = true;
}

void root_begin(struct root *root)
{
    root->files = root->bytes = 0;
    root->exhausted = false;
}

bool root_is_exhausted(const struct root *root)
{
    return root->exhausted;
}

size_t root_bad_errors(const struct root *root)
{
    return root->bad_errors;
}

void root_set_tee(struct root *root, root_tee *tee, void *data)
{
    root->tee = tee;
    root->tee_data = data;
}

void root_tell_file(struct root *root, const char *form, const char *path, const void *bytes, size_t len,
                    int err)
{
    root_tell(root, ROOT_FILE, form, path, bytes, len, err);
}

static int keep_error_names(struct root *root)
{
    struct node *all, *node;
    root->error_names = filetree_new();
    int r = filetree_enter(root->error_names, "names", &all);
    for (size_t i = 0; r == 0 && i < root->errors->table_size; i++) {
        const struct node *told = root->errors->table[i];
        if (told && told->err)
            r = filetree_add(root->error_names, all, told->name, strlen(told->name), &node);
    }
    return r;
}

static int load_errors(struct root *root)
{
    struct span text;
    int r = root_read_big(root, &text, NULL, "errors");
    if (r < 0)
        return r == -ENOENT ? 0 : r;
    size_t first_bad;
    root->errors = filetree_new();
    r = errors_enter(root->errors, text.data, text.len, &root->bad_errors, &first_bad);
    if (r == 0)
        r = keep_error_names(root);
    return r < 0 ? -E2BIG : 0;
}

static struct root *new_root(const struct root_backend *backend, int fd)
{
    struct root *root = mem_alloc(1, sizeof(*root));
    root->fd = fd;
    root->backend = backend;
    bytes_append(&root->buffer, "", 0);
    return root;
}

int root_open(const char *path, bool recorded, struct root **out)
{
    int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    struct root *root = new_root(recorded ? &root_recorded : &root_live, fd);
    int r = recorded ? load_errors(root) : 0;
    if (r < 0) {
        root_close(root);
        return r;
    }
    *out = root;
    return 0;
}

struct root *root_open_tree(struct filetree *tree)
{
    struct root *root = new_root(&root_in_memory, -1);
    root->tree = tree;
    return root;
}

void root_close(struct root *root)
{
    if (!root)
        return;
    root_close_now(root, root->fd);
    filetree_free(root->tree);
    filetree_free(root->errors);
    filetree_free(root->error_names);
    bytes_free(&root->buffer);
    free(root);
}

int root_path(char path[static PATH_MAX], const char *format, va_list args)
{
    static const char cut[] = "...";
    int len = vsnprintf(path, PATH_MAX, format, args);
    if (len >= 0 && len < PATH_MAX)
        return 0;
    memcpy(path + PATH_MAX - sizeof(cut), cut, sizeof(cut));
    return -ENAMETOOLONG;
}

int root_read(struct root *root, struct span *out, const char *form, const char *format, ...)
{
    char path[PATH_MAX];
    int r;
    ROOT_PATH(r, path, format);
    return r < 0 ? r : root_read_path(root, form, path, ROOT_FILE_MOST, out);
}

int root_read_big(struct root *root, struct span *out, const char *form, const char *path)
{
    return root_read_path(root, form, path, ROOT_REPLY_MOST, out);
}

int root_fetch(struct root *root, struct span *out, const char *form, const char *path, root_fetcher *fetch,
               void *data)
{
    return root->backend->fetch(root, out, form, path, fetch, data);
}

int root_open_stream(struct root *root, const char *path)
{
    return root_open_below(root, path, O_RDONLY);
}

int root_peek_link(struct root *root, const char *path, char *target)
{
    return root->backend->files->link(root, path, target);
}

bool root_peek_directory(struct root *root, const char *path)
{
    return root->backend->files->is_there(root, path, true);
}

int root_link(struct root *root, struct span *out, const char *format, ...)
{
    char path[PATH_MAX], target[PATH_MAX];
    int r;
    ROOT_PATH(r, path, format);
    if (r < 0)
        return r;
    r = root_peek_link(root, path, target);
    if (r == 0)
        *out = root_keep(root, target, strlen(target));
    else
        r = root->backend->failure(root, path, r);
    root_tell(root, ROOT_LINK, NULL, path, r < 0 ? NULL : out->data, r < 0 ? 0 : out->len, r);
    return r;
}

int root_try_node(struct root *root, const char *path)
{
    int r = root->backend->try_node(root, path);
    root_tell(root, ROOT_NODE, "", path, NULL, 0, r);
    return r;
}

bool root_exists(struct root *root, const char *path)
{
    return root->backend->files->is_there(root, path, false);
}

int root_make_directory(struct root *root, const char *path)
{
    return root->backend->make_directory(root, path);
}

int root_remove_directory(struct root *root, const char *path)
{
    return root->backend->remove_directory(root, path);
}

int root_write(struct root *root, const char *path, const char *text)
{
    int fd = root->backend->open_to_write(root, path);
    if (fd < 0)
        return fd;
    size_t len = strlen(text);
    ssize_t n = write(fd, text, len);
    int r = n < 0 ? -errno : (size_t)n == len ? 0 : -EIO;
    if (close(fd) < 0 && r == 0)
        r = -errno;
    return r;
}
