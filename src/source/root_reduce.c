/* SPDX-License-Identifier: MIT */
/* Large files of which little is wanted: they are read in pieces, and neither memory nor a recording has more
 * of them than that. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source/root.h"
#include "source/root_backend.h"

enum { PIECE = 64 << 10 };

static int read_pieces(struct root *root, int fd, char *piece, root_reducer *reduce, void *data)
{
    size_t held = 0, used = 0;
    ssize_t n = 1;
    int r = 0;
    for (size_t all = 0; r == 0 && used != ROOT_ENOUGH; all += (size_t)n) {
        n = read(fd, piece + held, PIECE - held);
        if (n <= 0)
            return n < 0 ? -errno : 0;
        r = all > ROOT_REDUCED_MOST ? -EFBIG : root_spend(root, (size_t)n);
        held += (size_t)n;
        used = r < 0 ? held : reduce(data, piece, held, &root->buffer);
        if (used == 0 && held == PIECE)
            used = held; /* a line longer than that has nothing in it */
        if (used <= held)
            memmove(piece, piece + used, held -= used);
    }
    return r;
}

static int read_file(struct root *root, const char *path, root_reducer *reduce, void *data)
{
    struct stat st;
    int fd = root_open_below(root, path, O_RDONLY), r = fd < 0 ? fd : 0;
    if (r == 0 && fstat(fd, &st) < 0)
        r = -errno;
    else if (r == 0 && !S_ISREG(st.st_mode))
        r = -ENOENT;
    char *piece = mem_alloc(1, PIECE);
    if (r == 0)
        r = read_pieces(root, fd, piece, reduce, data);
    if (fd >= 0)
        close(fd);
    free(piece);
    return r;
}

/* Of a recording in memory: it is read already, and all of it is one piece. */
static int read_node(struct root *root, const char *path, root_reducer *reduce, void *data)
{
    struct span whole;
    struct bytes kept = { 0 };
    int r = root->backend->files->read(root, path, ROOT_REDUCED_MOST, &whole);
    if (r < 0)
        return r;
    bytes_append(&kept, "", 0);
    reduce(data, whole.data, whole.len, &kept);
    bytes_free(&root->buffer);
    root->buffer = kept;
    return 0;
}

int root_read_reduced(struct root *root, struct span *out, const char *form, const char *path,
                      root_reducer *reduce, void *data)
{
    root->buffer.len = 0;
    bytes_append(&root->buffer, "", 0);
    int r = root->tree ? read_node(root, path, reduce, data) : read_file(root, path, reduce, data);
    if (r < 0)
        r = root->backend->failure(root, path, r);
    else
        *out = (struct span){ root->buffer.data, root->buffer.len };
    root_tell(root, ROOT_FILE, form, path, r < 0 ? NULL : out->data, r < 0 ? 0 : out->len, r);
    return r;
}
