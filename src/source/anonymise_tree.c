/* Anonymises a recording where it lies: files, link targets and names. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source/anonymise.h"
#include "source/root.h"

struct rewriting {
    struct anonymiser *anonymiser;
    struct root *root; /* reads the recording */
    int fd;            /* of its directory */
};

static int write_file(int dir, const char *path, const struct bytes *text)
{
    int fd = openat(dir, path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW);
    int r = fd < 0 ? -errno : 0;
    for (size_t done = 0; r == 0 && done < text->len;) {
        ssize_t n = write(fd, text->data + done, text->len - done);
        r = n < 0 ? -errno : 0;
        done += n < 0 ? 0 : (size_t)n;
    }
    if (fd >= 0 && close(fd) < 0 && r == 0)
        r = -errno;
    return r;
}

/* Rewrites a file in place. */
static int anonymise_file(struct rewriting *rewriting, const char *path, bool is_reply)
{
    struct span span;
    struct bytes text = { 0 };
    int r = root_read_big(rewriting->root, &span, path);
    if (r == 0 && is_reply) {
        bytes_append(&text, span.data, span.len);
        anonymise_reply(rewriting->anonymiser, text.data, text.len);
    } else if (r == 0) {
        anonymise_text(rewriting->anonymiser, span.data, span.len, &text);
    }
    if (r == 0)
        r = write_file(rewriting->fd, path, &text);
    bytes_free(&text);
    return r;
}

static int rename_anonymised(struct rewriting *rewriting, const char *dir, const char *name)
{
    struct bytes from = { 0 }, to = { 0 };
    bytes_printf(&from, "%s%s%s", dir, *dir ? "/" : "", name);
    bytes_printf(&to, "%s%s", dir, *dir ? "/" : "");
    anonymise_text(rewriting->anonymiser, name, strlen(name), &to);
    int r = strcmp(from.data, to.data) == 0 || renameat(rewriting->fd, from.data, rewriting->fd, to.data) == 0
                ? 0
                : -errno;
    bytes_free(&from);
    bytes_free(&to);
    return r;
}

static int anonymise_link(struct rewriting *rewriting, const char *path)
{
    char target[PATH_MAX];
    ssize_t n = readlinkat(rewriting->fd, path, target, sizeof(target));
    if (n < 0)
        return -errno;
    struct bytes text = { 0 };
    anonymise_text(rewriting->anonymiser, target, (size_t)n, &text);
    int r = unlinkat(rewriting->fd, path, 0) < 0 || symlinkat(text.data, rewriting->fd, path) < 0 ? -errno : 0;
    bytes_free(&text);
    return r;
}

/* Everything below dir, the names last so that the walk isn't disturbed. */
static int anonymise_below(struct rewriting *rewriting, const char *dir)
{
    int fd = openat(rewriting->fd, *dir ? dir : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct dirent **entries = NULL;
    int count = fd < 0 ? -1 : scandirat(fd, ".", &entries, NULL, alphasort);
    int r = count < 0 ? -errno : 0;
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        char path[PATH_MAX];
        bool skip = strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
        if (r == 0 && !skip &&
            (size_t)snprintf(path, sizeof(path), "%s%s%s", dir, *dir ? "/" : "", name) >= sizeof(path))
            r = -ENAMETOOLONG;
        struct stat st;
        if (r == 0 && !skip && fstatat(rewriting->fd, path, &st, AT_SYMLINK_NOFOLLOW) < 0)
            r = -errno;
        if (r == 0 && !skip && S_ISDIR(st.st_mode))
            r = anonymise_below(rewriting, path);
        else if (r == 0 && !skip && S_ISLNK(st.st_mode))
            r = anonymise_link(rewriting, path);
        else if (r == 0 && !skip)
            r = anonymise_file(rewriting, path, strcmp(dir, "netlink") == 0);
        if (r == 0 && !skip)
            r = rename_anonymised(rewriting, dir, name);
        free(entries[i]);
    }
    free(entries);
    if (fd >= 0)
        close(fd);
    return r;
}

int anonymise_tree(const char *dir, const struct host *host)
{
    struct rewriting rewriting = { .fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
    if (rewriting.fd < 0)
        return -errno;
    rewriting.anonymiser = anonymiser_new(host);
    int r = root_open(dir, false, &rewriting.root);
    if (r == 0)
        r = anonymise_below(&rewriting, "");
    root_close(rewriting.root);
    anonymiser_free(rewriting.anonymiser);
    close(rewriting.fd);
    return r;
}
