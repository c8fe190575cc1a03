/* SPDX-License-Identifier: MIT */
/* Files by descriptor, below the root's directory. */
#include <dirent.h>
#include <linux/openat2.h>
#include <stdalign.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "source/root/backend.h"

/* openat2 gives up with EAGAIN on a path with ".." (every class link) if anything on the machine is renamed or
 * mounted during the call. */
enum { FIRST_READ = 4096, OPENAT2_TRIES = 100 };

static void close_all(int first, int count)
{
#ifdef SYS_close_range
    if (count > 1 && syscall(SYS_close_range, first, first + count - 1, 0) == 0)
        return;
#endif
    for (int i = 0; i < count; i++) /* Linux before 5.9, or a seccomp filter older than the call */
        close(first + i);
}

/* Each new descriptor gets the lowest free number, so they ascend; others that the process has open (a shell's
 * script is 10) are in between. */
void root_close_now(struct root *root, int directory)
{
    int first = directory, count = directory >= 0;
    for (int i = 0; i < root->nunclosed; i++) {
        int fd = root->unclosed[i];
        if (count && fd == first + count) {
            count++;
            continue;
        }
        close_all(first, count);
        first = fd;
        count = 1;
    }
    close_all(first, count);
    root->nunclosed = 0;
}

void root_close_later(struct root *root, int fd)
{
    root->unclosed[root->nunclosed++] = fd;
    if (root->nunclosed == ROOT_UNCLOSED_MOST)
        root_close_now(root, -1);
}

/* Opens the file or directory that path_fd refers to (O_PATH) and closes path_fd; -EBADMSG if it is something
 * else. again, for use without /proc, opens the same path once more; returns a descriptor or -errno. */
typedef int open_again(const void *where, int flags);

/* Opening a device or a FIFO can do anything, from blocking to rewinding a tape, so check first. */
static int open_plain(int path_fd, int flags, open_again *again, const void *where)
{
    struct stat before, after;
    char link[64];
    int fd = -1, r = fstat(path_fd, &before) < 0 ? -errno : 0;
    if (r == 0 && S_ISLNK(before.st_mode))
        r = -ELOOP;
    else if (r == 0 && !S_ISREG(before.st_mode) && !S_ISDIR(before.st_mode))
        r = -EBADMSG;
    if (r == 0) {
        snprintf(link, sizeof(link), "/proc/self/fd/%d", path_fd);
        fd = open(link, flags & ~O_NOFOLLOW);
        r = fd < 0 ? -errno : 0;
        if (r == -ENOENT) /* there is no /proc */
            r = fd = again(where, flags);
        r = r < 0 ? r : 0;
    }
    close(path_fd);
    if (r == 0 && (fstat(fd, &after) < 0 || before.st_dev != after.st_dev || before.st_ino != after.st_ino))
        r = -EBADMSG; /* something else took its place */
    if (r < 0 && fd >= 0)
        close(fd);
    return r < 0 ? r : fd;
}

static int open_below(struct root *root, const char *path, int flags);

struct place {
    struct root *root;
    const char *path;
};

static int open_place(const void *where, int flags)
{
    const struct place *place = where;
    return open_below(place->root, place->path, flags);
}

int root_open_below(struct root *root, const char *path, int flags)
{
    int r = root_spend(root, 0);
    root_close_now(root, -1);
    if (r < 0)
        return r;
    if (!root->strange || flags & O_PATH)
        return open_below(root, path, flags);
    int path_fd = open_below(root, path, O_PATH);
    return path_fd < 0 ? path_fd
                       : open_plain(path_fd, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, open_place,
                                    &(struct place){ root, path });
}

static int open_below(struct root *root, const char *path, int flags)
{
    /* openat2 rejects flags that are meaningless with O_PATH */
    flags |= O_CLOEXEC | (flags & O_PATH ? 0 : O_NOCTTY | O_NONBLOCK);
    if (!root->no_openat2) {
        struct open_how how = { .flags = (unsigned)flags, .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };
        long fd;
        int tries = OPENAT2_TRIES;
        do
            fd = syscall(SYS_openat2, root->fd, path, &how, sizeof(how));
        while (fd < 0 && errno == EAGAIN && --tries);
        if (fd >= 0)
            return (int)fd;
        if (errno != ENOSYS && errno != EPERM && errno != EAGAIN)
            return -errno;
        /* seccomp filters older than the call return EPERM; a real EPERM recurs below */
        root->no_openat2 = errno != EAGAIN;
    }
    return walk_open(root->fd, path, flags);
}

/* A sysfs attribute is complete after the first read; only a full buffer, or /proc, may have more. Passes fd to
 * root_close_later(). */
static int read_fd(struct root *root, int fd, size_t most, bool may_split, struct span *out)
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
    root_close_later(root, fd);
    result = result ? result : root_spend(root, used);
    buffer->data[result ? 0 : used] = '\0';
    if (result == 0)
        *out = (struct span){ buffer->data, used };
    return result;
}

static int read_path(struct root *root, const char *path, size_t most, struct span *out)
{
    int fd = root_open_below(root, path, O_RDONLY);
    int r = fd < 0 ? fd : read_fd(root, fd, most, text_starts(path, "proc/"), out);
    root_close_now(root, -1);
    return r;
}

static int link_of(struct root *root, const char *path, char *target)
{
    int fd = root->backend->recorded ? root_open_below(root, path, O_PATH | O_NOFOLLOW) : -1;
    if (fd < 0 && root->backend->recorded)
        return fd;
    ssize_t n = fd < 0 ? readlinkat(root->fd, path, target, PATH_MAX - 1)
                       : readlinkat(fd, "", target, PATH_MAX - 1);
    int r = n < 0 ? -errno : 0;
    if (r == 0)
        target[n] = '\0';
    if (fd < 0)
        return r;
    close(fd);
    return r == -ENOENT ? -EINVAL : r; /* readlinkat with an empty path returns ENOENT for what isn't a link */
}

static bool is_there(struct root *root, const char *path, bool as_directory)
{
    int fd = root_open_below(root, path, O_PATH | (as_directory ? O_DIRECTORY : 0));
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static int open_directory(struct root *root, const char *path, struct root_dir *dir)
{
    dir->fd = root_open_below(root, path, O_RDONLY | O_DIRECTORY);
    return dir->fd < 0 ? dir->fd : 0;
}

static void close_directory(struct root_dir *dir)
{
    root_close_now(dir->root, dir->fd);
}

/* opendir() would make three more calls for each directory. */
static int names_of(struct root_dir *dir, struct arena *arena, struct names *names)
{
    if (dir->listed && lseek(dir->fd, 0, SEEK_SET) < 0)
        return -errno;
    dir->listed = true;
    alignas(struct dirent64) char entries[8192];
    ssize_t n;
    while ((n = getdents64(dir->fd, entries, sizeof(entries))) > 0) {
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
    if (fd < 0 && errno == EMFILE && dir->root->nunclosed) { /* too many are waiting to be closed */
        root_close_now(dir->root, -1);
        fd = openat(dir->fd, name, flags);
    }
    if (fd < 0)
        return -errno;
    return dir->root->strange ? open_plain(fd, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, open_entry,
                                           &(struct entry){ dir->fd, name })
                              : fd;
}

static int read_in(const struct root_dir *dir, const char *name, size_t most, struct span *out)
{
    int r = root_spend(dir->root, 0);
    int fd = r < 0 ? r : open_file(dir, name);
    return fd < 0 ? fd : read_fd(dir->root, fd, most, false, out);
}

static int link_in(const struct root_dir *dir, const char *name, char *target)
{
    ssize_t n = readlinkat(dir->fd, name, target, PATH_MAX);
    if (n < 0 || n == PATH_MAX)
        return n < 0 ? -errno : -ENAMETOOLONG;
    target[n] = '\0';
    return root_spend(dir->root, 0);
}

/* Going down by one name is one step, not a whole path; but a link is followed only inside the root. */
static int open_in(const struct root_dir *parent, const char *name, struct root_dir *dir)
{
    int r = parent->root->strange ? -ELOOP : root_spend(parent->root, 0);
    root_close_now(parent->root, -1);
    if (r < 0)
        return r;
    dir->fd = openat(parent->fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return dir->fd < 0 ? -errno : 0;
}

const struct root_files root_by_descriptor = {
    .read = read_path,
    .link = link_of,
    .is_there = is_there,
    .open = open_directory,
    .close = close_directory,
    .names = names_of,
    .read_in = read_in,
    .link_in = link_in,
    .open_in = open_in,
};
