/* SPDX-License-Identifier: MIT */
/* The files of the machine that roce runs on. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source/root_backend.h"

static int failure(struct root *root, const char *path, int err)
{
    (void)root, (void)path;
    return err;
}

static int try_node(struct root *root, const char *path)
{
    int fd = root_open_below(root, path, O_RDWR);
    if (fd < 0)
        return fd;
    close(fd);
    return 0;
}

static int fetch_answer(struct root *root, struct span *out, const char *form, const char *path,
                        root_fetcher *fetch, void *data)
{
    root->buffer.len = 0;
    bytes_append(&root->buffer, "", 0);
    int r = fetch(data, &root->buffer);
    if (r == 0)
        *out = (struct span){ root->buffer.data, root->buffer.len };
    root_tell(root, ROOT_FILE, form, path, r < 0 ? NULL : out->data, r < 0 ? 0 : out->len, r);
    return r;
}

static int make_directory(struct root *root, const char *path)
{
    return mkdirat(root->fd, path, 0755) < 0 ? -errno : 0;
}

static int remove_directory(struct root *root, const char *path)
{
    return unlinkat(root->fd, path, AT_REMOVEDIR) < 0 ? -errno : 0;
}

static int open_to_write(struct root *root, const char *path)
{
    return root_open_below(root, path, O_WRONLY);
}

const struct root_backend root_live = {
    .files = &root_by_descriptor,
    .failure = failure,
    .try_node = try_node,
    .fetch = fetch_answer,
    .make_directory = make_directory,
    .remove_directory = remove_directory,
    .open_to_write = open_to_write,
};
