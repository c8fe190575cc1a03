/* SPDX-License-Identifier: MIT */
/* Directories of a root: their names, and files of one that is held open. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "source/root.h"
#include "source/root_backend.h"

static int by_version(const void *a, const void *b)
{
    return text_version_compare(*(const char *const *)a, *(const char *const *)b);
}

/* The names in a directory without those that begin with a dot, in no order. opendir() would ask three things
 * more of each. */
static int read_names(int fd, struct arena *arena, struct names *names)
{
    alignas(struct dirent64) char entries[8192];
    ssize_t n;
    while ((n = getdents64(fd, entries, sizeof(entries))) > 0) {
        const struct dirent64 *entry;
        for (ssize_t at = 0; at < n; at += entry->d_reclen) {
            entry = (const struct dirent64 *)(entries + at);
            if (entry->d_name[0] != '.')
                *ARENA_PUSH(arena, names->items, names->count) = arena_strdup(arena, entry->d_name);
        }
        if (names->count > ROOT_NAMES_MOST)
            return -EFBIG;
    }
    return n < 0 ? -errno : 0;
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

static int list_fd(struct root *root, int fd, const char *path, struct arena *arena, struct names *names)
{
    struct names found = { 0 };
    int r = read_names(fd, arena, &found);
    if (r == 0)
        root->backend->add_names(root, fd, path, arena, &found);
    if (r < 0)
        return r;
    sort_names(&found);
    *names = found;
    root_tell(root, ROOT_LIST, path, found.items, found.count, 0);
    return 0;
}

static int open_directory(struct root *root, const char *path)
{
    int fd = root_open_below(root, path, O_RDONLY | O_DIRECTORY);
    if (fd < 0) {
        fd = root->backend->failure(root, path, fd);
        root_tell(root, ROOT_LIST, path, NULL, 0, fd);
    }
    return fd;
}

int root_list(struct root *root, struct arena *arena, struct names *names, const char *format, ...)
{
    char path[PATH_MAX];
    int fd;
    ROOT_PATH(fd, path, format);
    if (fd < 0)
        return fd;
    fd = open_directory(root, path);
    if (fd < 0)
        return fd;
    int r = list_fd(root, fd, path, arena, names);
    close(fd);
    if (r < 0)
        root_tell(root, ROOT_LIST, path, NULL, 0, r);
    return r;
}

int root_dir_open(struct root *root, struct root_dir *dir, const char *format, ...)
{
    char path[PATH_MAX];
    int fd;
    ROOT_PATH(fd, path, format);
    if (fd == 0)
        fd = open_directory(root, path);
    if (fd < 0)
        return fd;
    *dir = (struct root_dir){ .root = root, .fd = fd, .path = mem_strdup(path) };
    return 0;
}

/* Of a name of several steps, a link on its way could lead out of a recording: that is looked up as ever. */
static bool is_deep(const struct root_dir *dir, const char *name)
{
    return root_is_recorded(dir->root) && strchr(name, '/');
}

/* One name further is one step, not a path anew. What isn't plain there (a link, an error that a recording
 * knows of) is looked up as ever. */
static int open_step(const struct root_dir *parent, const char *name)
{
    int r = parent->root->strange || is_deep(parent, name) ? -ELOOP : root_spend(parent->root, 0);
    root_close_now(parent->root, -1);
    if (r < 0)
        return r;
    int fd = openat(parent->fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int root_dir_open_in(const struct root_dir *parent, struct root_dir *dir, const char *name)
{
    struct root *root = parent->root;
    int fd = open_step(parent, name);
    if (fd < 0 && fd != -ENOENT)
        return root_dir_open(root, dir, "%s/%s", parent->path, name);
    char *path = mem_printf("%s/%s", parent->path, name);
    if (fd >= 0) {
        *dir = (struct root_dir){ .root = root, .fd = fd, .path = path };
        return 0;
    }
    int r = root->backend->failure(root, path, fd);
    free(path);
    return r;
}

int root_dir_link(struct root_dir *dir, const char *name, struct span *out)
{
    struct root *root = dir->root;
    char target[PATH_MAX];
    bool deep = is_deep(dir, name);
    ssize_t n = deep ? -1 : readlinkat(dir->fd, name, target, sizeof(target));
    if (n < 0 && !deep && errno == ENOENT && !root->tee && !root_is_recorded(root))
        return -ENOENT;
    if (n < 0 || n == sizeof(target) || root->tee)
        return root_link(root, out, "%s/%s", dir->path, name);
    root->buffer.len = 0;
    bytes_append(&root->buffer, target, (size_t)n);
    *out = (struct span){ root->buffer.data, root->buffer.len };
    return root_spend(root, 0);
}

void root_dir_close(struct root_dir *dir)
{
    if (!dir->path)
        return;
    root_close_now(dir->root, dir->fd);
    free(dir->path);
    *dir = (struct root_dir){ 0 };
}

struct entry {
    int directory;
    const char *name;
};

static int open_entry(const void *where, int flags)
{
    const struct entry *entry = where;
    int fd = openat(entry->directory, entry->name, flags | O_NOFOLLOW);
    return fd < 0 ? -errno : fd;
}

static int open_file(const struct root_dir *dir, const char *name)
{
    int flags = O_CLOEXEC | O_NOFOLLOW | (dir->root->strange ? O_PATH : O_RDONLY | O_NOCTTY | O_NONBLOCK);
    int fd = openat(dir->fd, name, flags);
    if (fd < 0 && errno == EMFILE && dir->root->nunclosed) { /* those that wait to be closed are too many */
        root_close_now(dir->root, -1);
        fd = openat(dir->fd, name, flags);
    }
    if (fd < 0)
        return -errno;
    return dir->root->strange ? root_open_plain(fd, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, open_entry,
                                                &(struct entry){ dir->fd, name })
                              : fd;
}

static size_t most_of(const struct root_dir *dir)
{
    bool of_sys = dir->root->backend->bounded && text_starts(dir->path, "sys/");
    return of_sys ? ROOT_SYS_MOST : ROOT_FILE_MOST;
}

int root_dir_read(struct root_dir *dir, const char *name, struct span *out)
{
    struct root *root = dir->root;
    int r = is_deep(dir, name) ? -ELOOP : root_spend(root, 0);
    int fd = r < 0 ? r : open_file(dir, name);
    r = fd < 0 ? fd : root_read_fd(root, fd, most_of(dir), false, out);
    if (r == 0 && !root->tee)
        return 0;
    char path[PATH_MAX];
    if ((size_t)snprintf(path, sizeof(path), "%s/%s", dir->path, name) >= sizeof(path))
        return -ENAMETOOLONG;
    if (r == -ELOOP) /* a link: to be followed inside the root only */
        return root_read_path(root, path, ROOT_FILE_MOST, out);
    if (r < 0)
        r = root->backend->failure(root, path, r);
    root_tell(root, ROOT_FILE, path, r < 0 ? NULL : out->data, r < 0 ? 0 : out->len, r);
    return r;
}

int root_dir_list(struct root_dir *dir, struct arena *arena, struct names *names)
{
    int r = dir->listed && lseek(dir->fd, 0, SEEK_SET) < 0 ? -errno : 0;
    dir->listed = true;
    return r < 0 ? r : list_fd(dir->root, dir->fd, dir->path, arena, names);
}
