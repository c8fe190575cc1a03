/* SPDX-License-Identifier: MIT */
/* Files below /etc that roce installs, each completely or not at all, and removes again. */
#include "source/root/install.h"

#include <sys/stat.h>

#include "source/reader.h"
#include "source/root/backend.h"

enum { FILE_MOST = 64 * 1024 };

struct place {
    int dir; /* -1: not open */
    char directory[PATH_MAX];
    const char *name; /* within file.path */
    char beside[NAME_MAX + 1];
    bool made_directory, staged;
    struct boot_file file;
};

struct install {
    struct root *root;
    size_t count;
    struct place places[BOOT_FILES_MOST];
};

static int open_place(struct root *root, const char *path, struct place *place)
{
    const char *slash = strrchr(path, '/');
    if (!slash || (size_t)(slash - path) >= sizeof(place->directory) || strlen(slash + 1) > NAME_MAX - 8)
        return -ENAMETOOLONG;
    snprintf(place->directory, sizeof(place->directory), "%.*s", (int)(slash - path), path);
    place->name = slash + 1;
    snprintf(place->beside, sizeof(place->beside), ".%s.roce", place->name);
    place->dir = root_open_below(root, place->directory, O_RDONLY | O_DIRECTORY);
    return place->dir < 0 ? place->dir : 0;
}

static void close_place(struct place *place)
{
    if (place->dir >= 0)
        close(place->dir);
    place->dir = -1;
}

static int read_marked(int dir, const char *name, char **text)
{
    int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return errno == ELOOP ? -EEXIST : -errno;
    struct stat st;
    char *buffer = mem_alloc(FILE_MOST, 1);
    ssize_t n = fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ? -1 : read(fd, buffer, FILE_MOST - 1);
    close(fd);
    if (n < 0 || !text_starts(buffer, BOOT_MARK)) {
        free(buffer);
        return -EEXIST;
    }
    *text = buffer;
    return 0;
}

static int read_target(int dir, const char *name, char target[static PATH_MAX])
{
    ssize_t n = readlinkat(dir, name, target, PATH_MAX - 1);
    if (n < 0)
        return errno == EINVAL ? -EEXIST : -errno;
    target[n] = '\0';
    return 0;
}

/* What is in a file's place: 1: the same; 0: nothing, or an older one of roce's; -EEXIST: someone else's. */
static int compare(const struct place *place)
{
    int r;
    bool same = false;
    if (place->file.text) {
        char *text = NULL;
        r = read_marked(place->dir, place->name, &text);
        same = r == 0 && text_is(text, place->file.text);
        free(text);
    } else {
        char target[PATH_MAX];
        r = read_target(place->dir, place->name, target);
        same = r == 0 && strcmp(target, place->file.target) == 0;
        if (r == 0 && !same)
            r = -EEXIST;
    }
    return r == -ENOENT ? 0 : r < 0 ? r : same;
}

static int write_file(int dir, const char *name, const char *text)
{
    int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fd < 0)
        return -errno;
    int r = file_write(fd, text, strlen(text));
    if (r == 0 && (fchmod(fd, 0644) < 0 || fsync(fd) < 0))
        r = -errno;
    if (close(fd) < 0 && r == 0)
        r = -errno;
    return r;
}

static int stage(struct root *root, struct place *place)
{
    int r = open_place(root, place->file.path, place);
    if (r == -ENOENT) {
        r = root_make_directory(root, place->directory);
        place->made_directory = r == 0;
        r = r < 0 && r != -EEXIST ? r : open_place(root, place->file.path, place);
    }
    if (r < 0)
        return r;
    r = compare(place);
    if (r != 0)
        return r < 0 ? r : 0;
    unlinkat(place->dir, place->beside, 0); /* left by a run that was killed */
    if (place->file.text)
        r = write_file(place->dir, place->beside, place->file.text);
    else
        r = symlinkat(place->file.target, place->dir, place->beside) < 0 ? -errno : 0;
    place->staged = r == 0;
    if (r < 0)
        unlinkat(place->dir, place->beside, 0);
    return r;
}

int install_prepare(struct source *source, const struct boot_file *files, size_t count, struct install **out,
                    const char **which)
{
    struct install *install = mem_alloc(1, sizeof(*install));
    install->root = source->root;
    int r = root_is_recorded(source->root) ? -EROFS : count > BOOT_FILES_MOST ? -E2BIG : 0;
    *which = count ? files[0].path : "";
    for (size_t i = 0; i < count && r == 0; i++) {
        struct place *place = &install->places[install->count++];
        place->dir = -1;
        place->file = files[i];
        *which = files[i].path;
        r = stage(install->root, place);
    }
    if (r < 0) {
        install_drop(install);
        return r;
    }
    *out = install;
    return 0;
}

int install_commit(struct install *install, const char **which, size_t *changed)
{
    int r = 0;
    *changed = 0;
    for (size_t i = 0; i < install->count && r == 0; i++) {
        struct place *place = &install->places[i];
        if (!place->staged)
            continue;
        *which = place->file.path;
        if (renameat(place->dir, place->beside, place->dir, place->name) < 0)
            r = -errno;
        else if (fsync(place->dir) < 0 && errno != EINVAL)
            r = -errno;
        if (r == 0) {
            place->staged = place->made_directory = false;
            ++*changed;
        }
    }
    install_drop(install);
    return r;
}

void install_drop(struct install *install)
{
    if (!install)
        return;
    for (size_t i = install->count; i-- > 0;) {
        struct place *place = &install->places[i];
        if (place->staged)
            unlinkat(place->dir, place->beside, 0);
        close_place(place);
        if (place->made_directory)
            root_remove_directory(install->root, place->directory);
    }
    free(install);
}

int install_read(struct source *source, const char *path, char **text)
{
    struct place place = { .dir = -1 };
    int r = root_is_recorded(source->root) ? -EROFS : open_place(source->root, path, &place);
    if (r == 0)
        r = read_marked(place.dir, place.name, text);
    close_place(&place);
    return r;
}

int install_remove(struct source *source, const char *path, const char *target)
{
    struct place place = { .dir = -1, .file = { .target = target } };
    int r = root_is_recorded(source->root) ? -EROFS : open_place(source->root, path, &place);
    if (r < 0)
        return r;
    char *text = NULL, found[PATH_MAX];
    r = target ? read_target(place.dir, place.name, found) : read_marked(place.dir, place.name, &text);
    if (r == 0 && target && strcmp(found, target) != 0)
        r = -EEXIST;
    if (r == 0 && unlinkat(place.dir, place.name, 0) < 0)
        r = -errno;
    free(text);
    close_place(&place);
    if (r == 0 && target)
        root_remove_directory(source->root, place.directory); /* fails if it isn't empty */
    return r;
}

/* Can only root change it and the directories above it? */
static bool is_roots_own(const char *path)
{
    char part[PATH_MAX];
    snprintf(part, sizeof(part), "%s", path);
    for (;;) {
        struct stat st;
        if (stat(*part ? part : "/", &st) < 0 || st.st_uid != 0 || (st.st_mode & (S_IWGRP | S_IWOTH)))
            return false;
        char *slash = strrchr(part, '/');
        if (!slash || !*part)
            return true;
        *slash = '\0';
    }
}

int install_program(char *path)
{
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[n < 0 ? 0 : n] = '\0';
    if (*path != '/' ||
        path[strspn(path, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+-")])
        return -EINVAL;
    return is_roots_own(path) ? 0 : -EPERM;
}
