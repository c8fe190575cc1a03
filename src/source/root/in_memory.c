/* SPDX-License-Identifier: MIT */
/* A recording: its tree answers as if it were unpacked into a file system. The tree of a recording's directory
 * grows on demand: what is asked for is looked up on disk, name by name in a directory just opened, so that
 * links are followed only by the tree, which nothing leads out of. */
#include <sys/stat.h>

#include "source/errors.h"
#include "source/recording/filetree.h"
#include "source/root/backend.h"

/* -- what is on disk ------------------------------------------------------------------------------------- */

static void let_go(struct root *root)
{
    if (root->held)
        close(root->held_fd);
    root->held = NULL;
}

void root_close_directories(struct root *root)
{
    let_go(root);
    for (size_t i = 0; i < ARRAY_SIZE(root->opened); i++)
        if (root->opened[i].node) {
            close(root->opened[i].fd);
            root->opened[i].node = NULL;
        }
}

/* A descriptor of the directory, valid until the next call; opened name by name from the top. */
static int open_node(struct root *root, const struct node *directory)
{
    for (size_t i = 0; i < ARRAY_SIZE(root->opened); i++)
        if (root->opened[i].node == directory)
            return root->opened[i].fd;
    int above = directory->parent ? open_node(root, directory->parent) : root->top.fd;
    int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int fd = above < 0 ? above : openat(above, directory->parent ? directory->name : ".", flags);
    if (fd < 0)
        return above < 0 ? above : -errno;
    unsigned at = root->oldest++ % ARRAY_SIZE(root->opened);
    if (root->opened[at].node)
        close(root->opened[at].fd);
    root->opened[at].node = directory;
    return root->opened[at].fd = fd;
}

/* Enters what the descriptor holds into the tree. */
static int enter(struct root *root, struct node *directory, const char *name, int fd, struct node **node)
{
    struct filetree *tree = root->tree;
    struct stat st;
    char target[PATH_MAX];
    if (fstat(fd, &st) < 0)
        return -errno;
    ssize_t n = S_ISLNK(st.st_mode) ? readlinkat(fd, "", target, sizeof(target)) : 0;
    int r = n < 0 ? -errno : filetree_add(tree, directory, name, strlen(name), node);
    if (r < 0)
        return r == -EPERM ? -ENOENT : r; /* NOTE and errors aren't part of the machine */
    if (S_ISDIR(st.st_mode))
        return filetree_make_directory(tree, *node);
    if (S_ISLNK(st.st_mode))
        return filetree_make_link(tree, *node, filetree_keep(tree, target, (size_t)n), (size_t)n);
    (*node)->kind = NODE_FILE;
    return 0;
}

/* Opening a device or a FIFO can do anything, from blocking to rewinding a tape: so what is there is first held
 * by a descriptor that opens nothing, then examined, and only then opened. */
static int hold(int directory, const char *name)
{
    int fd = openat(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static int load(struct root *root, struct node *directory, const char *name, struct node **node)
{
    let_go(root);
    int above = open_node(root, directory), fd = above < 0 ? above : hold(above, name);
    int r = fd < 0 ? fd : enter(root, directory, name, fd, node);
    if (r == 0 && (*node)->kind == NODE_FILE) { /* usually it is read next */
        root->held = *node;
        root->held_fd = fd;
    } else if (fd >= 0) {
        close(fd);
    }
    return r;
}

static int load_child(void *data, struct node *directory, const char *name, size_t len, struct node **node)
{
    struct root *root = data;
    char text[NAME_MAX + 1];
    if (len > NAME_MAX)
        return -ENAMETOOLONG;
    snprintf(text, sizeof(text), "%.*s", (int)len, name);
    int r = load(root, directory, text, node);
    root->exhausted |= r == -E2BIG || r == -EFBIG;
    return r;
}

/* *has_size: it isn't in /proc. Takes over the descriptor that holds it. */
static int open_held(int directory, const char *name, int held_fd, bool *has_size)
{
    enum { FLAGS = O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC };
    struct stat held, opened;
    char link[64];
    int fd = -1, r = fstat(held_fd, &held) < 0 ? -errno : S_ISREG(held.st_mode) ? 0 : -EBADMSG;
    snprintf(link, sizeof(link), "/proc/self/fd/%d", held_fd);
    if (r == 0 && (fd = open(link, FLAGS)) < 0 && errno == ENOENT) { /* there is no /proc */
        fd = openat(directory, name, FLAGS | O_NOFOLLOW);
        if (fd >= 0 && (fstat(fd, &opened) < 0 || held.st_dev != opened.st_dev || held.st_ino != opened.st_ino))
            r = -EBADMSG; /* something else took its place */
    }
    if (r == 0 && fd < 0)
        r = -errno;
    close(held_fd);
    if (r < 0 && fd >= 0)
        close(fd);
    *has_size = r == 0 && held.st_size > 0;
    return r < 0 ? r : fd;
}

static int read_disk(struct root *root, const struct node *directory, const char *name, size_t most,
                     struct span *out)
{
    bool has_size = false, is_held = root->held && root->held->parent == directory && root->held->name == name;
    int above = open_node(root, directory);
    int held_fd = above < 0 ? above : is_held ? root->held_fd : hold(above, name);
    if (is_held && above >= 0)
        root->held = NULL;
    int fd = held_fd < 0 ? held_fd : open_held(above, name, held_fd, &has_size);
    if (fd < 0)
        return fd;
    int r = root_read_fd(root, fd, most, !has_size, out);
    root_close_now(root, -1);
    return r;
}

int root_forget_directory(struct root *root)
{
    struct span text;
    size_t first_bad;
    filetree_free(root->tree);
    root->tree = filetree_new();
    root->tree->load = load_child;
    root->tree->load_data = root;
    root->top.node = root->tree->top;
    root_close_directories(root);
    int r = read_disk(root, root->tree->top, "errors", ROOT_REPLY_MOST, &text);
    if (r < 0)
        return r == -ENOENT ? 0 : r;
    return errors_enter(root->tree, text.data, text.len, &root->bad_errors, &first_bad) < 0 ? -E2BIG : 0;
}

/* -- what is in the tree --------------------------------------------------------------------------------- */

/* The node at path, or NULL and why: its errno, or -ENOENT, if that is all that is known. */
static const struct node *find_node(const struct root_dir *from, const char *path, bool follow, int *err)
{
    struct node *node = NULL;
    *err = root_spend(from->root, 0);
    if (*err == 0)
        *err = filetree_look_up(from->root->tree, from->node, path, follow, &node);
    if (*err == -E2BIG)
        from->root->exhausted = true;
    if (!node || !node_is_told_only(node, &from->root->tree->steps))
        return node;
    *err = node->err ? -node->err : -ENOENT;
    return NULL;
}

/* The error for a name that leads nowhere: err, or the errno recorded for it in the directory that the path
 * really leads to. */
static int failure(const struct root_dir *from, const char *path, int err)
{
    struct filetree *tree = from->root->tree;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t len = slash ? (size_t)(slash - path) : 0;
    char parent[PATH_MAX];
    struct node *directory = NULL, *node = NULL;
    if ((err && err != -ENOENT && err != -ENOTDIR && err != -ELOOP) || len >= sizeof(parent))
        return err;
    memcpy(parent, path, len);
    parent[len] = '\0';
    if (filetree_look_up(tree, from->node, parent, true, &directory) == 0)
        node = filetree_find(tree, directory, name, strlen(name));
    return node && node->err ? -node->err : err;
}

static int read_kept(const struct root_dir *from, const char *path, size_t most, struct span *out)
{
    int r;
    const struct node *node = find_node(from, path, true, &r);
    if (node && node->kind == NODE_DIRECTORY)
        r = -EISDIR;
    else if (node && !node->data)
        r = read_disk(from->root, node->parent, node->name, most, out);
    else if (node && node->len > most)
        r = -EFBIG;
    else if (node && (r = root_spend(from->root, node->len)) == 0)
        /* not copied: the tree lives as long as the root, and 10,000 queue pairs take space */
        *out = (struct span){ node->data, node->len };
    return r < 0 ? failure(from, path, r) : 0;
}

/* The whole file is one piece. */
static int reduce_kept(struct root *root, const char *path, root_reducer *reduce, void *data)
{
    struct span whole;
    struct bytes kept = { 0 };
    int r = read_kept(&root->top, path, ROOT_REDUCED_MOST, &whole);
    if (r < 0)
        return r;
    bytes_append(&kept, "", 0);
    reduce(data, whole.data, whole.len, &kept);
    bytes_free(&root->buffer);
    root->buffer = kept;
    return 0;
}

static int kept_link(const struct root_dir *from, const char *path, char *target)
{
    int r;
    const struct node *node = find_node(from, path, false, &r);
    if (node)
        r = node->kind != NODE_LINK ? -EINVAL : node->len >= PATH_MAX ? -ENAMETOOLONG : 0;
    if (!node || r < 0)
        return failure(from, path, r);
    memcpy(target, node->data, node->len + 1);
    return 0;
}

static bool is_kept(struct root *root, const char *path, bool as_directory)
{
    int r;
    const struct node *node = find_node(&root->top, path, true, &r);
    return node && (!as_directory || node->kind == NODE_DIRECTORY);
}

static int open_kept(const struct root_dir *from, const char *path, struct root_dir *dir)
{
    int r;
    dir->node = find_node(from, path, true, &r);
    if (dir->node)
        r = dir->node->kind == NODE_DIRECTORY ? 0 : -ENOTDIR;
    return r < 0 ? failure(from, path, r) : 0;
}

/* A file that was there but could not be read is listed all the same. */
static int kept_names(const struct root_dir *dir, struct arena *arena, struct names *names)
{
    bool on_disk = dir->root->tree->load;
    int above = on_disk ? open_node(dir->root, dir->node) : -ENOENT;
    int fd = above < 0 ? above : openat(above, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int r = dir->node->err ? -dir->node->err
            : above < 0    ? (above == -ENOENT ? 0 : above)
            : fd < 0       ? -errno
                           : root_names_of_fd(fd, arena, names);
    if (fd >= 0)
        close(fd);
    for (const struct node *node = dir->node->children; r == 0 && node; node = node->next) {
        if (node->name[0] != '.' &&
            (node->err || (!on_disk && !node_is_told_only(node, &dir->root->tree->steps))))
            *ARENA_PUSH(arena, names->items, names->count) = arena_strdup(arena, node->name);
        if (names->count > ROOT_NAMES_MOST)
            return -EFBIG;
    }
    dir->root->tree->steps += names->count;
    return r;
}

/* -- nodes, answers, and no changes ---------------------------------------------------------------------- */

/* Here an error also overrides an existing file: the node's name is known, but it may not be opened. A copy of
 * sys/ that roce didn't make says nothing about nodes; roce's own recordings have probe answers, whatever nodes
 * there are. */
static int try_node(struct root *root, const char *path)
{
    int err = failure(&root->top, path, 0);
    if (err || is_kept(root, path, false))
        return err;
    return is_kept(root, "dev", false) || is_kept(root, "probe", false) ? -ENOENT : -ENODATA;
}

static int read_answer(struct root *root, const char *path, root_fetcher *fetch, void *data, struct span *out)
{
    (void)fetch, (void)data;
    return read_kept(&root->top, path, ROOT_REPLY_MOST, out);
}

/* What the kernel would show below it, or its error, is already there. */
static int find_made(struct root *root, const char *path)
{
    (void)root, (void)path;
    return -EEXIST;
}

static int refuse(struct root *root, const char *path)
{
    (void)root, (void)path;
    return -EROFS;
}

const struct root_backend root_recorded = {
    .recorded = true,
    .read = read_kept,
    .reduce = reduce_kept,
    .link = kept_link,
    .is_there = is_kept,
    .open = open_kept,
    .names = kept_names,
    .try_node = try_node,
    .fetch = read_answer,
    .make_directory = find_made,
    .remove_directory = refuse,
    .open_to_write = refuse,
};
