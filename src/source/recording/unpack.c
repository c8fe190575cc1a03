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

static int make_below(const struct node *node, int directory);

static int make_directory(const struct node *node, int directory)
{
    if (mkdirat(directory, node->name, 0700) < 0)
        return -errno;
    int fd = openat(directory, node->name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    int r = make_below(node, fd);
    close(fd);
    return r;
}

static int make_below(const struct node *node, int directory)
{
    int r = 0;
    for (const struct node *child = node->children; child && r == 0; child = child->next)
        if (child->kind == NODE_DIRECTORY && !node_is_told_only(child))
            r = make_directory(child, directory);
        else if (child->kind == NODE_FILE)
            r = write_file(directory, child->name, child->data, child->len);
        else if (child->kind == NODE_LINK && symlinkat(child->data, directory, child->name) < 0)
            r = -errno;
    return r;
}

int recording_unpack(const struct filetree *tree, int directory)
{
    struct bytes errors = { 0 };
    recording_write_errors(tree, &errors);
    int r = errors.len ? write_file(directory, "errors", errors.data, errors.len) : 0;
    if (r == 0 && tree->note)
        r = write_file(directory, "NOTE", tree->note, strlen(tree->note));
    if (r == 0)
        r = make_below(tree->top, directory);
    bytes_free(&errors);
    return r;
}
