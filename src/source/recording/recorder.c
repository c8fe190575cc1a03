/* SPDX-License-Identifier: MIT */
/* Collects what is read from a root, including links on the way. */
#include "source/recording/recording.h"

#include "source/recording/lines.h"

enum { MOST_LINKS = 40 };

struct recorder {
    struct root *root;
    struct filetree *tree;
    int err; /* the first errno met */
    char directory[PATH_MAX],
        directory_real[PATH_MAX]; /* the directory of the last file, as requested and where it really is */
};

/* An existing entry was read in another way: the first one stays. */
static void note_failure(struct recorder *recorder, int err)
{
    if (recorder->err == 0 && err != EEXIST)
        recorder->err = err;
}

static void make_dirs(struct recorder *recorder, const char *path)
{
    struct node *directory;
    int r = filetree_enter(recorder->tree, path, &directory);
    if (r < 0)
        note_failure(recorder, -r);
}

static void make_link(struct recorder *recorder, const char *path, const char *target)
{
    struct node *node;
    int r = filetree_add_path(recorder->tree, path, &node);
    size_t len = strlen(target);
    if (r == 0 && node->kind == NODE_NONE)
        r = filetree_make_link(recorder->tree, node, filetree_keep(recorder->tree, target, len), len);
    if (r < 0)
        note_failure(recorder, -r);
}

static void make_file(struct recorder *recorder, const char *form, const char *path, const void *data,
                      size_t len)
{
    struct node *node;
    int r = filetree_add_path(recorder->tree, path, &node);
    if (r == 0 && node->kind == NODE_NONE) {
        char *copy = arena_strndup(recorder->tree->arena, len ? data : "", len);
        r = filetree_make_file(recorder->tree, node, copy, settle(path, copy, len));
        node->form = form;
    }
    if (r < 0)
        note_failure(recorder, -r);
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
    if (len == 0 || (len == 1 && name[0] == '.'))
        return 0;
    if (len == 2 && memcmp(name, "..", 2) == 0) {
        drop_last(path);
        return 0;
    }
    size_t used = strlen(path);
    if (used + len + 2 > PATH_MAX)
        return -ENAMETOOLONG;
    snprintf(path + used, PATH_MAX - used, "%s%.*s", used ? "/" : "", (int)len, name);
    return 0;
}

/* Keeps what mirror() found out about a directory for the next file in it: one may have hundreds, and each step
 * on the way takes three system calls. */
static void remember(struct recorder *recorder, const char *path, const char *real)
{
    const char *name = strrchr(path, '/');
    snprintf(recorder->directory, sizeof(recorder->directory), "%.*s", name && name[1] ? (int)(name - path) : 0,
             path);
    snprintf(recorder->directory_real, sizeof(recorder->directory_real), "%s", real);
}

/* The name in path if its directory is the one remembered, which is put in real; else path itself. */
static const char *recall(const struct recorder *recorder, const char *path, char real[static PATH_MAX])
{
    size_t len = strlen(recorder->directory);
    const char *name = strrchr(path, '/');
    real[0] = '\0';
    if (!len || !name || (size_t)(name - path) != len || memcmp(path, recorder->directory, len) != 0)
        return path;
    snprintf(real, PATH_MAX, "%s", recorder->directory_real);
    return name + 1;
}

/* Resolves path, and adds every link on the way (including the last one if follow) to the recording. Links
 * below /proc belong to this process: they are followed, but the recording keeps the path as requested. */
static int mirror(struct recorder *recorder, const char *path, bool follow, char real[static PATH_MAX])
{
    char rest[PATH_MAX], target[PATH_MAX], joined[PATH_MAX * 2];
    int links = 0;
    bool remembered = false;
    snprintf(rest, sizeof(rest), "%s", recall(recorder, path, real));
    if (text_starts(path, "proc/"))
        return append(real, path, strlen(path));
    while (*rest) {
        size_t len = strcspn(rest, "/");
        const char *behind = rest + len + strspn(rest + len, "/");
        bool last = *behind == '\0';
        if (last && !remembered) {
            remember(recorder, path, real);
            remembered = true;
        }
        int r = append(real, rest, len);
        if (r < 0)
            return r;
        if (*real && (!last || follow) && root_peek_link(recorder->root, real, target) == 0) {
            if (++links > MOST_LINKS)
                return -ELOOP;
            make_link(recorder, real, target);
            drop_last(real);
            if (target[0] == '/')
                real[0] = '\0';
            int n = snprintf(joined, sizeof(joined), "%s%s%s", target, last ? "" : "/", behind);
            if (n < 0 || (size_t)n >= sizeof(rest))
                return -ENAMETOOLONG;
            memcpy(rest, joined, (size_t)n + 1);
        } else {
            memmove(rest, behind, strlen(behind) + 1);
        }
    }
    return 0;
}

static void keep_error(struct recorder *recorder, const char *path, int err)
{
    struct node *node;
    if (err == ENOENT || err == ENOTDIR || !strerrorname_np(err))
        return;
    int r = filetree_add_path(recorder->tree, path, &node);
    if (r == 0 && !node->err)
        r = filetree_make_error(recorder->tree, node, err);
    if (r < 0 && r != -EINVAL && r != -ENOTDIR)
        note_failure(recorder, -r);
}

/* Keeps a link, and its target if that is a directory, so that none dangles and its name can be read. */
static void keep_link(struct recorder *recorder, const char *path)
{
    char real[PATH_MAX];
    if (mirror(recorder, path, true, real) == 0 && root_peek_directory(recorder->root, real))
        make_dirs(recorder, real);
}

static void keep_list(struct recorder *recorder, const char *path, const char *const *names, size_t count)
{
    char real[PATH_MAX], entry[PATH_MAX * 2], target[PATH_MAX];
    int r = mirror(recorder, path, true, real);
    if (r < 0) {
        note_failure(recorder, -r);
        return;
    }
    make_dirs(recorder, real);
    for (size_t i = 0; i < count; i++) {
        int n = snprintf(entry, sizeof(entry), "%s/%s", real, names[i]);
        if (n < 0 || n >= PATH_MAX)
            continue;
        if (root_peek_link(recorder->root, entry, target) == 0)
            keep_link(recorder, entry);
        else if (root_peek_directory(recorder->root, entry))
            make_dirs(recorder, entry);
    }
}

static void keep_failure(struct recorder *recorder, const struct root_answer *answer)
{
    char real[PATH_MAX];
    if (mirror(recorder, answer->path, answer->event != ROOT_LINK, real) == 0 &&
        (answer->event != ROOT_LINK || answer->err != EINVAL))
        keep_error(recorder, real, answer->err);
}

static void keep_file(struct recorder *recorder, const struct root_answer *answer)
{
    char real[PATH_MAX];
    int r = mirror(recorder, answer->path, true, real);
    if (r < 0)
        note_failure(recorder, -r);
    else
        make_file(recorder, answer->form, real, answer->bytes, answer->len);
}

void recorder_tee(void *data, const struct root_answer *answer)
{
    struct recorder *recorder = data;
    struct filetree *tree = recorder->tree;
    if (answer->event != ROOT_LINK && !text_starts(answer->path, "sys/"))
        *ARENA_PUSH(tree->arena, tree->asked,
                    tree->nasked) = (struct asked){ arena_strdup(tree->arena, answer->path), answer->form };
    if (answer->err)
        keep_failure(recorder, answer);
    else if (answer->event == ROOT_LIST)
        keep_list(recorder, answer->path, answer->bytes, answer->len);
    else if (answer->event == ROOT_LINK)
        keep_link(recorder, answer->path);
    else
        keep_file(recorder, answer);
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
