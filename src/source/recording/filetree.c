/* SPDX-License-Identifier: MIT */
/* A recording in memory: names, nodes and the limits of both. */
#include "source/recording/filetree.h"

#include "base/hash.h"

enum { FIRST_TABLE = 1024, MOST_LINKS = 40 };

struct filetree *filetree_new(void)
{
    struct filetree *tree = mem_alloc(1, sizeof(*tree));
    tree->arena = arena_new();
    tree->table_size = FIRST_TABLE;
    tree->table = mem_alloc(tree->table_size, sizeof(struct node *));
    tree->seed = hash_seed();
    tree->top = arena_alloc(tree->arena, 1, sizeof(*tree->top));
    tree->top->name = "";
    tree->top->kind = NODE_DIRECTORY;
    return tree;
}

void filetree_free(struct filetree *tree)
{
    if (!tree)
        return;
    arena_free(tree->arena);
    free(tree->table);
    free(tree);
}

static uint64_t hash(const struct filetree *tree, const struct node *directory, const char *name, size_t len)
{
    return seeded_hash(tree->seed ^ (uint64_t)(uintptr_t)directory * UINT64_C(0x9e3779b97f4a7c15), name, len);
}

/* The place of a name in the table, or where it would go. */
static struct node **slot(const struct filetree *tree, const struct node *directory, const char *name,
                          size_t len)
{
    size_t at = (size_t)hash(tree, directory, name, len) & (tree->table_size - 1);
    for (;; at = (at + 1) & (tree->table_size - 1)) {
        const struct node *node = tree->table[at];
        if (!node || (node->parent == directory && strncmp(node->name, name, len) == 0 && !node->name[len]))
            return &tree->table[at];
    }
}

static void grow_table(struct filetree *tree)
{
    struct node **old = tree->table;
    size_t size = tree->table_size;
    tree->table_size = size * 2;
    tree->table = mem_alloc(tree->table_size, sizeof(*tree->table));
    for (size_t i = 0; i < size; i++)
        if (old[i])
            *slot(tree, old[i]->parent, old[i]->name, strlen(old[i]->name)) = old[i];
    free(old);
}

struct node *filetree_find(const struct filetree *tree, const struct node *directory, const char *name,
                           size_t len)
{
    return memchr(name, '\0', len) ? NULL : *slot(tree, directory, name, len);
}

static bool is_word(const char *name, size_t len, const char *word)
{
    return len == strlen(word) && memcmp(name, word, len) == 0;
}

static int check_name(const char *name, size_t len)
{
    if (len == 0 || memchr(name, '/', len) || memchr(name, '\0', len) || is_word(name, len, ".") ||
        is_word(name, len, ".."))
        return -EINVAL;
    return len > RECORDING_NAME_MOST ? -ENAMETOOLONG : 0;
}

/* Adds a new node where slot() found room. */
static struct node *new_node(struct filetree *tree, struct node *directory, const char *name, size_t len,
                             struct node **place)
{
    struct node *node = arena_alloc(tree->arena, 1, sizeof(*node));
    node->name = arena_strndup(tree->arena, name, len);
    node->parent = directory;
    node->depth = directory->depth + 1;
    node->path_len = directory->path_len + (directory->path_len ? 1 : 0) + len;
    *(directory->last_child ? &directory->last_child->next : &directory->children) = node;
    directory->last_child = node;
    directory->nchildren++;
    *place = node;
    if (++tree->entries * 2 > tree->table_size)
        grow_table(tree);
    return node;
}

int filetree_add(struct filetree *tree, struct node *directory, const char *name, size_t len, struct node **out)
{
    int r = check_name(name, len);
    if (r < 0)
        return r;
    if (!directory->parent && (is_word(name, len, "NOTE") || is_word(name, len, "errors")))
        return -EPERM;
    struct node **place = slot(tree, directory, name, len);
    if (*place) {
        *out = *place;
        tree->steps += 8; /* a range names many at once */
        return tree->steps > RECORDING_STEPS_MOST ? -E2BIG : 0;
    }
    if (filetree_make_directory(tree, directory) == -EEXIST)
        return -ENOTDIR;
    if (directory->depth == RECORDING_DEPTH_MOST || directory->path_len + 1 + len > RECORDING_PATH_MOST)
        return -ENAMETOOLONG;
    if (tree->entries == RECORDING_ENTRIES_MOST)
        return -E2BIG;
    *out = new_node(tree, directory, name, len, place);
    return 0;
}

int filetree_enter(struct filetree *tree, const char *path, struct node **out)
{
    struct node *node = tree->top;
    for (const char *at = path; *at;) {
        size_t len = strcspn(at, "/");
        int r = filetree_add(tree, node, at, len, &node);
        if (r == 0)
            r = filetree_make_directory(tree, node);
        if (r < 0)
            return r == -EEXIST ? -ENOTDIR : r;
        at += len;
        if (*at == '/' && !*++at)
            return -EINVAL;
    }
    *out = node;
    return 0;
}

int filetree_add_path(struct filetree *tree, const char *path, struct node **out)
{
    const char *slash = strrchr(path, '/');
    size_t len = slash ? (size_t)(slash - path) : 0;
    if (slash == path)
        return -EINVAL;
    if (!tree->entered || strlen(tree->entered_path) != len || memcmp(tree->entered_path, path, len) != 0) {
        tree->entered_path = arena_strndup(tree->arena, path, len);
        tree->entered = NULL;
        int r = filetree_enter(tree, tree->entered_path, &tree->entered);
        if (r < 0)
            return r;
    }
    const char *name = slash ? slash + 1 : path;
    return filetree_add(tree, tree->entered, name, strlen(name), out);
}

/* Counts the space it will take in a file system. */
static int take_room(struct filetree *tree, size_t len)
{
    uint64_t blocks = (len + RECORDING_BLOCK - 1) / RECORDING_BLOCK;
    tree->room += (blocks ? blocks : 1) * RECORDING_BLOCK;
    return tree->room > RECORDING_ROOM_MOST ? -EFBIG : 0;
}

int filetree_make_directory(struct filetree *tree, struct node *node)
{
    if (node->kind == NODE_DIRECTORY)
        return 0;
    if (node->kind != NODE_NONE)
        return -EEXIST;
    node->kind = NODE_DIRECTORY;
    return take_room(tree, 0);
}

static bool is_below_sys(const struct node *node)
{
    while (node->depth > 1)
        node = node->parent;
    return strcmp(node->name, "sys") == 0;
}

int filetree_make_file(struct filetree *tree, struct node *node, const char *data, size_t len)
{
    if (node->kind != NODE_NONE)
        return -EEXIST;
    if (len > RECORDING_FILE_MOST || (len > RECORDING_SYS_MOST && is_below_sys(node)))
        return -EFBIG;
    node->kind = NODE_FILE;
    node->data = data;
    node->len = len;
    return take_room(tree, len);
}

int filetree_make_link(struct filetree *tree, struct node *node, const char *target, size_t len)
{
    if (node->kind != NODE_NONE)
        return -EEXIST;
    if (len == 0 || memchr(target, '\0', len))
        return -EINVAL;
    if (len > RECORDING_TARGET_MOST)
        return -ENAMETOOLONG;
    node->kind = NODE_LINK;
    node->data = target;
    node->len = len;
    return take_room(tree, 0);
}

int filetree_make_error(struct node *node, int err)
{
    if (node->err)
        return -EEXIST;
    if (strchr(node->name, '['))
        return -EINVAL;
    for (const struct node *at = node; at; at = at->parent)
        if (strpbrk(at->name, "\t\n"))
            return -EINVAL;
    node->err = err;
    return 0;
}

const char *filetree_keep(struct filetree *tree, const void *data, size_t len)
{
    return len ? arena_strndup(tree->arena, data, len) : "";
}

void filetree_path(const struct node *node, struct bytes *out)
{
    if (!node->parent) {
        bytes_append(out, "", 0);
        return;
    }
    filetree_path(node->parent, out);
    bytes_printf(out, "%s%s", out->len && out->data[out->len - 1] != '/' ? "/" : "", node->name);
}

bool node_is_told_only(const struct node *node, uint64_t *steps)
{
    ++*steps;
    if (node->kind != NODE_DIRECTORY)
        return node->kind == NODE_NONE;
    bool told = node->err != 0;
    for (const struct node *child = node->children; told && child; child = child->next)
        told = node_is_told_only(child, steps);
    return told;
}

static int by_name(const void *a, const void *b)
{
    return text_version_compare((*(struct node *const *)a)->name, (*(struct node *const *)b)->name);
}

struct node **filetree_children(const struct node *directory)
{
    struct node **children = mem_alloc(directory->nchildren + 1, sizeof(struct node *));
    size_t count = 0;
    for (struct node *node = directory->children; node; node = node->next)
        children[count++] = node;
    qsort(children, count, sizeof(*children), by_name);
    return children;
}

/* Puts the link's target in front of the rest of the path. */
static int follow(char rest[static PATH_MAX], const struct node *link, const char *behind)
{
    char joined[PATH_MAX];
    int n = snprintf(joined, sizeof(joined), "%s/%s", link->data, behind);
    if (n < 0 || (size_t)n >= sizeof(joined))
        return -ENAMETOOLONG;
    memcpy(rest, joined, (size_t)n + 1);
    return 0;
}

static int step(struct filetree *tree, struct node *node, const char *name, size_t len, struct node **out)
{
    if (++tree->steps > RECORDING_STEPS_MOST)
        return -E2BIG;
    bool stays = len == 0 || is_word(name, len, "."), up = is_word(name, len, "..");
    *out = stays ? node : up ? (node->parent ? node->parent : node) : filetree_find(tree, node, name, len);
    if (tree->load && (!*out || (*out)->kind == NODE_NONE)) {
        int r = tree->load(tree->load_data, node, name, len, out);
        return r < 0 && (r != -ENOENT || !*out) ? r : 0;
    }
    return *out ? 0 : len > NAME_MAX ? -ENAMETOOLONG : -ENOENT;
}

int filetree_look_up(struct filetree *tree, const struct node *from, const char *path, bool follow_last,
                     struct node **out)
{
    char rest[PATH_MAX];
    struct node *node = (struct node *)from;
    int links = 0;
    size_t len = strlen(path);
    if (len >= sizeof(rest))
        return -ENAMETOOLONG;
    memcpy(rest, path, len + 1);
    for (const char *at = rest; *at;) {
        len = strcspn(at, "/");
        const char *behind = at + len + strspn(at + len, "/");
        if (len && node->kind != NODE_DIRECTORY && node->kind != NODE_NONE)
            return -ENOTDIR;
        struct node *next = NULL;
        int r = step(tree, node, at, len, &next);
        /* what isn't told of a directory that could not be read isn't known to be missing */
        if (r < 0 || !next)
            return r == -ENOENT && node->err ? -node->err : r;
        if (next->kind != NODE_LINK || (!follow_last && !at[len])) {
            node = next;
            at = behind;
            continue;
        }
        if (++links > MOST_LINKS)
            return -ELOOP;
        node = next->data[0] == '/' ? tree->top : node;
        tree->steps += (next->len + strlen(behind)) / 64; /* they are copied */
        r = follow(rest, next, behind);
        if (r < 0)
            return r;
        at = rest;
    }
    *out = node;
    return 0;
}

struct node *filetree_resolve(struct filetree *tree, const char *path)
{
    struct node *node = NULL;
    return filetree_look_up(tree, tree->top, path, true, &node) < 0 ? NULL : node;
}
