/* SPDX-License-Identifier: MIT */
/* A recording in memory: directories, files, links, and errnos of what could not be read. The one place where
 * names are held against the rules: none is empty, ".", ".." or has a slash in it, nothing lies below a file
 * or a link, and all stays within the limits below. So nothing that is made from a tree can lie outside of
 * where it is made. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

enum node_kind {
    NODE_NONE, /* only an errno: it was there, or not, but could not be read */
    NODE_DIRECTORY,
    NODE_FILE,
    NODE_LINK,
};

struct node {
    const char *name; /* "" at the top */
    struct node *parent, *next, *children, *last_child;
    size_t nchildren;
    enum node_kind kind;
    int err;          /* positive errno that reading it gave, 0: none; what has a kind may have one besides */
    const char *form; /* of a file that was just read: as what (source/root/root.h) */
    const char *data; /* of a file or the target of a link; NUL-terminated behind len */
    size_t len;
    unsigned depth;
    size_t path_len;
};

/* A path outside of sys/ that was asked for, and as what: NULL, a directory. */
struct asked {
    const char *path, *form;
};

struct filetree {
    struct arena *arena;
    struct node *top;
    const char *note; /* about the machine, lines that each end with a newline; NULL: none */
    size_t entries;
    uint64_t room;
    struct asked *asked; /* while it is recorded */
    size_t nasked;
    struct node **table; /* by parent and name */
    size_t table_size;
    uint64_t seed;
};

struct filetree *filetree_new(void);
void filetree_free(struct filetree *tree); /* NULL is fine */

/* NULL when there is none. */
struct node *filetree_find(const struct filetree *tree, const struct node *directory, const char *name,
                           size_t len);
/* Finds or makes it, at first with NODE_NONE; a directory that had no kind becomes one. 0, or -EINVAL: no
 * name; -EPERM: NOTE and errors at the top are made from the rest; -ENAMETOOLONG; -ENOTDIR: directory is a
 * file or a link; -E2BIG: there are too many. */
int filetree_add(struct filetree *tree, struct node *directory, const char *name, size_t len,
                 struct node **node);
/* The directory at path (without a leading slash; "": the top), made with all above it. */
int filetree_enter(struct filetree *tree, const char *path, struct node **directory);
/* The same for the last component, of no kind when it is new. */
int filetree_add_path(struct filetree *tree, const char *path, struct node **node);

/* Give a node of no kind one. 0, -EEXIST: it is something else already; -EFBIG: above the limits. The bytes
 * must live as long as the tree and end with a NUL behind len: filetree_keep() makes such a copy. */
int filetree_make_directory(struct filetree *tree, struct node *node); /* also fine twice */
int filetree_make_file(struct filetree *tree, struct node *node, const char *data, size_t len);
int filetree_make_link(struct filetree *tree, struct node *node, const char *target, size_t len);
/* -EINVAL also: no line of errors.h can say the path. */
int filetree_make_error(struct filetree *tree, struct node *node, int err);
const char *filetree_keep(struct filetree *tree, const void *data, size_t len);

/* Is it nothing but an errno? A directory that could not be read holds such at most: neither is made, so that
 * reading it gives the errno. */
bool node_is_told_only(const struct node *node);

/* The path of a node, without a leading slash, appended to out. */
void filetree_path(const struct node *node, struct bytes *out);
/* The children in version order; the caller frees the array. */
struct node **filetree_children(const struct node *directory);
/* Where path leads from the directory when its links (the last one too when follow_last) are followed, never
 * out of the tree. 0; -ENOENT, -ENOTDIR, -ELOOP after 40 links, -ENAMETOOLONG, as open(2) has them. */
int filetree_look_up(const struct filetree *tree, const struct node *from, const char *path, bool follow_last,
                     struct node **node);
/* The same from the top; NULL when it leads nowhere. */
struct node *filetree_resolve(const struct filetree *tree, const char *path);

/* What a recording may hold at most: it is text from anywhere. Generous for real machines: sixteen adapters
 * with GID tables of 256 slots and as many virtual functions, ten thousand queue pairs in one answer of
 * netlink. */

enum {
    RECORDING_TEXT_MOST = 256 << 20,  /* bytes of the file */
    RECORDING_LINE_MOST = 64 << 10,   /* bytes of a line of it */
    RECORDING_ENTRIES_MOST = 1 << 18, /* files, links, directories and errnos, ranges counted one by one */
    RECORDING_DEPTH_MOST = 64,        /* directories in one another */
    RECORDING_NAME_MOST = 255,        /* bytes of a name, escapes resolved */
    RECORDING_PATH_MOST = 2048,       /* bytes of a path */
    RECORDING_TARGET_MOST = 4000,     /* bytes of what a link says */
    RECORDING_FILE_MOST = 16 << 20,   /* bytes of a file */
    RECORDING_SYS_MOST = 64 << 10,    /* the same below sys/, where the kernel gives a page or a few */
    RECORDING_ROOM_MOST = 512 << 20,  /* bytes of all of them, unpacked */
    RECORDING_BLOCK = 4 << 10,        /* what a file, a link or a directory takes of that at least */
};
