/* SPDX-License-Identifier: MIT */
/* A recording in memory: directories, files, links, and the errnos for what could not be read. The one place
 * where names are checked: none is empty, ".", ".." or contains a slash, nothing is below a file or a link, and
 * everything stays within the limits below. So nothing made from a tree can end up outside the directory it is
 * made in. */
#pragma once

enum node_kind {
    NODE_NONE, /* only an errno: whether or not it exists, it could not be read */
    NODE_DIRECTORY,
    NODE_FILE,
    NODE_LINK,
};

struct node {
    const char *name; /* "" at the top */
    struct node *parent, *next, *children, *last_child;
    size_t nchildren;
    enum node_kind kind;
    int err;          /* positive errno from reading it, 0: none; nodes with a kind may have one too */
    const char *form; /* of a file just read: the form expected (source/root/root.h) */
    const char *data; /* of a file, or a link's target; NUL-terminated after len */
    size_t len;
    unsigned depth;
    size_t path_len;
};

/* A path outside sys/ that was asked for, and its form: NULL for a directory. */
struct asked {
    const char *path, *form;
};

struct filetree {
    struct arena *arena;
    struct node *top;
    const char *note; /* about the machine, lines ending in newlines; NULL if none */
    size_t entries;
    uint64_t room;
    struct asked *asked; /* while recording */
    size_t nasked;
    struct node *entered; /* by the last filetree_add_path() */
    const char *entered_path;
    struct node **table; /* by parent and name */
    size_t table_size;
    uint64_t seed;
    uint64_t steps; /* work that makes no entry: components looked up, names walked over or named again */
    /* If what the tree lacks may be elsewhere: adds a node that is looked for. Returns 0 or -errno. NULL: the
     * tree is all there is. */
    int (*load)(void *load_data, struct node *directory, const char *name, size_t len, struct node **node);
    void *load_data;
};

struct filetree *filetree_new(void);
void filetree_free(struct filetree *tree); /* NULL is fine */

/* NULL if there is none. */
struct node *filetree_find(const struct filetree *tree, const struct node *directory, const char *name,
                           size_t len);
/* Finds the node or makes it as NODE_NONE; directory becomes one if it had no kind. Returns 0; -EINVAL if name
 * isn't valid; -EPERM for NOTE and errors at the top, which are made from the rest; -ENAMETOOLONG; -ENOTDIR if
 * directory is a file or a link; -E2BIG if there are too many. */
int filetree_add(struct filetree *tree, struct node *directory, const char *name, size_t len,
                 struct node **node);
/* Finds or makes the directory at path (no leading slash; "": the top) and all above it. */
int filetree_enter(struct filetree *tree, const char *path, struct node **directory);
/* The same, but the last component has no kind if it is new. */
int filetree_add_path(struct filetree *tree, const char *path, struct node **node);

/* Give a node without a kind one. Return 0; -EEXIST if it is something else already; -EFBIG above the limits.
 * The bytes must live as long as the tree, with a NUL after len: filetree_keep() makes such a copy. */
int filetree_make_directory(struct filetree *tree, struct node *node); /* fine twice */
int filetree_make_file(struct filetree *tree, struct node *node, const char *data, size_t len);
int filetree_make_link(struct filetree *tree, struct node *node, const char *target, size_t len);
/* Also -EINVAL if no line of errors.h can express the path. */
int filetree_make_error(struct node *node, int err);
const char *filetree_keep(struct filetree *tree, const void *data, size_t len);

/* Is it nothing but an errno? A directory that could not be read contains nothing else: neither is made, so
 * that reading it gives the errno. Adds the entries that it looks at to *steps. */
bool node_is_told_only(const struct node *node, uint64_t *steps);

/* The path of a node, without a leading slash, appended to out. */
void filetree_path(const struct node *node, struct bytes *out);
/* The children in version order; the caller frees the array. */
struct node **filetree_children(const struct node *directory);
/* Follows path from the directory through its links (including the last one if follow_last), never out of the
 * tree. Returns 0, or -ENOENT, -ENOTDIR, -ELOOP after 40 links, -ENAMETOOLONG, as open(2) does; -E2BIG above
 * RECORDING_STEPS_MOST. */
int filetree_look_up(struct filetree *tree, const struct node *from, const char *path, bool follow_last,
                     struct node **node);
/* The same from the top; NULL if it leads nowhere. */
struct node *filetree_resolve(struct filetree *tree, const char *path);

/* Limits for a recording, which is text from anywhere. Generous for real machines: sixteen adapters with GID
 * tables of 256 slots and as many virtual functions, ten thousand queue pairs in one netlink answer. */

enum {
    RECORDING_TEXT_MOST = 256 << 20,  /* bytes of the file */
    RECORDING_LINE_MOST = 64 << 10,   /* bytes of one of its lines */
    RECORDING_ENTRIES_MOST = 1 << 18, /* files, links, directories and errnos, ranges counted one by one */
    RECORDING_DEPTH_MOST = 64,        /* nested directories */
    RECORDING_NAME_MOST = 255,        /* bytes of a name, unescaped */
    RECORDING_PATH_MOST = 2048,       /* bytes of a path */
    RECORDING_TARGET_MOST = 4000,     /* bytes of a link's target */
    RECORDING_FILE_MOST = 16 << 20,   /* bytes of a file */
    RECORDING_SYS_MOST = 64 << 10,    /* the same below sys/, where the kernel gives a page or a few */
    RECORDING_ROOM_MOST = 512 << 20,  /* bytes of all of them, unpacked */
    RECORDING_STEPS_MOST = 32 << 20,  /* of one reading, components looked up */
    RECORDING_WORK_MOST = 256 << 20,  /* memory for what a run makes of it: rows, lines of a tree */
    RECORDING_BLOCK = 4 << 10,        /* the least that a file, link or directory takes of that */
};
