/* SPDX-License-Identifier: MIT */
#include "source/root_backend.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/text.h"
#include "source/walk.h"

/* openat2 gives up with EAGAIN on a path with ".." (every class link) whenever anything on the machine is
 * renamed or mounted meanwhile. */
enum { FIRST_READ = 4096, OPENAT2_TRIES = 100, UNCLOSED_MOST = 32 };

void root_tell(struct root *root, enum root_event event, const char *path, const void *bytes, size_t len,
               int err)
{
    if (root->tee)
        root->tee(root->tee_data, event, path, bytes, len, err < 0 ? -err : err);
}

int root_spend(struct root *root, uint64_t bytes)
{
    if (!root->backend->bounded)
        return 0;
    root->files++;
    root->bytes += bytes;
    root->exhausted |= root->files > ROOT_FILES_MOST || root->bytes > ROOT_BYTES_MOST;
    return root->exhausted ? -EFBIG : 0;
}

static void close_all(int first, int count)
{
#ifdef SYS_close_range
    if (count > 1 && syscall(SYS_close_range, first, first + count - 1, 0) == 0)
        return;
#endif
    for (int i = 0; i < count; i++) /* Linux before 5.9, or a seccomp filter older than the call */
        close(first + i);
}

void root_close_now(struct root *root, int directory)
{
    bool in_front = directory >= 0 && root->nunclosed && directory + 1 == root->unclosed;
    if (directory >= 0 && !in_front)
        close(directory);
    close_all(root->unclosed - in_front, root->nunclosed + in_front);
    root->nunclosed = 0;
}

void root_close_later(struct root *root, int fd)
{
    if (root->nunclosed && fd != root->unclosed + root->nunclosed)
        root_close_now(root, -1);
    if (!root->nunclosed)
        root->unclosed = fd;
    if (++root->nunclosed == UNCLOSED_MOST)
        root_close_now(root, -1);
}

/* Opening a device or a FIFO can do anything, from waiting to rewinding a tape: it is looked at first. */
int root_open_plain(int path_fd, int flags, root_open_again *again, const void *where)
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
        r = -EBADMSG; /* another took its place */
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
                       : root_open_plain(path_fd, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, open_place,
                                         &(struct place){ root, path });
}

static int open_below(struct root *root, const char *path, int flags)
{
    /* openat2 takes no flag that means nothing beside O_PATH */
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
        /* seccomp filters older than the call answer EPERM; a true EPERM comes again below */
        root->no_openat2 = errno != EAGAIN;
    }
    return walk_open(root->fd, path, flags);
}

/* A sysfs attribute comes whole in the first read; only a full buffer, or /proc, may have more. */
int root_read_fd(struct root *root, int fd, size_t most, bool may_split, struct span *out)
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

int root_read_path(struct root *root, const char *path, size_t most, struct span *out)
{
    int fd = root_open_below(root, path, O_RDONLY);
    if (root->backend->bounded && text_starts(path, "sys/") && most > ROOT_SYS_MOST)
        most = ROOT_SYS_MOST;
    int r = fd < 0 ? fd : root_read_fd(root, fd, most, text_starts(path, "proc/"), out);
    root_close_now(root, -1);
    if (r < 0)
        r = root->backend->failure(root, path, r);
    root_tell(root, ROOT_FILE, path, r < 0 ? NULL : out->data, r < 0 ? 0 : out->len, r);
    return r;
}
