/* SPDX-License-Identifier: MIT */
/* Requests to a root for files, links and directories: the back ends answer, and the listener is notified. */
#include "source/root/root.h"

#include "base/hash.h"
#include "source/recording/filetree.h"
#include "source/root/backend.h"

/* A recording's directory may change between two readings. */
void root_begin(struct root *root)
{
    if (root->tree && root->top.fd >= 0)
        root_forget_directory(root);
    else if (root->tree)
        root->tree->steps = 0;
    root->files = root->bytes = 0;
    root->exhausted = false;
}

bool root_is_exhausted(const struct root *root)
{
    return root->exhausted;
}

size_t root_bad_errors(const struct root *root)
{
    return root->bad_errors;
}

bool root_is_recorded(const struct root *root)
{
    return root->backend->recorded;
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

static struct root *new_root(const struct root_backend *backend, int fd)
{
    struct root *root = mem_alloc(1, sizeof(*root));
    root->backend = backend;
    root->top = (struct root_dir){ .root = root, .fd = fd, .path = mem_strdup("") };
    bytes_append(&root->buffer, "", 0);
    return root;
}

int root_open(const char *path, bool recorded, struct root **out)
{
    int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    struct root *root = new_root(recorded ? &root_recorded : &root_live, fd);
    int r = recorded ? root_forget_directory(root) : 0;
    if (r < 0) {
        root_close(root);
        return r;
    }
    *out = root;
    return 0;
}

struct root *root_open_tree(struct filetree *tree)
{
    struct root *root = new_root(&root_recorded, -1);
    root->tree = tree;
    root->top.node = tree->top;
    return root;
}

const char *root_note(const struct root *root)
{
    return root->tree ? root->tree->note : NULL;
}

void root_close(struct root *root)
{
    if (!root)
        return;
    root_close_directories(root);
    root_close_kept(root);
    root_dir_close(&root->top);
    filetree_free(root->tree);
    bytes_free(&root->buffer);
    free(root);
}

int root_path(char path[static PATH_MAX], const char *format, va_list args)
{
    static const char cut[] = "...";
    int len = vsnprintf(path, PATH_MAX, format, args);
    if (len >= 0 && len < PATH_MAX)
        return 0;
    memcpy(path + PATH_MAX - sizeof(cut), cut, sizeof(cut));
    return -ENAMETOOLONG;
}

/* -- the listener ---------------------------------------------------------------------------------------- */

void root_set_tee(struct root *root, root_tee *tee, void *data)
{
    root->tee = tee;
    root->tee_data = data;
}

void root_set_lost(struct root *root, root_tee *lost, void *data)
{
    root->lost = lost;
    root->lost_data = data;
}

/* err may have either sign. */
static void tell(struct root *root, enum root_event event, const char *form, const char *path,
                 const void *bytes, size_t len, int err)
{
    struct root_answer answer = { event, form, path, bytes, len, err < 0 ? -err : err };
    if (root->tee)
        root->tee(root->tee_data, &answer);
    if (root->lost && err)
        root->lost(root->lost_data, &answer);
}

void root_tell_file(struct root *root, const char *form, const char *path, const void *bytes, size_t len,
                    int err)
{
    tell(root, ROOT_FILE, form, path, bytes, len, err);
}

/* Tells the listener what reading path below the directory gave, and returns r. */
static int told(const struct root_dir *dir, enum root_event event, const char *form, const char *path,
                const struct span *out, int r)
{
    if (!dir->root->tee && !(dir->root->lost && r < 0))
        return r;
    char *whole = mem_printf("%s%s%s", dir->path, *dir->path ? "/" : "", path);
    tell(dir->root, event, form, whole, r < 0 ? NULL : out->data, r < 0 ? 0 : out->len, r);
    free(whole);
    return r;
}

/* -- files, links and nodes ------------------------------------------------------------------------------ */

static int read_below(const struct root_dir *dir, const char *form, const char *path, size_t most,
                      struct span *out)
{
    const struct root_backend *backend = dir->root->backend;
    bool of_sys = backend->recorded && text_starts(*dir->path ? dir->path : path, "sys/");
    if (of_sys && most > ROOT_SYS_MOST)
        most = ROOT_SYS_MOST;
    return told(dir, ROOT_FILE, form, path, out, backend->read(dir, path, most, out));
}

int root_read(struct root *root, struct span *out, const char *form, const char *format, ...)
{
    char path[PATH_MAX];
    int r;
    ROOT_PATH(r, path, format);
    return r < 0 ? r : root_dir_read(&root->top, form, path, out);
}

int root_read_big(struct root *root, struct span *out, const char *form, const char *path)
{
    return read_below(&root->top, form, path, ROOT_REPLY_MOST, out);
}

int root_dir_read(struct root_dir *dir, const char *form, const char *name, struct span *out)
{
    return read_below(dir, form, name, ROOT_FILE_MOST, out);
}

int root_read_reduced(struct root *root, struct span *out, const char *form, const char *path,
                      root_reducer *reduce, void *data)
{
    root->buffer.len = 0;
    bytes_append(&root->buffer, "", 0);
    int r = root->backend->reduce(root, path, reduce, data);
    if (r == 0)
        *out = (struct span){ root->buffer.data, root->buffer.len };
    return told(&root->top, ROOT_FILE, form, path, out, r);
}

int root_fetch(struct root *root, struct span *out, const char *form, const char *path, root_fetcher *fetch,
               void *data)
{
    return told(&root->top, ROOT_FILE, form, path, out, root->backend->fetch(root, path, fetch, data, out));
}

int root_peek_link(struct root *root, const char *path, char *target)
{
    return root->backend->link(&root->top, path, target);
}

bool root_peek_directory(struct root *root, const char *path)
{
    return root->backend->is_there(root, path, true);
}

int root_dir_link(struct root_dir *dir, const char *name, struct span *out)
{
    struct root *root = dir->root;
    char target[PATH_MAX];
    int r = root->backend->link(dir, name, target);
    if (r == 0) {
        root->buffer.len = 0;
        bytes_append(&root->buffer, target, strlen(target));
        *out = (struct span){ root->buffer.data, root->buffer.len };
    }
    return told(dir, ROOT_LINK, NULL, name, out, r);
}

int root_link(struct root *root, struct span *out, const char *format, ...)
{
    char path[PATH_MAX];
    int r;
    ROOT_PATH(r, path, format);
    return r < 0 ? r : root_dir_link(&root->top, path, out);
}

int root_try_node(struct root *root, const char *path)
{
    int r = root->backend->try_node(root, path);
    tell(root, ROOT_NODE, "", path, NULL, 0, r);
    return r;
}

bool root_exists(struct root *root, const char *path)
{
    return root->backend->is_there(root, path, false);
}

/* -- changes --------------------------------------------------------------------------------------------- */

int root_make_directory(struct root *root, const char *path)
{
    return root->backend->make_directory(root, path);
}

int root_remove_directory(struct root *root, const char *path)
{
    return root->backend->remove_directory(root, path);
}

int root_write(struct root *root, const char *path, const char *text)
{
    int fd = root->backend->open_to_write(root, path);
    if (fd < 0)
        return fd;
    size_t len = strlen(text);
    ssize_t n = write(fd, text, len);
    int r = n < 0 ? -errno : (size_t)n == len ? 0 : -EIO;
    if (close(fd) < 0 && r == 0)
        r = -errno;
    return r;
}

/* -- directories ----------------------------------------------------------------------------------------- */

static int by_version(const void *a, const void *b)
{
    return text_version_compare(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts them and removes duplicates. */
static void sort_names(struct names *names)
{
    size_t kept = 0, sorted = 1;
    while (sorted < names->count && by_version(&names->items[sorted - 1], &names->items[sorted]) < 0)
        sorted++;
    if (sorted < names->count)
        qsort(names->items, names->count, sizeof(*names->items), by_version);
    for (size_t i = 0; i < names->count; i++)
        if (i == 0 || strcmp(names->items[i], names->items[kept - 1]) != 0)
            names->items[kept++] = names->items[i];
    names->count = kept;
}

int root_dir_list(struct root_dir *dir, struct arena *arena, struct names *names)
{
    struct names found = { 0 };
    int r = dir->root->backend->names(dir, arena, &found);
    if (r < 0)
        return r;
    sort_names(&found);
    *names = found;
    tell(dir->root, ROOT_LIST, NULL, dir->path, found.items, found.count, 0);
    return 0;
}

struct root_dir *root_top(struct root *root)
{
    return &root->top;
}

int root_dir_open_in(const struct root_dir *parent, struct root_dir *dir, const char *name)
{
    struct root_dir opened = { .root = parent->root, .fd = -1 };
    int r = parent->root->backend->open(parent, name, &opened);
    if (r < 0)
        return told(parent, ROOT_LIST, NULL, name, NULL, r);
    opened.path = mem_printf("%s%s%s", parent->path, *parent->path ? "/" : "", name);
    opened.path_hash = seeded_hash(0, opened.path, strlen(opened.path));
    *dir = opened;
    return 0;
}

int root_dir_open(struct root *root, struct root_dir *dir, const char *format, ...)
{
    char path[PATH_MAX];
    int r;
    ROOT_PATH(r, path, format);
    return r < 0 ? r : root_dir_open_in(&root->top, dir, path);
}

int root_list(struct root *root, struct arena *arena, struct names *names, const char *format, ...)
{
    char path[PATH_MAX];
    struct root_dir dir;
    int r;
    ROOT_PATH(r, path, format);
    if (r == 0)
        r = root_dir_open_in(&root->top, &dir, path);
    if (r < 0)
        return r;
    r = root_dir_list(&dir, arena, names);
    root_dir_close(&dir);
    return r < 0 ? told(&root->top, ROOT_LIST, NULL, path, NULL, r) : 0;
}

void root_dir_close(struct root_dir *dir)
{
    if (!dir->path)
        return;
    root_close_now(dir->root, dir->fd);
    free(dir->path);
    *dir = (struct root_dir){ 0 };
}
