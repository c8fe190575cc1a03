#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/text.h"
#include "source/root_backend.h"
#include "source/walk.h"

/* openat2 gives up with EAGAIN on a path with ".." (every class link) whenever anything on the machine is
 * renamed or mounted meanwhile. */
enum { FIRST_READ = 4096, OPENAT2_TRIES = 100 };

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
    return root->backend == &root_recorded;
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

void root_tell(struct root *root, enum root_event event, const char *path, const void *bytes, size_t len,
               int err)
{
    if (root->tee)
        root->tee(root->tee_data, event, path, bytes, len, err < 0 ? -err : err);
}

void root_tell_file(struct root *root, const char *path, const void *bytes, size_t len, int err)
{
    root_tell(root, ROOT_FILE, path, bytes, len, err);
}

int root_open_below(struct root *root, const char *path, int flags)
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
    root->backend = recorded ? &root_recorded : &root_live;
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
    close(fd);
    buffer->data[result ? 0 : used] = '\0';
    if (result == 0)
        *out = (struct span){ buffer->data, used };
    return result;
}

int root_read_path(struct root *root, const char *path, size_t most, struct span *out)
{
    int fd = root_open_below(root, path, O_RDONLY);
    int r = fd < 0 ? fd : root_read_fd(root, fd, most, text_starts(path, "proc/"), out);
    if (r < 0)
        r = root->backend->failure(root, path, r);
    root_tell(root, ROOT_FILE, path, r < 0 ? NULL : out->data, r < 0 ? 0 : out->len, r);
    return r;
}

int root_path(char path[static PATH_MAX], const char *format, va_list args)
{
    static const char cut[] = "…";
    int len = vsnprintf(path, PATH_MAX, format, args);
    if (len >= 0 && len < PATH_MAX)
        return 0;
    memcpy(path + PATH_MAX - sizeof(cut), cut, sizeof(cut));
    return -ENAMETOOLONG;
}

int root_read(struct root *root, struct span *out, const char *format, ...)
{
    char path[PATH_MAX];
    int r;
    ROOT_PATH(r, path, format);
    return r < 0 ? r : root_read_path(root, path, ROOT_FILE_MOST, out);
}

int root_read_big(struct root *root, struct span *out, const char *path)
{
    return root_read_path(root, path, ROOT_REPLY_MOST, out);
}

int root_fetch(struct root *root, struct span *out, const char *path, root_fetcher *fetch, void *data)
{
    return root->backend->fetch(root, out, path, fetch, data);
}

int root_open_stream(struct root *root, const char *path)
{
    return root_open_below(root, path, O_RDONLY);
}

int root_peek_link(struct root *root, const char *path, char *target)
{
    int fd = root_open_below(root, path, O_PATH | O_NOFOLLOW);
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
    int fd = root_open_below(root, path, O_PATH | O_DIRECTORY);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

int root_link(struct root *root, struct span *out, const char *format, ...)
{
    char path[PATH_MAX], target[PATH_MAX];
    int r;
    ROOT_PATH(r, path, format);
    if (r < 0)
        return r;
    r = root_peek_link(root, path, target);
    if (r == 0) {
        root->buffer.len = 0;
        bytes_append(&root->buffer, target, strlen(target));
        *out = (struct span){ root->buffer.data, root->buffer.len };
    } else {
        r = root->backend->failure(root, path, r);
    }
    root_tell(root, ROOT_LINK, path, r < 0 ? NULL : out->data, r < 0 ? 0 : out->len, r);
    return r;
}

int root_try_node(struct root *root, const char *path)
{
    int r = root->backend->try_node(root, path);
    root_tell(root, ROOT_NODE, path, NULL, 0, r);
    return r;
}

bool root_exists(struct root *root, const char *path)
{
    int fd = root_open_below(root, path, O_PATH);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
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
