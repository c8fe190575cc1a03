/* SPDX-License-Identifier: MIT */
/* Requests to a root for files, links and directories: the back ends answer, and the listener is told. */
#include <sys/stat.h>

#include "source/errors.h"
#include "source/recording/filetree.h"
#include "source/root/backend.h"
#include "source/root/root.h"

void root_set_strange(struct root *root)
{
    root->strange = true;
}

void root_begin(struct root *root)
{
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

void root_set_tee(struct root *root, root_tee *tee, void *data)
{
    root->tee = tee;
    root->tee_data = data;
}

static int keep_error_names(struct root *root)
{
    struct node *all, *node;
    root->error_names = filetree_new();
    int r = filetree_enter(root->error_names, "names", &all);
    for (size_t i = 0; r == 0 && i < root->errors->table_size; i++) {
        const struct node *told = root->errors->table[i];
        if (told && told->err)
            r = filetree_add(root->error_names, all, told->name, strlen(told->name), &node);
    }
    return r;
}

static int load_errors(struct root *root)
{
    struct span text;
    int r = root_read_big(root, &text, NULL, "errors");
    if (r < 0)
        return r == -ENOENT ? 0 : r;
    size_t first_bad;
    root->errors = filetree_new();
    r = errors_enter(root->errors, text.data, text.len, &root->bad_errors, &first_bad);
    if (r == 0)
        r = keep_error_names(root);
    return r < 0 ? -E2BIG : 0;
}

static struct root *new_root(const struct root_backend *backend, int fd)
{
    struct root *root = mem_alloc(1, sizeof(*root));
    root->fd = fd;
    root->backend = backend;
    bytes_append(&root->buffer, "", 0);
    return root;
}

int root_open(const char *path, bool recorded, struct root **out)
{
    int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    struct root *root = new_root(recorded ? &root_recorded : &root_live, fd);
    int r = recorded ? load_errors(root) : 0;
    if (r < 0) {
        root_close(root);
        return r;
    }
    *out = root;
    return 0;
}

struct root *root_open_tree(struct filetree *tree)
{
    struct root *root = new_root(&root_in_memory, -1);
    root->tree = tree;
    return root;
}

void root_close(struct root *root)
{
    if (!root)
        return;
    root_close_now(root, root->fd);
    filetree_free(root->tree);
    filetree_free(root->errors);
    filetree_free(root->error_names);
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

int root_read(struct root *root, struct span *out, const char *form, const char *format, ...)
{
    char path[PATH_MAX];
    int r;
    ROOT_PATH(r, path, format);
    return r < 0 ? r : root_read_path(root, form, path, ROOT_FILE_MOST, out);
}

int root_read_big(struct root *root, struct span *out, const char *form, const char *path)
{
    return root_read_path(root, form, path, ROOT_REPLY_MOST, out);
}

int root_fetch(struct root *root, struct span *out, const char *form, const char *path, root_fetcher *fetch,
               void *data)
{
    return root->backend->fetch(root, out, form, path, fetch, data);
}

int root_open_stream(struct root *root, const char *path)
{
    return root_open_below(root, path, O_RDONLY);
}

int root_peek_link(struct root *root, const char *path, char *target)
{
    return root->backend->files->link(root, path, target);
}

bool root_peek_directory(struct root *root, const char *path)
{
    return root->backend->files->is_there(root, path, true);
}

int root_link(struct root *root, struct span *out, const char *format, ...)
{
    char path[PATH_MAX], target[PATH_MAX];
    int r;
    ROOT_PATH(r, path, format);
    if (r < 0)
        return r;
    r = root_peek_link(root, path, target);
    if (r == 0)
        *out = root_keep(root, target, strlen(target));
    else
        r = root->backend->failure(root, path, r);
    root_tell(root, ROOT_LINK, NULL, path, r < 0 ? NULL : out->data, r < 0 ? 0 : out->len, r);
    return r;
}

int root_try_node(struct root *root, const char *path)
{
    int r = root->backend->try_node(root, path);
    root_tell(root, ROOT_NODE, "", path, NULL, 0, r);
    return r;
}

bool root_exists(struct root *root, const char *path)
{
    return root->backend->files->is_there(root, path, false);
}

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

/* -- directories: their names, and files in one that is held open --------------------------------------- */

static int by_version(const void *a, const void *b)
{
    return text_version_compare(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts them and removes duplicates. */
static void sort_names(struct names *names)
{
    size_t kept = 0;
    if (names->count)
        qsort(names->items, names->count, sizeof(*names->items), by_version);
    for (size_t i = 0; i < names->count; i++)
        if (i == 0 || strcmp(names->items[i], names->items[kept - 1]) != 0)
            names->items[kept++] = names->items[i];
    names->count = kept;
}

int root_dir_list(struct root_dir *dir, struct arena *arena, struct names *names)
{
    struct root *root = dir->root;
    struct names found = { 0 };
    int r = root->backend->files->names(dir, arena, &found);
    if (r < 0)
        return r;
    if (root->backend->add_names)
        root->backend->add_names(dir, arena, &found);
    sort_names(&found);
    *names = found;
    root_tell(root, ROOT_LIST, NULL, dir->path, found.items, found.count, 0);
    return 0;
}

/* Takes over path. */
static int open_directory(struct root *root, char *path, struct root_dir *dir)
{
    struct root_dir opened = { .root = root, .fd = -1, .path = path };
    int r = root->backend->files->open(root, path, &opened);
    if (r == 0) {
        *dir = opened;
        return 0;
    }
    r = root->backend->failure(root, path, r);
    root_tell(root, ROOT_LIST, NULL, path, NULL, 0, r);
    free(path);
    return r;
}

int root_list(struct root *root, struct arena *arena, struct names *names, const char *format, ...)
{
    char path[PATH_MAX];
    struct root_dir dir;
    int r;
    ROOT_PATH(r, path, format);
    if (r == 0)
        r = open_directory(root, mem_strdup(path), &dir);
    if (r < 0)
        return r;
    r = root_dir_list(&dir, arena, names);
    root_dir_close(&dir);
    if (r < 0)
        root_tell(root, ROOT_LIST, NULL, path, NULL, 0, r);
    return r;
}

int root_dir_open(struct root *root, struct root_dir *dir, const char *format, ...)
{
    char path[PATH_MAX];
    int r;
    ROOT_PATH(r, path, format);
    return r < 0 ? r : open_directory(root, mem_strdup(path), dir);
}

/* In a name with several components, a link could lead out of a recording: it is looked up the usual way. */
static bool is_deep(const struct root_dir *dir, const char *name)
{
    return root_is_recorded(dir->root) && strchr(name, '/');
}

int root_dir_open_in(const struct root_dir *parent, struct root_dir *dir, const char *name)
{
    struct root *root = parent->root;
    struct root_dir opened = { .root = root, .fd = -1 };
    int r = is_deep(parent, name) ? -ELOOP : root->backend->files->open_in(parent, name, &opened);
    char *path = mem_printf("%s/%s", parent->path, name);
    if (r < 0 && r != -ENOENT) /* a link, or a recorded error: looked up the usual way */
        return open_directory(root, path, dir);
    if (r == 0) {
        opened.path = path;
        *dir = opened;
        return 0;
    }
    r = root->backend->failure(root, path, r);
    free(path);
    return r;
}

int root_dir_link(struct root_dir *dir, const char *name, struct span *out)
{
    struct root *root = dir->root;
    char target[PATH_MAX];
    int r = root->tee || is_deep(dir, name) ? -ELOOP : root->backend->files->link_in(dir, name, target);
    if (r == -ENOENT && !root_is_recorded(root))
        return r;
    if (r < 0)
        return root_link(root, out, "%s/%s", dir->path, name);
    *out = root_keep(root, target, strlen(target));
    return 0;
}

void root_dir_close(struct root_dir *dir)
{
    if (!dir->path)
        return;
    dir->root->backend->files->close(dir);
    free(dir->path);
    *dir = (struct root_dir){ 0 };
}

int root_dir_read(struct root_dir *dir, const char *form, const char *name, struct span *out)
{
    struct root *root = dir->root;
    size_t most = root_most_of(root, dir->path, ROOT_FILE_MOST);
    int r = is_deep(dir, name) ? -ELOOP : root->backend->files->read_in(dir, name, most, out);
    if (r == 0 && !root->tee)
        return 0;
    char path[PATH_MAX];
    if ((size_t)snprintf(path, sizeof(path), "%s/%s", dir->path, name) >= sizeof(path))
        return -ENAMETOOLONG;
    if (r == -ELOOP) /* a link: follow it only inside the root */
        return root_read_path(root, form, path, ROOT_FILE_MOST, out);
    if (r < 0)
        r = root->backend->failure(root, path, r);
    root_tell(root, ROOT_FILE, form, path, r < 0 ? NULL : out->data, r < 0 ? 0 : out->len, r);
    return r;
}

/* -- large files of which little is wanted: they are read in pieces, and neither memory nor a recording holds
 * more than that */

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
            used = held; /* a longer line has nothing of interest */
        if (used <= held)
            memmove(piece, piece + used, held -= used);
    }
    return r;
}

static int reduce_file(struct root *root, const char *path, root_reducer *reduce, void *data)
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

/* For a recording in memory: already read, so all of it is one piece. */
static int reduce_node(struct root *root, const char *path, root_reducer *reduce, void *data)
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
    int r = root->tree ? reduce_node(root, path, reduce, data) : reduce_file(root, path, reduce, data);
    if (r < 0)
        r = root->backend->failure(root, path, r);
    else
        *out = (struct span){ root->buffer.data, root->buffer.len };
    root_tell(root, ROOT_FILE, form, path, r < 0 ? NULL : out->data, r < 0 ? 0 : out->len, r);
    return r;
}
