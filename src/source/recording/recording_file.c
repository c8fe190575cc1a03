/* SPDX-License-Identifier: MIT */
/* Recordings and other files that are written completely or not at all. */
#include "source/recording/recording.h"

#include <dirent.h>
#include <sys/stat.h>

#include "base/file.h"
#include "source/recording/filetree.h"

int file_load(const char *path, size_t most, struct bytes *text)
{
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return -errno;
    bytes_append(text, "", 0);
    int r = file_read(fd, most, text);
    if (!is_stdin)
        close(fd);
    return r;
}

int recording_load(const char *path, struct filetree **tree, struct recording_fault *fault)
{
    struct bytes text = { 0 };
    int r = file_load(path, RECORDING_TEXT_MOST, &text);
    if (r == 0)
        r = recording_parse(text.data, text.len, tree, fault);
    bytes_free(&text);
    return r;
}

/* A finished file may not replace an existing one. Returns 1 if it isn't a regular file: write into it. */
static int check_place(const char *path)
{
    struct stat st;
    if (stat(path, &st) == 0)
        return S_ISDIR(st.st_mode) ? -EISDIR : S_ISREG(st.st_mode) ? -EEXIST : 1;
    if (errno != ENOENT)
        return -errno;
    return lstat(path, &st) == 0 ? -EEXIST : 0; /* a dangling link */
}

/* The length of what precedes the last component, including the slash. */
static size_t directory_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

int recording_check_new(const char *path)
{
    char directory[PATH_MAX];
    size_t len = directory_length(path);
    int r = check_place(path);
    if (r != 0)
        return r < 0 ? r : 0;
    if (len >= sizeof(directory))
        return -ENAMETOOLONG;
    memcpy(directory, len ? path : ".", len ? len : 1);
    directory[len ? len : 1] = '\0';
    return access(directory, W_OK | X_OK) < 0 ? -errno : 0;
}

static int write_through(const char *path, const struct bytes *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    int r = fd < 0 ? -errno : file_write(fd, text->data, text->len);
    if (fd >= 0 && close(fd) < 0 && r == 0)
        r = -errno;
    return r;
}

/* Gives a finished file its name, unless that is taken. */
static int name_it(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -errno;
    int r = check_place(to); /* the file system or kernel can't do it atomically */
    if (r != 0)
        return r < 0 ? r : -EEXIST;
    return rename(from, to) < 0 ? -errno : 0;
}

/* Writes text to a private file beside path, synced to disk. */
static int write_beside(const char *path, const struct bytes *text, struct scratch **scratch)
{
    struct bytes pattern = { 0 };
    size_t len = directory_length(path);
    bytes_printf(&pattern, "%.*s.%.200s.XXXXXX", (int)len, path, path + len);
    int r = scratch_file(pattern.data, scratch);
    bytes_free(&pattern);
    if (r < 0)
        return r;
    r = file_write(scratch_fd(*scratch), text->data, text->len);
    if (r == 0 && fsync(scratch_fd(*scratch)) < 0 && errno != EINVAL)
        r = -errno;
    if (r < 0)
        scratch_remove(*scratch);
    return r;
}

static int end_scratch(struct scratch *scratch, int r)
{
    if (r < 0)
        scratch_remove(scratch);
    else
        scratch_keep(scratch);
    return r;
}

int recording_save(const char *path, const struct bytes *text)
{
    struct scratch *scratch;
    int r = check_place(path);
    if (r != 0)
        return r < 0 ? r : write_through(path, text);
    r = write_beside(path, text, &scratch);
    return r < 0 ? r : end_scratch(scratch, name_it(scratch_path(scratch), path));
}

int file_replace(const char *path, const struct bytes *text)
{
    struct scratch *scratch;
    struct stat st;
    if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return S_ISDIR(st.st_mode) ? -EISDIR : -EEXIST;
    int r = write_beside(path, text, &scratch);
    if (r < 0)
        return r;
    if (fchmod(scratch_fd(scratch), 0644) < 0 || rename(scratch_path(scratch), path) < 0)
        r = -errno;
    return end_scratch(scratch, r);
}

static bool is_empty(int fd)
{
    int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = copy < 0 ? NULL : fdopendir(copy);
    bool empty = dir != NULL;
    const struct dirent *entry;
    while (empty && (errno = 0, entry = readdir(dir)))
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    empty = empty && errno == 0;
    if (dir)
        closedir(dir);
    else if (copy >= 0)
        close(copy);
    return empty;
}

int recording_unpack_at(const struct filetree *tree, const char *dir)
{
    struct scratch *scratch = NULL;
    bool made = mkdir(dir, 0700) == 0;
    if (!made && errno != EEXIST)
        return -errno;
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    int r = is_empty(fd) ? 0 : -EEXIST; /* before anything could remove its contents */
    if (r == 0 && !made && fchmod(fd, 0700) < 0)
        r = -errno;
    if (r == 0)
        r = scratch_adopt(fd, dir, made, &scratch);
    if (r < 0) {
        close(fd);
        return r;
    }
    return end_scratch(scratch, recording_unpack(tree, fd));
}
