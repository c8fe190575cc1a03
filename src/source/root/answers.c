/* SPDX-License-Identifier: MIT */
/* What back ends share: answers are charged to the run's budget, kept, and told to the listener. */
#include "source/root/backend.h"

void root_tell(struct root *root, enum root_event event, const char *form, const char *path, const void *bytes,
               size_t len, int err)
{
    if (root->tee)
        root->tee(root->tee_data, &(struct root_answer){ event, form, path, bytes, len, err < 0 ? -err : err });
}

int root_spend(struct root *root, uint64_t bytes)
{
    if (!root->backend->recorded)
        return 0;
    root->files++;
    root->bytes += bytes;
    root->exhausted |= root->files > ROOT_FILES_MOST || root->bytes > ROOT_BYTES_MOST;
    return root->exhausted ? -EFBIG : 0;
}

size_t root_most_of(const struct root *root, const char *path, size_t most)
{
    bool of_sys = root->backend->recorded && text_starts(path, "sys/");
    return of_sys && most > ROOT_SYS_MOST ? ROOT_SYS_MOST : most;
}

struct span root_keep(struct root *root, const char *data, size_t len)
{
    root->buffer.len = 0;
    bytes_append(&root->buffer, data, len);
    return (struct span){ root->buffer.data, root->buffer.len };
}

int root_read_path(struct root *root, const char *form, const char *path, size_t most, struct span *out)
{
    int r = root->backend->files->read(root, path, root_most_of(root, path, most), out);
    if (r < 0)
        r = root->backend->failure(root, path, r);
    root_tell(root, ROOT_FILE, form, path, r < 0 ? NULL : out->data, r < 0 ? 0 : out->len, r);
    return r;
}

void root_tell_file(struct root *root, const char *form, const char *path, const void *bytes, size_t len,
                    int err)
{
    root_tell(root, ROOT_FILE, form, path, bytes, len, err);
}

bool root_absent(int err)
{
    switch (err < 0 ? -err : err) {
    case ENOENT:
    case ENOTDIR:
    case ENODEV:
    case EINVAL:
    case EOPNOTSUPP:
    case ENODATA:
        return true;
    }
    return false;
}

bool root_is_recorded(const struct root *root)
{
    return root->backend->recorded;
}
