/* SPDX-License-Identifier: MIT */
#include "source/recording/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "source/recording/write.h"

static int write_file(int directory, const char *name, const char *data, size_t len)
{
    int fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    int r = fd < 0 ? -errno : file_write(fd, data, len);
    if (fd >= 0 && close(fd) < 0 && r == 0)
        r = -errno;
    return r;
}

/* A directory that could not be read holds nothing but errnos: it stays away, so that reading it gives its
 * own. */
static bool is_told_only(const struct node *node)
{
    if (node->kind != NODE_DIRECTORY)
        return node->kind == NODE_NONE;
    bool told = node->err != 0;
    for (const struct node *child = node->children; told && child; child = child->next)
        told = child->kind == NODE_NONE || is_told_only(child);
    return told;
}

static int make_below(const struct node *node, int directory, bool share);

static int make_directory(const struct node *node, int directory, bool share)
{
    if (mkdirat(directory, node->name, 0700) < 0)
        return -errno;
    int fd = openat(directory, node->name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    int r = make_below(node, fd, share);
    close(fd);
    return r;
}

/* The files of a range have the same bytes: with share they are one file. */
static int make_file(const struct node *node, const struct node *before, int directory, bool share)
{
    if (share && before && before->data == node->data &&
        linkat(directory, before->name, directory, node->name, 0) == 0)
        return 0; /* a file system may know no links, or have enough of them */
    return write_file(directory, node->name, node->data, node->len);
}

static int make_below(const struct node *node, int directory, bool share)
{
    const struct node *before = NULL;
    int r = 0;
    for (const struct node *child = node->children; child && r == 0; child = child->next) {
        if (child->kind == NODE_DIRECTORY && !is_told_only(child))
            r = make_directory(child, directory, share);
        else if (child->kind == NODE_FILE)
            r = make_file(child, before, directory, share);
        else if (child->kind == NODE_LINK && symlinkat(child->data, directory, child->name) < 0)
            r = -errno;
        before = child->kind == NODE_FILE ? child : before;
    }
    return r;
}

int recording_unpack(const struct filetree *tree, int directory, bool share)
{
    struct bytes errors = { 0 };
    recording_write_errors(tree, &errors);
    int r = errors.len ? write_file(directory, "errors", errors.data, errors.len) : 0;
    if (r == 0 && tree->note)
        r = write_file(directory, "NOTE", tree->note, strlen(tree->note));
    if (r == 0)
        r = make_below(tree->top, directory, share);
    bytes_free(&errors);
    return r;
}
