/* SPDX-License-Identifier: MIT */
/* Collects what is read from a root, including links on the way. */
#include "source/recording/recording.h"

#include "source/recording/lines.h"

enum { MOST_LINKS = 40 };

struct recorder {
    struct root *root;
    struct filetree *tree;
    int err; /* the first errno met */
};

/* An existing entry was read in another way: the first one stays. */
static void note(struct recorder *recorder, int r)
{
    if (r < 0 && recorder->err == 0 && r != -EEXIST)
        recorder->err = -r;
}

static void make_dirs(struct recorder *recorder, const char *path)
{
    struct node *directory;
    note(recorder, filetree_enter(recorder->tree, path, &directory));
}

static void make_link(struct recorder *recorder, const char *path, const char *target)
{
    struct node *node;
    int r = filetree_add_path(recorder->tree, path, &node);
    size_t len = strlen(target);
    if (r == 0 && node->kind == NODE_NONE)
        r = filetree_make_link(recorder->tree, node, filetree_keep(recorder->tree, target, len), len);
    note(recorder, r);
}

static void make_file(struct recorder *recorder, const char *path, const struct root_answer *answer)
{
    struct node *node;
    int r = filetree_add_path(recorder->tree, path, &node);
    if (r == 0 && node->kind == NODE_NONE) {
        char *copy = arena_strndup(recorder->tree->arena, answer->len ? answer->bytes : "", answer->len);
        r = filetree_make_file(recorder->tree, node, copy, settle(path, copy, answer->len));
        node->form = answer->form;
    }
    note(recorder, r);
}

static void make_error(struct recorder *recorder, const char *path, int err)
{
    struct node *node;
    if (err == ENOENT || err == ENOTDIR || !strerrorname_np(err))
        return;
    int r = filetree_add_path(recorder->tree, path, &node);
    if (r == 0 && !node->err)
        r = filetree_make_error(node, err);
    note(recorder, r == -EINVAL || r == -ENOTDIR ? 0 : r);
}

static void copy(char to[static PATH_MAX], const char *from, size_t len)
{
    memcpy(to, from, len);
    to[len] = '\0';
}

/* Removes the last component; at the top it stays "". */
static void drop_last(char *path)
{
    char *slash = strrchr(path, '/');
    *(slash ? slash : path) = '\0';
}

/* Appends a component, or goes up. */
static int append(char path[static PATH_MAX], const char *name, size_t len)
{
    size_t used = strlen(path);
    if (len == 0 || (len == 1 && name[0] == '.'))
        return 0;
    if (len == 2 && memcmp(name, "..", 2) == 0) {
        drop_last(path);
        return 0;
    }
    if (used + len + 2 > PATH_MAX)
        return -ENAMETOOLONG;
    if (used)
        path[used++] = '/';
    copy(path + used, name, len);
    return 0;
}

/* The directory at path, if it was found before. */
static struct node *known_directory(struct recorder *recorder, const char *path)
{
    struct node *node = recorder->tree->top;
    if (*path && filetree_look_up(recorder->tree, node, path, false, &node) < 0)
        return NULL;
    return node->kind == NODE_DIRECTORY ? node : NULL;
}

/* What a component leads to from there, if both were found before. */
static struct node *known_step(struct recorder *recorder, struct node *directory, const char *name, size_t len)
{
    if (!directory || len == 0 || (len == 1 && name[0] == '.'))
        return directory;
    return len == 2 && memcmp(name, "..", 2) == 0 ? directory->parent
                                                  : filetree_find(recorder->tree, directory, name, len);
}

/* Is there a link? Only what wasn't found before has to be asked for. */
static bool is_link_at(struct recorder *recorder, const struct node *known, const char *path,
                       char target[static PATH_MAX])
{
    if (known && known->kind == NODE_DIRECTORY)
        return false;
    if (!known || known->kind != NODE_LINK)
        return root_peek_link(recorder->root, path, target) == 0;
    copy(target, known->data, known->len);
    return true;
}

/* Resolves path, and adds every link on the way (including the last one if follow) to the recording. Links
 * below /proc belong to this process: they are followed, but the recording keeps the path as requested. */
static int mirror(struct recorder *recorder, const char *path, bool follow, char real[static PATH_MAX])
{
    char rest[PATH_MAX], target[PATH_MAX], joined[PATH_MAX * 2];
    size_t len = strlen(path);
    int links = 0;
    real[0] = '\0';
    if (len >= PATH_MAX)
        return -ENAMETOOLONG;
    if (text_starts(path, "proc/"))
        return append(real, path, len);
    copy(rest, path, len);
    struct node *at = recorder->tree->top;
    while (*rest) {
        len = strcspn(rest, "/");
        const char *behind = rest + len + strspn(rest + len, "/");
        bool last = *behind == '\0';
        int r = append(real, rest, len);
        if (r < 0)
            return r;
        struct node *node = known_step(recorder, at, rest, len);
        if (!*real || (last && !follow) || !is_link_at(recorder, node, real, target)) {
            at = node && node->kind == NODE_DIRECTORY ? node : NULL;
            memmove(rest, behind, strlen(behind) + 1);
            continue;
        }
        if (++links > MOST_LINKS)
            return -ELOOP;
        make_link(recorder, real, target);
        drop_last(real);
        if (target[0] == '/')
            real[0] = '\0';
        at = known_directory(recorder, real);
        int n = snprintf(joined, sizeof(joined), "%s%s%s", target, last ? "" : "/", behind);
        if (n < 0 || (size_t)n >= sizeof(rest))
            return -ENAMETOOLONG;
        copy(rest, joined, (size_t)n);
    }
    return 0;
}

/* Keeps a link, and its target if that is a directory, so that none dangles and its name can be read. */
static void keep_link(struct recorder *recorder, const char *path)
{
    char real[PATH_MAX];
    if (mirror(recorder, path, true, real) == 0 && root_peek_directory(recorder->root, real))
        make_dirs(recorder, real);
}

static void keep_list(struct recorder *recorder, const char *real, const char *const *names, size_t count)
{
    char entry[PATH_MAX * 2], target[PATH_MAX];
    make_dirs(recorder, real);
    struct node *directory = known_directory(recorder, real);
    for (size_t i = 0; i < count; i++) {
        struct node *node = known_step(recorder, directory, names[i], strlen(names[i]));
        int n = snprintf(entry, sizeof(entry), "%s/%s", real, names[i]);
        if (n < 0 || n >= PATH_MAX)
            continue;
        if (is_link_at(recorder, node, entry, target))
            keep_link(recorder, entry);
        else if (root_peek_directory(recorder->root, entry))
            make_dirs(recorder, entry);
    }
}

void recorder_tee(void *data, const struct root_answer *answer)
{
    struct recorder *recorder = data;
    struct filetree *tree = recorder->tree;
    char real[PATH_MAX];
    bool is_link = answer->event == ROOT_LINK, in_sys = text_starts(answer->path, "sys/");
    if (!is_link && !in_sys)
        *ARENA_PUSH(tree->arena, tree->asked,
                    tree->nasked) = (struct asked){ arena_strdup(tree->arena, answer->path), answer->form };
    if (is_link && !answer->err) {
        keep_link(recorder, answer->path);
        return;
    }
    /* a link in sysfs leads to a directory (sysfs_create_link of fs/sysfs/symlink.c takes kobjects) */
    bool may_be_link = answer->event == ROOT_FILE ? !in_sys : !is_link;
    int r = mirror(recorder, answer->path, may_be_link, real);
    if (r < 0)
        note(recorder, answer->err ? 0 : r);
    else if (answer->err)
        make_error(recorder, real, is_link && answer->err == EINVAL ? ENOENT : answer->err);
    else if (answer->event == ROOT_LIST)
        keep_list(recorder, real, answer->bytes, answer->len);
    else
        make_file(recorder, real, answer);
}

struct recorder *recorder_new(struct root *root)
{
    struct recorder *recorder = mem_alloc(1, sizeof(*recorder));
    recorder->root = root;
    recorder->tree = filetree_new();
    return recorder;
}

void recorder_abandon(struct recorder *recorder)
{
    if (!recorder)
        return;
    filetree_free(recorder->tree);
    free(recorder);
}

int recorder_finish(struct recorder *recorder, struct filetree **tree)
{
    int err = recorder->err;
    make_dirs(recorder, "sys"); /* even for a machine without RDMA: it marks a recording */
    if (err == 0) {
        *tree = recorder->tree;
        recorder->tree = NULL;
    }
    recorder_abandon(recorder);
    return -err;
}
