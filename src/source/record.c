#include "source/record.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "source/anonymise.h"

enum { MOST_LINKS = 40 };

struct recorder {
    struct root *root;
    struct record_options options;
    char *dir;     /* where it shall stand */
    char *partial; /* where it is built */
    int fd;        /* of partial */
    struct bytes errors;
    int err; /* the first errno that writing met */
};

static void failed(struct recorder *recorder, int err)
{
    if (recorder->err == 0 && err != EEXIST)
        recorder->err = err;
}

static void make_dirs(struct recorder *recorder, const char *path)
{
    char part[PATH_MAX];
    for (const char *slash = path; slash; slash = strchr(slash, '/'), slash = slash ? slash + 1 : NULL) {
        size_t len = (size_t)(slash - path);
        if (len == 0)
            continue;
        memcpy(part, path, len - 1);
        part[len - 1] = '\0';
        if (mkdirat(recorder->fd, part, 0777) < 0)
            failed(recorder, errno);
    }
    if (*path && mkdirat(recorder->fd, path, 0777) < 0)
        failed(recorder, errno);
}

static void make_parent(struct recorder *recorder, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return;
    char *parent = mem_strdup(path);
    parent[slash - path] = '\0';
    make_dirs(recorder, parent);
    free(parent);
}

static void make_link(struct recorder *recorder, const char *path, const char *target)
{
    make_parent(recorder, path);
    if (symlinkat(target, recorder->fd, path) < 0)
        failed(recorder, errno);
}

static void make_file(struct recorder *recorder, const char *path, const void *data, size_t len)
{
    make_parent(recorder, path);
    int fd = openat(recorder->fd, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0) {
        failed(recorder, errno);
        return;
    }
    for (size_t done = 0; done < len;) {
        ssize_t n = write(fd, (const char *)data + done, len - done);
        if (n < 0) {
            failed(recorder, errno);
            break;
        }
        done += (size_t)n;
    }
    if (close(fd) < 0)
        failed(recorder, errno);
}

/* Takes the last component off; at the top it stays "". */
static void drop_last(char *path)
{
    char *slash = strrchr(path, '/');
    *(slash ? slash : path) = '\0';
}

/* Appends a component, or goes up. */
static int append(char path[static PATH_MAX], const char *name, size_t len)
{
    if (len == 0 || (len == 1 && name[0] == '.'))
        return 0;
    if (len == 2 && memcmp(name, "..", 2) == 0) {
        drop_last(path);
        return 0;
    }
    size_t used = strlen(path);
    if (used + len + 2 > PATH_MAX)
        return -ENAMETOOLONG;
    snprintf(path + used, PATH_MAX - used, "%s%.*s", used ? "/" : "", (int)len, name);
    return 0;
}

/* Where path really lies, every link on the way (the last one too when follow) made in the recording as well.
 * Links below /proc are those of this process: they are followed, but the recording keeps the path as it was
 * asked for. */
static int mirror(struct recorder *recorder, const char *path, bool follow, char real[static PATH_MAX])
{
    char rest[PATH_MAX], target[PATH_MAX], joined[PATH_MAX * 2];
    int links = 0;
    real[0] = '\0';
    snprintf(rest, sizeof(rest), "%s", path);
    if (text_starts(path, "proc/"))
        return append(real, path, strlen(path));
    while (*rest) {
        size_t len = strcspn(rest, "/");
        const char *behind = rest + len + strspn(rest + len, "/");
        int r = append(real, rest, len);
        if (r < 0)
            return r;
        bool last = *behind == '\0';
        if (*real && (!last || follow) && root_peek_link(recorder->root, real, target) == 0) {
            if (++links > MOST_LINKS)
                return -ELOOP;
            make_link(recorder, real, target);
            drop_last(real);
            if (target[0] == '/')
                real[0] = '\0';
            int n = snprintf(joined, sizeof(joined), "%s%s%s", target, last ? "" : "/", behind);
            if (n < 0 || (size_t)n >= sizeof(rest))
                return -ENAMETOOLONG;
            memcpy(rest, joined, (size_t)n + 1);
        } else {
            memmove(rest, behind, strlen(behind) + 1);
        }
    }
    return 0;
}

static void keep_error(struct recorder *recorder, const char *path, int err)
{
    const char *name = strerrorname_np(err);
    if (err != ENOENT && err != ENOTDIR && name)
        bytes_printf(&recorder->errors, "%s\t%s\n", path, name);
}

/* A link, and what it leads to when that is a directory: so that none dangles, and its name can be told. */
static void keep_link(struct recorder *recorder, const char *path)
{
    char real[PATH_MAX];
    if (mirror(recorder, path, true, real) == 0 && root_peek_directory(recorder->root, real))
        make_dirs(recorder, real);
}

static void keep_list(struct recorder *recorder, const char *path, const char *const *names, size_t count)
{
    char real[PATH_MAX], entry[PATH_MAX * 2], target[PATH_MAX];
    int r = mirror(recorder, path, true, real);
    if (r < 0) {
        failed(recorder, -r);
        return;
    }
    make_dirs(recorder, real);
    for (size_t i = 0; i < count; i++) {
        int n = snprintf(entry, sizeof(entry), "%s/%s", real, names[i]);
        if (n < 0 || n >= PATH_MAX)
            continue;
        if (root_peek_link(recorder->root, entry, target) == 0)
            keep_link(recorder, entry);
        else if (root_peek_directory(recorder->root, entry))
            make_dirs(recorder, entry);
    }
}

void recorder_tee(void *data, enum root_event event, const char *path, const void *bytes, size_t len, int err)
{
    struct recorder *recorder = data;
    char real[PATH_MAX];
    if (err) {
        int r = mirror(recorder, path, event != ROOT_LINK, real);
        if (r < 0)
            return;
        if (event != ROOT_LINK || err != EINVAL)
            keep_error(recorder, real, err);
        return;
    }
    switch (event) {
    case ROOT_LIST:
        keep_list(recorder, path, bytes, len);
        return;
    case ROOT_LINK:
        keep_link(recorder, path);
        return;
    case ROOT_FILE:
    case ROOT_NODE: {
        int r = mirror(recorder, path, true, real);
        if (r < 0)
            failed(recorder, -r);
        else
            make_file(recorder, real, bytes, len);
        return;
    }
    }
}

static int make_partial(struct recorder *recorder)
{
    char *name = strrchr(recorder->dir, '/');
    name = name ? name + 1 : recorder->dir;
    struct bytes path = { 0 };
    bytes_printf(&path, "%.*s.%s.partial-XXXXXX", (int)(name - recorder->dir), recorder->dir, name);
    recorder->partial = path.data;
    if (!mkdtemp(recorder->partial))
        return -errno;
    if (chmod(recorder->partial, 0755) < 0)
        return -errno;
    recorder->fd = open(recorder->partial, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return recorder->fd < 0 ? -errno : 0;
}

/* 0 when dir isn't there or holds nothing. */
static int check_empty(const char *path)
{
    DIR *dir = opendir(path);
    if (!dir)
        return errno == ENOENT ? 0 : -errno;
    int r = 0;
    for (struct dirent *entry; (entry = readdir(dir));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            r = -EEXIST;
    closedir(dir);
    return r;
}

int recorder_new(struct root *root, const char *dir, const struct record_options *options,
                 struct recorder **out)
{
    int r = check_empty(dir);
    if (r < 0)
        return r;
    struct recorder *recorder = mem_alloc(1, sizeof(*recorder));
    recorder->root = root;
    recorder->options = *options;
    recorder->fd = -1;
    recorder->dir = mem_strdup(dir);
    for (size_t len = strlen(dir); len > 1 && recorder->dir[len - 1] == '/'; len--)
        recorder->dir[len - 1] = '\0';
    bytes_append(&recorder->errors, "", 0);
    r = make_partial(recorder);
    if (r < 0) {
        recorder_abandon(recorder);
        return r;
    }
    *out = recorder;
    return 0;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

static int is_empty_dir(const char *path)
{
    return check_empty(path) == 0;
}

/* git keeps no empty directory, and an empty gids/ says something. */
static int mark_empty(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)ftw;
    if (type != FTW_D || !is_empty_dir(path))
        return 0;
    char *keep = NULL;
    if (asprintf(&keep, "%s/.gitkeep", path) < 0)
        return -1;
    int fd = open(keep, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    free(keep);
    return fd < 0 ? -1 : close(fd);
}

static void recorder_free(struct recorder *recorder)
{
    if (recorder->fd >= 0)
        close(recorder->fd);
    bytes_free(&recorder->errors);
    free(recorder->partial);
    free(recorder->dir);
    free(recorder);
}

void recorder_abandon(struct recorder *recorder)
{
    if (!recorder)
        return;
    if (recorder->fd >= 0)
        nftw(recorder->partial, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    recorder_free(recorder);
}

int recorder_finish(struct recorder *recorder, const struct host *host)
{
    make_dirs(recorder, "sys"); /* even of a machine without RDMA: it makes the directory a recording */
    if (recorder->errors.len)
        make_file(recorder, "errors", recorder->errors.data, recorder->errors.len);
    int r = recorder->err == 0 && recorder->options.anonymise ? anonymise_tree(recorder->partial, host) : 0;
    if (r < 0)
        failed(recorder, -r);
    if (recorder->err == 0 && nftw(recorder->partial, mark_empty, 16, FTW_PHYS) != 0)
        failed(recorder, errno ? errno : EIO);
    if (recorder->err == 0 && rename(recorder->partial, recorder->dir) < 0)
        failed(recorder, errno == ENOTEMPTY ? EIO : errno);
    int err = recorder->err;
    if (err)
        recorder_abandon(recorder);
    else
        recorder_free(recorder);
    return -err;
}
