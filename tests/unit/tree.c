/* SPDX-License-Identifier: MIT */
#include "tree.h"

#include <criterion/criterion.h>
#include <ftw.h>
#include <sys/stat.h>

static char top[64];

const char *tree_make(void)
{
    snprintf(top, sizeof(top), "%s/roce-test-XXXXXX", P_tmpdir);
    cr_assert_not_null(mkdtemp(top));
    return top;
}

const char *tree_top(void)
{
    return top;
}

const char *tree_path(const char *path)
{
    static char texts[8][PATH_MAX];
    static unsigned next;
    char *text = texts[next++ % 8];
    snprintf(text, PATH_MAX, "%s/%s", top, path);
    return text;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

void tree_remove(void)
{
    nftw(top, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* The path below the tree, its directories made. */
static const char *full(const char *path)
{
    static char text[PATH_MAX];
    snprintf(text, sizeof(text), "%s/%s", top, path);
    for (char *slash = text + strlen(top) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        (void)mkdir(text, 0777);
    }
    return text;
}

void tree_bytes(const char *path, const void *data, size_t len)
{
    int fd = open(full(path), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    cr_assert_geq(fd, 0, "%s", path);
    cr_assert_eq(write(fd, data, len), (ssize_t)len);
    close(fd);
}

void tree_file(const char *path, const char *text)
{
    tree_bytes(path, text, strlen(text));
}

void tree_link(const char *path, const char *target)
{
    cr_assert_eq(symlink(target, full(path)), 0, "%s", path);
}

const char *tree_fixture(const char *name)
{
    static char path[128];
    snprintf(path, sizeof(path), "fixtures/%s.machine", name);
    return access(path, F_OK) < 0 ? NULL : path;
}
