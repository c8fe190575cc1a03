/* SPDX-License-Identifier: MIT */
/* Turns a tree into directories and files, and back. */
#include "source/recording/recording.h"

#include <dirent.h>
#include <sys/stat.h>

static int write_file(int directory, const char *name, const char *data, size_t len)
{
    int fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    int r = fd < 0 ? -errno : file_write(fd, data, len);
    if (fd >= 0 && close(fd) < 0 && r == 0)
        r = -errno;
    return r;
}

static int make_below(const struct node *node, int directory);

static int make_directory(const struct node *node, int directory)
{
    if (mkdirat(directory, node->name, 0700) < 0)
        return -errno;
    int fd = openat(directory, node->name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    int r = make_below(node, fd);
    close(fd);
    return r;
}

static int make_below(const struct node *node, int directory)
{
    int r = 0;
    for (const struct node *child = node->children; child && r == 0; child = child->next)
        if (signals_wait())
            r = -EINTR;
        else if (child->kind == NODE_DIRECTORY && !node_is_told_only(child, &(uint64_t){ 0 }))
            r = make_directory(child, directory);
        else if (child->kind == NODE_FILE)
            r = write_file(directory, child->name, child->data, child->len);
        else if (child->kind == NODE_LINK && symlinkat(child->data, directory, child->name) < 0)
            r = -errno;
    return r;
}

int recording_unpack(const struct filetree *tree, int directory)
{
    struct bytes errors = { 0 };
    recording_write_errors(tree, &errors);
    int r = errors.len ? write_file(directory, "errors", errors.data, errors.len) : 0;
    if (r == 0 && tree->note)
        r = write_file(directory, "NOTE", tree->note, strlen(tree->note));
    if (r == 0)
        r = make_below(tree->top, directory);
    bytes_free(&errors);
    return r;
}

static bool is_dot(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Its own copy of an open directory, to read it; NULL and errno if there is none. */
static DIR *reading_of(int directory)
{
    int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = copy < 0 ? NULL : fdopendir(copy);
    if (!dir && copy >= 0)
        close(copy);
    return dir;
}

static bool is_empty(int directory)
{
    DIR *dir = reading_of(directory);
    const struct dirent *entry;
    bool empty = dir != NULL;
    while (empty && (errno = 0, entry = readdir(dir)))
        empty = is_dot(entry->d_name);
    empty = empty && errno == 0;
    if (dir)
        closedir(dir);
    return empty;
}

/* Removes everything below it, following no links. Each pass starts over: continuing to read a changing
 * directory may miss entries. */
static void empty_directory(int directory)
{
    DIR *dir = reading_of(directory);
    for (bool removed = dir; removed;) {
        removed = false;
        rewinddir(dir);
        for (const struct dirent *entry; (entry = readdir(dir));) {
            if (is_dot(entry->d_name))
                continue;
            int below = openat(directory, entry->d_name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            if (below >= 0) {
                empty_directory(below);
                close(below);
            }
            /* a directory that can't be opened for lack of descriptors is empty: it couldn't be filled either
             */
            removed |= unlinkat(directory, entry->d_name, below >= 0 ? AT_REMOVEDIR : 0) == 0 ||
                       (below < 0 && unlinkat(directory, entry->d_name, AT_REMOVEDIR) == 0);
        }
    }
    if (dir)
        closedir(dir);
}

int recording_unpack_at(const struct filetree *tree, const char *path)
{
    sigset_t before;
    signals_hold(&before);
    bool made = mkdir(path, 0700) == 0;
    int directory = made || errno == EEXIST ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    int r = directory < 0 ? -errno : -EEXIST;
    if (directory >= 0 && is_empty(directory)) {
        r = !made && fchmod(directory, 0700) < 0 ? -errno : recording_unpack(tree, directory);
        if (r < 0)
            empty_directory(directory);
    }
    if (directory >= 0)
        close(directory);
    if (r < 0 && made)
        rmdir(path);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return r;
}

/* -- the reverse ------------------------------------------------------------------------------------------ */

struct packing {
    struct filetree *tree;
    struct bytes buffer; /* the file read last */
    struct bytes errors; /* the text of "errors" */
    struct bytes *where;
};

static int failed(struct packing *packing, const struct node *directory, const char *name, int r)
{
    if (r < 0 && packing->where->len == 0) {
        filetree_path(directory, packing->where);
        bytes_printf(packing->where, "%s%s", packing->where->len ? "/" : "", name);
    }
    return r;
}

static int read_file(struct packing *packing, int directory, const char *name)
{
    struct bytes *buffer = &packing->buffer;
    struct stat st;
    int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    int r = fd < 0 || fstat(fd, &st) < 0 ? -errno : S_ISREG(st.st_mode) ? 0 : -EINVAL;
    buffer->len = 0;
    bytes_append(buffer, "", 0);
    if (r == 0)
        r = file_read(fd, RECORDING_FILE_MOST, buffer);
    if (fd >= 0)
        close(fd);
    return r == 0 && buffer->len > RECORDING_FILE_MOST ? -EFBIG : r;
}

static int pack_link(struct packing *packing, int directory, struct node *node)
{
    char target[PATH_MAX];
    ssize_t n = readlinkat(directory, node->name, target, sizeof(target));
    if (n < 0)
        return -errno;
    return filetree_make_link(packing->tree, node, filetree_keep(packing->tree, target, (size_t)n), (size_t)n);
}

static int pack_file(struct packing *packing, int directory, struct node *node, bool is_device)
{
    int r = is_device ? 0 : read_file(packing, directory, node->name);
    size_t len = is_device ? 0 : packing->buffer.len;
    const char *data = r < 0 ? NULL : filetree_keep(packing->tree, packing->buffer.data, len);
    return r < 0 ? r : filetree_make_file(packing->tree, node, data, len);
}

/* Reads NOTE or errors, which are about the rest of the tree. Returns 1 if it was one of them. */
static int pack_special(struct packing *packing, int directory, const char *name)
{
    bool is_note = strcmp(name, "NOTE") == 0;
    if (!is_note && strcmp(name, "errors") != 0)
        return 0;
    int r = read_file(packing, directory, name);
    struct bytes *text = &packing->buffer;
    if (r == 0 && !is_note) {
        bytes_append(&packing->errors, text->data, text->len);
    } else if (r == 0 && text->len) {
        if (text->data[text->len - 1] != '\n')
            bytes_append(text, "\n", 1);
        packing->tree->note = filetree_keep(packing->tree, text->data, text->len);
    }
    return r < 0 ? r : 1;
}

static int pack_below(struct packing *packing, int fd, struct node *directory);

static int pack_entry(struct packing *packing, int fd, struct node *directory, const char *name)
{
    struct stat st;
    struct node *node;
    int r = directory->parent ? 0 : pack_special(packing, fd, name);
    if (r != 0)
        return r < 0 ? r : 0;
    if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return -errno;
    r = filetree_add(packing->tree, directory, name, strlen(name), &node);
    if (r < 0)
        return r;
    if (S_ISLNK(st.st_mode))
        return pack_link(packing, fd, node);
    if (S_ISREG(st.st_mode) || S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode))
        return pack_file(packing, fd, node, !S_ISREG(st.st_mode));
    if (!S_ISDIR(st.st_mode))
        return -EINVAL;
    int below = openat(fd, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (below < 0)
        return -errno;
    r = filetree_make_directory(packing->tree, node);
    if (r == 0)
        r = pack_below(packing, below, node);
    close(below);
    return r;
}

static int pack_below(struct packing *packing, int fd, struct node *directory)
{
    DIR *dir = reading_of(fd);
    const struct dirent *entry;
    int r = 0;
    if (!dir)
        return -errno;
    while (r == 0 && (errno = 0, entry = readdir(dir)))
        if (!is_dot(entry->d_name))
            r = failed(packing, directory, entry->d_name, pack_entry(packing, fd, directory, entry->d_name));
    if (r == 0 && errno)
        r = -errno;
    closedir(dir);
    return r;
}

static int pack_errors(struct packing *packing)
{
    size_t bad, first_bad;
    int r = errors_enter(packing->tree, packing->errors.data, packing->errors.len, &bad, &first_bad);
    if (r < 0)
        bytes_printf(packing->where, "errors");
    else if (bad)
        bytes_printf(packing->where, "errors, line %zu", first_bad);
    return bad && r == 0 ? -EBADMSG : r;
}

int recording_pack(int directory, struct filetree **tree, struct bytes *where)
{
    struct packing packing = { .tree = filetree_new(), .where = where };
    bytes_append(&packing.errors, "", 0);
    int r = pack_below(&packing, directory, packing.tree->top);
    if (r == 0)
        r = pack_errors(&packing);
    bytes_free(&packing.buffer);
    bytes_free(&packing.errors);
    if (r < 0)
        filetree_free(packing.tree);
    else
        *tree = packing.tree;
    return r;
}
