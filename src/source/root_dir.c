/* SPDX-License-Identifier: MIT */
/* Directories of a root: their names, and files of one that is held open. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "source/root.h"
#include "source/root_backend.h"

static int by_version(const void *a, const void *b)
{
    return text_version_compare(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts them, each once. */
static void sort_names(struct names *names)
{
    size_t kept = 0;
    if (names->count)
        qsort(names->items, names->count, sizeof(*names->items), by_version);
    for (size_t i = 0; i < names->count; i++)
        if (i == 0 || strcmp(names->items[i], names->items[kept - 1]) != 0)
            names->items[kept++] = names->items[i];
    names->count = kept;
}

int root_dir_list(struct root_dir *dir, struct arena *arena, struct names *names)
{
    struct root *root = dir->root;
    struct names found = { 0 };
    int r = root->backend->files->names(dir, arena, &found);
    if (r < 0)
        return r;
    if (root->backend->add_names)
        root->backend->add_names(dir, arena, &found);
    sort_names(&found);
    *names = found;
    root_tell(root, ROOT_LIST, NULL, dir->path, found.items, found.count, 0);
    return 0;
}

/* Takes over path. */
static int open_directory(struct root *root, char *path, struct root_dir *dir)
{
    struct root_dir opened = { .root = root, .fd = -1, .path = path };
    int r = root->backend->files->open(root, path, &opened);
    if (r == 0) {
        *dir = opened;
        return 0;
    }
    r = root->backend->failure(root, path, r);
    root_tell(root, ROOT_LIST, NULL, path, NULL, 0, r);
    free(path);
    return r;
}

int root_list(struct root *root, struct arena *arena, struct names *names, const char *format, ...)
{
    char path[PATH_MAX];
    struct root_dir dir;
    int r;
    ROOT_PATH(r, path, format);
    if (r == 0)
        r = open_directory(root, mem_strdup(path), &dir);
    if (r < 0)
        return r;
    r = root_dir_list(&dir, arena, names);
    root_dir_close(&dir);
    if (r < 0)
        root_tell(root, ROOT_LIST, NULL, path, NULL, 0, r);
    return r;
}

int root_dir_open(struct root *root, struct root_dir *dir, const char *format, ...)
{
    char path[PATH_MAX];
    int r;
    ROOT_PATH(r, path, format);
    return r < 0 ? r : open_directory(root, mem_strdup(path), dir);
}

/* Of a name of several steps, a link on its way could lead out of a recording: that is looked up as ever. */
static bool is_deep(const struct root_dir *dir, const char *name)
{
    return root_is_recorded(dir->root) && strchr(name, '/');
}

int root_dir_open_in(const struct root_dir *parent, struct root_dir *dir, const char *name)
{
    struct root *root = parent->root;
    struct root_dir opened = { .root = root, .fd = -1 };
    int r = is_deep(parent, name) ? -ELOOP : root->backend->files->open_in(parent, name, &opened);
    char *path = mem_printf("%s/%s", parent->path, name);
    if (r < 0 && r != -ENOENT) /* a link, an error that a recording knows of: looked up as ever */
        return open_directory(root, path, dir);
    if (r == 0) {
        opened.path = path;
        *dir = opened;
        return 0;
    }
    r = root->backend->failure(root, path, r);
    free(path);
    return r;
}

int root_dir_link(struct root_dir *dir, const char *name, struct span *out)
{
    struct root *root = dir->root;
    char target[PATH_MAX];
    int r = root->tee || is_deep(dir, name) ? -ELOOP : root->backend->files->link_in(dir, name, target);
    if (r == -ENOENT && !root_is_recorded(root))
        return r;
    if (r < 0)
        return root_link(root, out, "%s/%s", dir->path, name);
    *out = root_keep(root, target, strlen(target));
    return 0;
}

void root_dir_close(struct root_dir *dir)
{
    if (!dir->path)
        return;
    dir->root->backend->files->close(dir);
    free(dir->path);
    *dir = (struct root_dir){ 0 };
}

int root_dir_read(struct root_dir *dir, const char *form, const char *name, struct span *out)
{
    struct root *root = dir->root;
    size_t most = root_most_of(root, dir->path, ROOT_FILE_MOST);
    int r = is_deep(dir, name) ? -ELOOP : root->backend->files->read_in(dir, name, most, out);
    if (r == 0 && !root->tee)
        return 0;
    char path[PATH_MAX];
    if ((size_t)snprintf(path, sizeof(path), "%s/%s", dir->path, name) >= sizeof(path))
        return -ENAMETOOLONG;
    if (r == -ELOOP) /* a link: to be followed inside the root only */
        return root_read_path(root, form, path, ROOT_FILE_MOST, out);
    if (r < 0)
        r = root->backend->failure(root, path, r);
    root_tell(root, ROOT_FILE, form, path, r < 0 ? NULL : out->data, r < 0 ? 0 : out->len, r);
    return r;
}
