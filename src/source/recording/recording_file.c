/* SPDX-License-Identifier: MIT */
/* Recordings and other files that are written completely or not at all. */
#include "source/recording/recording.h"

#include <sys/stat.h>

#include "base/gzip.h"

static const int endings[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

static int unpack(size_t most, struct bytes *text)
{
    struct bytes packed = *text;
    *text = (struct bytes){ 0 };
    bytes_append(text, "", 0);
    int r = gzip_unpack(&packed, most, text);
    bytes_free(&packed);
    return r;
}

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
    return r == 0 && gzip_is(text) && text->len <= most ? unpack(most, text) : r;
}

int recording_load(const char *path, struct filetree **tree, struct recording_fault *fault)
{
    struct bytes text = { 0 };
    int r = file_load(path, RECORDING_TEXT_MOST, &text);
    if (r == -EBADMSG)
        snprintf(fault->what, sizeof(fault->what), "what gzip packed is damaged, or its end is missing");
    if (r == 0) {
        mail_undo(&text);
        r = recording_parse(text.data, text.len, tree, fault);
    }
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

int recording_open_new(const char *path)
{
    int place = check_place(path);
    if (place < 0)
        return place;
    /* opening a FIFO would wait for its reader */
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | (place ? O_NONBLOCK : O_CREAT | O_EXCL), 0600);
    if (fd < 0)
        return -errno;
    fcntl(fd, F_SETFL, 0);
    return fd;
}

static int write_through(const char *path, const struct bytes *text)
{
    int fd = recording_open_new(path);
    int r = fd < 0 ? fd : file_write(fd, text->data, text->len);
    if (fd >= 0 && close(fd) < 0 && r == 0)
        r = -errno;
    return r;
}

void signals_hold(sigset_t *before)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
        sigaddset(&set, endings[i]);
    sigprocmask(SIG_BLOCK, &set, before);
}

bool signals_wait(void)
{
    sigset_t set;
    bool any = false;
    sigpending(&set);
    for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
        any |= sigismember(&set, endings[i]) == 1;
    return any;
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

/* Writes text to a private file beside path, synced to disk, which then gets that name. */
static int write_beside(const char *path, const struct bytes *text, mode_t mode, bool replace)
{
    size_t len = directory_length(path);
    char *name = mem_printf("%.*s.%.200s.XXXXXX", (int)len, path, path + len);
    sigset_t before;
    signals_hold(&before);
    int fd = mkostemp(name, O_CLOEXEC);
    int r = fd < 0 ? -errno : file_write(fd, text->data, text->len);
    if (r == 0 && ((fsync(fd) < 0 && errno != EINVAL) || fchmod(fd, mode) < 0))
        r = -errno;
    if (r == 0 && !replace)
        r = name_it(name, path);
    else if (r == 0 && rename(name, path) < 0)
        r = -errno;
    if (fd >= 0 && r < 0)
        unlink(name);
    if (fd >= 0)
        close(fd);
    sigprocmask(SIG_SETMASK, &before, NULL);
    free(name);
    return r;
}

static int save(const char *path, const struct bytes *text)
{
    int r = check_place(path);
    if (r != 0)
        return r < 0 ? r : write_through(path, text);
    return write_beside(path, text, 0600, false);
}

int recording_save(const char *path, const struct bytes *text)
{
    struct bytes packed = { 0 };
    bool packs = text_ends(path, ".gz");
    int r = packs ? gzip_pack(text, &packed) : 0;
    if (r == 0)
        r = save(path, packs ? &packed : text);
    bytes_free(&packed);
    return r;
}

int file_replace(const char *path, const struct bytes *text)
{
    struct stat st;
    if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return S_ISDIR(st.st_mode) ? -EISDIR : -EEXIST;
    return write_beside(path, text, 0644, true);
}
