#include "source/root.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/text.h"
#include "source/errors.h"
#include "source/walk.h"

/* openat2 gives up with EAGAIN on a path with ".." (every class link) whenever anything on the machine is
 * renamed or mounted meanwhile. */
enum { FIRST_READ = 4096, OPENAT2_TRIES = 100 };

struct root {
    int fd;
    bool recorded;
    bool no_openat2;
    struct error_table errors;
    size_t bad_errors; /* lines of "errors" that make no sense */
    struct bytes buffer;
    root_tee *tee;
    void *tee_data;
};

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
    return root->recorded;
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

static void tell(struct root *root, enum root_event event, const char *path, const void *bytes, size_t len,
                 int err)
{
    if (root->tee)
        root->tee(root->tee_data, event, path, bytes, len, err < 0 ? -err : err);
}

void root_tell_file(struct root *root, const char *path, const void *bytes, size_t len, int err)
{
    tell(root, ROOT_FILE, path, bytes, len, err);
}

static int open_below(struct root *root, const char *path, int flags)
{
    /* openat2 takes no flag that means nothing beside O_PATH */
    flags |= O_CLOEXEC | (flags & O_PATH ? 0 : O_NOCTTY | O_NONBLOCK);
    if (!root->no_openat2) {
        struct open_how how = { .flags = (unsigned)flags,
                                .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };
        long fd;
        int tries = OPENAT2_TRIES;
        do
            fd = syscall(SYS_openat2, root->fd, path, &how, sizeof(how));
        while (fd < 0 && errno == EAGAIN && --tries);
        if (fd >= 0)
            return (int)fd;
        if (errno != ENOSYS && errno != EPERM && errno != EAGAIN)
            return -errno;
        /* seccomp filters older than the call answer EPERM; a true EPERM comes again below */
        root->no_openat2 = errno != EAGAIN;
    }
    return walk_open(root->fd, path, flags);
}

/* What "errors" says of a path, asked as it is or where its directory really lies; 0: nothing. */
static int recorded_error(struct root *root, const char *path)
{
    if (root->errors.count == 0)
        return 0;
    int err = error_table_find(&root->errors, path);
    const char *slash = strrchr(path, '/');
    if (err || !slash || !error_table_has_name(&root->errors, slash + 1))
        return err;
    char *parent = strndup(path, (size_t)(slash - path));
    int fd = parent ? open_below(root, parent, O_PATH | O_DIRECTORY) : -ENOMEM;
    free(parent);
    if (fd < 0)
        return 0;
    char *real = walk_path_of(root->fd, fd);
    close(fd);
    if (real) {
        char *full = NULL;
        if (asprintf(&full, "%s%s%s", real, *real ? "/" : "", slash + 1) > 0) {
            err = error_table_find(&root->errors, full);
            free(full);
        }
        free(real);
    }
    return err;
}

/* A recorded error stands for a file that isn't there; it also wins over one that is (EACCES on a node). */
static int or_recorded(struct root *root, const char *path, int result)
{
    if (!root->recorded || result >= 0)
        return result;
    int err = recorded_error(root, path);
    return err ? -err : result;
}

static int load_errors(struct root *root)
{
    struct span text;
    int r = root_read_big(root, &text, "errors");
    if (r < 0)
        return r == -ENOENT ? 0 : r;
    root->errors = error_table_parse(text.data, text.len, &root->bad_errors);
    return 0;
}

int root_open(const char *path, bool recorded, struct root **out)
{
    int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    struct root *root = mem_alloc(1, sizeof(*root));
    root->fd = fd;
    root->recorded = recorded;
    bytes_append(&root->buffer, "", 0);
    int r = recorded ? load_errors(root) : 0;
    if (r < 0) {
        root_close(root);
        return r;
    }
    *out = root;
    return 0;
}

void root_close(struct root *root)
{
    if (!root)
        return;
    close(root->fd);
    error_table_free(&root->errors);
    bytes_free(&root->buffer);
    free(root);
}

/* Reads fd to its end and closes it. A sysfs attribute comes whole in the first read; only a full buffer, or
 * /proc, may have more. */
static int read_all(struct root *root, int fd, size_t most, bool may_split, struct span *out)
{
    struct bytes *buffer = &root->buffer;
    size_t used = 0;
    int result = 0;
    for (;;) {
        if (buffer->size < used + FIRST_READ + 1) {
            buffer->size = used * 2 + FIRST_READ + 1;
            buffer->data = mem_resize(buffer->data, buffer->size, 1);
        }
        size_t room = buffer->size - used - 1;
        ssize_t n = read(fd, buffer->data + used, room);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            result = -errno;
            break;
        }
        used += (size_t)n;
        if (used > most) {
            result = -EFBIG;
            break;
        }
        if (n == 0 || (!may_split && (size_t)n < room))
            break;
    }
    close(fd);
    buffer->data[result ? 0 : used] = '\0';
    if (result == 0)
        *out = (struct span){ buffer->data, used };
    return result;
}

static int read_path(struct root *root, const char *path, size_t most, struct span *out)
{
    int fd = open_below(root, path, O_RDONLY);
    int r = fd < 0 ? fd : read_all(root, fd, most, text_starts(path, "proc/"), out);
    r = or_recorded(root, path, r);
    tell(root, ROOT_FILE, path, r < 0 ? NULL : out->data, r < 0 ? 0 : out->len, r);
    return r;
}

#define FORMAT_PATH(path, format)                                   \
    char path[PATH_MAX];                                            \
    do {                                                            \
        va_list args;                                               \
        va_start(args, format);                                     \
        int path_len = vsnprintf(path, sizeof(path), format, args); \
        va_end(args);                                               \
        if (path_len < 0 || (size_t)path_len >= sizeof(path))       \
            return -ENAMETOOLONG;                                   \
    } while (0)

int root_read(struct root *root, struct span *out, const char *format, ...)
{
    FORMAT_PATH(path, format);
    return read_path(root, path, ROOT_FILE_MOST, out);
}

int root_read_big(struct root *root, struct span *out, const char *path)
{
    return read_path(root, path, ROOT_REPLY_MOST, out);
}

int root_fetch(struct root *root, struct span *out, const char *path, root_fetcher *fetch, void *data)
{
    if (root->recorded)
        return root_read_big(root, out, path);
    root->buffer.len = 0;
    bytes_append(&root->buffer, "", 0);
    int r = fetch(data, &root->buffer);
    if (r == 0)
        *out = (struct span){ root->buffer.data, root->buffer.len };
    tell(root, ROOT_FILE, path, r < 0 ? NULL : out->data, r < 0 ? 0 : out->len, r);
    return r;
}

int root_open_stream(struct root *root, const char *path)
{
    return open_below(root, path, O_RDONLY);
}

int root_peek_link(struct root *root, const char *path, char *target)
{
    int fd = open_below(root, path, O_PATH | O_NOFOLLOW);
    if (fd < 0)
        return fd;
    ssize_t n = readlinkat(fd, "", target, PATH_MAX - 1);
    int r = n < 0 ? -errno : 0;
    close(fd);
    if (r == 0)
        target[n] = '\0';
    return r == -ENOENT ? -EINVAL : r; /* readlinkat with an empty path says ENOENT for what is no link */
}

bool root_peek_directory(struct root *root, const char *path)
{
    int fd = open_below(root, path, O_PATH | O_DIRECTORY);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

int root_link(struct root *root, struct span *out, const char *format, ...)
{
    FORMAT_PATH(path, format);
    char target[PATH_MAX];
    int r = or_recorded(root, path, root_peek_link(root, path, target));
    if (r == 0) {
        root->buffer.len = 0;
        bytes_append(&root->buffer, target, strlen(target));
        *out = (struct span){ root->buffer.data, root->buffer.len };
    }
    tell(root, ROOT_LINK, path, r < 0 ? NULL : out->data, r < 0 ? 0 : out->len, r);
    return r;
}

int root_try_node(struct root *root, const char *path)
{
    int r = 0;
    if (root->recorded) {
        r = -recorded_error(root, path);
        if (r == 0 && !root_exists(root, path))
            r = -ENOENT;
    } else {
        int fd = open_below(root, path, O_RDWR);
        r = fd < 0 ? fd : 0;
        if (fd >= 0)
            close(fd);
    }
    tell(root, ROOT_NODE, path, NULL, 0, r);
    return r;
}

bool root_exists(struct root *root, const char *path)
{
    int fd = open_below(root, path, O_PATH);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static int by_version(const void *a, const void *b)
{
    return text_version_compare(*(const char *const *)a, *(const char *const *)b);
}

static bool has_name(const struct names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->items[i], name) == 0)
            return true;
    return false;
}

/* A file that was there but could not be read stands in "errors" only: it is listed all the same. */
static void add_recorded(struct root *root, int fd, const char *path, struct arena *arena,
                         struct names *names)
{
    char *real = root->errors.count ? walk_path_of(root->fd, fd) : NULL;
    for (size_t i = 0; i < root->errors.count; i++) {
        const struct error_line *line = &root->errors.lines[i];
        bool here = strcmp(line->dir, path) == 0 || (real && strcmp(line->dir, real) == 0);
        if (here && !line->is_range && !has_name(names, line->name))
            *ARENA_PUSH(arena, names->items, names->count) = arena_strdup(arena, line->name);
    }
    free(real);
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
    }
    return n < 0 ? -errno : 0;
}

/* Takes over fd. */
static int list_fd(struct root *root, int fd, const char *path, struct arena *arena, struct names *names)
{
    struct names found = { 0 };
    int r = read_names(fd, arena, &found);
    if (r == 0 && root->recorded)
        add_recorded(root, fd, path, arena, &found);
    close(fd);
    if (r < 0)
        return r;
    if (found.count)
        qsort(found.items, found.count, sizeof(*found.items), by_version);
    *names = found;
    tell(root, ROOT_LIST, path, found.items, found.count, 0);
    return 0;
}

int root_list(struct root *root, struct arena *arena, struct names *names, const char *format, ...)
{
    FORMAT_PATH(path, format);
    int fd = open_below(root, path, O_RDONLY | O_DIRECTORY);
    int r = fd < 0 ? or_recorded(root, path, fd) : list_fd(root, fd, path, arena, names);
    if (r < 0)
        tell(root, ROOT_LIST, path, NULL, 0, r);
    return r;
}

int root_dir_open(struct root *root, struct root_dir *dir, const char *format, ...)
{
    FORMAT_PATH(path, format);
    int fd = or_recorded(root, path, open_below(root, path, O_RDONLY | O_DIRECTORY));
    if (fd < 0)
        return fd;
    *dir = (struct root_dir){ .root = root, .fd = fd, .path = mem_strdup(path) };
    return 0;
}

void root_dir_close(struct root_dir *dir)
{
    if (!dir->path)
        return;
    close(dir->fd);
    free(dir->path);
    *dir = (struct root_dir){ 0 };
}

int root_dir_read(struct root_dir *dir, const char *name, struct span *out)
{
    struct root *root = dir->root;
    int fd = openat(dir->fd, name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
    int r = fd < 0 ? -errno : read_all(root, fd, ROOT_FILE_MOST, false, out);
    if (r == 0 && !root->tee)
        return 0;
    char path[PATH_MAX];
    if ((size_t)snprintf(path, sizeof(path), "%s/%s", dir->path, name) >= sizeof(path))
        return -ENAMETOOLONG;
    if (r == -ELOOP) /* a link: to be followed inside the root only */
        return read_path(root, path, ROOT_FILE_MOST, out);
    r = or_recorded(root, path, r);
    tell(root, ROOT_FILE, path, r < 0 ? NULL : out->data, r < 0 ? 0 : out->len, r);
    return r;
}

int root_dir_list(struct root_dir *dir, struct arena *arena, struct names *names)
{
    int fd = openat(dir->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 ? -errno : list_fd(dir->root, fd, dir->path, arena, names);
}

int root_make_directory(struct root *root, const char *path)
{
    if (root->recorded)
        return -EROFS;
    return mkdirat(root->fd, path, 0755) < 0 ? -errno : 0;
}

int root_remove_directory(struct root *root, const char *path)
{
    if (root->recorded)
        return -EROFS;
    return unlinkat(root->fd, path, AT_REMOVEDIR) < 0 ? -errno : 0;
}

int root_write(struct root *root, const char *path, const char *text)
{
    if (root->recorded)
        return -EROFS;
    int fd = open_below(root, path, O_WRONLY);
    if (fd < 0)
        return fd;
    size_t len = strlen(text);
    ssize_t n = write(fd, text, len);
    int r = n < 0 ? -errno : (size_t)n == len ? 0 : -EIO;
    if (close(fd) < 0 && r == 0)
        r = -errno;
    return r;
}
