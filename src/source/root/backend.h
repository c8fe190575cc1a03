/* SPDX-License-Identifier: MIT */
/* The internals of a root, and what differs between live machines and recordings. Private to this directory. */
#pragma once

#include "source/root/root.h"

/* What is read goes to root->buffer, or stays where the recording has it; no call notifies the listener. Paths
 * are relative to the directory `from`. All return 0 or -errno: the machine's own, or the recorded one. */
struct root_backend {
    bool recorded; /* reading is limited: the files are untrusted */
    int (*read)(const struct root_dir *from, const char *path, size_t most, struct span *out);
    /* Reads a file through reduce. */
    int (*reduce)(struct root *root, const char *path, root_reducer *reduce, void *data);
    /* Stores the target of a link in target, PATH_MAX bytes; -EINVAL if it isn't a link. */
    int (*link)(const struct root_dir *from, const char *path, char *target);
    bool (*is_there)(struct root *root, const char *path, bool as_directory);
    /* Opens a directory: sets dir's descriptor or node. */
    int (*open)(const struct root_dir *from, const char *path, struct root_dir *dir);
    /* Appends its names except those that begin with a dot, in any order, some perhaps twice. */
    int (*names)(const struct root_dir *dir, struct arena *arena, struct names *names);
    /* As described in root.h: root_try_node, root_fetch, root_make_directory and root_remove_directory. */
    int (*try_node)(struct root *root, const char *path);
    int (*fetch)(struct root *root, const char *path, root_fetcher *fetch, void *data, struct span *out);
    int (*make_directory)(struct root *root, const char *path);
    int (*remove_directory)(struct root *root, const char *path);
    /* A descriptor for writing, or -errno. */
    int (*open_to_write)(struct root *root, const char *path);
};

extern const struct root_backend root_live, root_recorded;

/* Takes two calls for the 51 counters of an mlx5_ib port, and brings no process near its limit. */
enum { ROOT_UNCLOSED_MOST = 32 };

/* What is known of a path below a directory that is read again and again (see root_keep_open()). */
struct kept_path {
    char *path;         /* NULL: a free place */
    int fd;             /* of a file; -1: none now */
    int missing;        /* -ENOENT; 0: unknown */
    bool is_fixed;      /* what follows is known, once looked for */
    bool is_directory;  /* false: unknown */
    struct names names; /* in that directory, in the root's arena */
    bool has_names;
    char *target; /* of a link, likewise; NULL: unknown */
};

struct root {
    const struct root_backend *backend;
    struct root_dir top; /* its descriptor: of the machine's or a recording's directory; -1: in memory */
    struct bytes buffer;
    root_tee *tee;
    void *tee_data;
    root_tee *lost; /* is told of failures only */
    void *lost_data;
    /* A recording's. For a directory: what has been looked for in it, and its "errors". */
    struct filetree *tree;
    /* The directories opened last: a GID has files in three. */
    struct {
        const struct node *node; /* NULL: none */
        int fd;
    } opened[4];
    unsigned oldest;
    const struct node *held; /* the file found last, and a descriptor that holds it; NULL: none */
    int held_fd;
    bool exhausted;                              /* more was asked for than is allowed */
    uint64_t files, bytes;                       /* read or looked for in a recording */
    size_t bad_errors;                           /* lines of "errors" that make no sense */
    int unclosed[ROOT_UNCLOSED_MOST], nunclosed; /* descriptors that root_read_fd() keeps */
    /* By their paths' hash, twice as many as are used at most; NULL: none are kept. */
    struct kept_path *kept;
    struct arena *kept_arena;
    size_t nkept, kept_most;
    uint64_t kept_devices, kept_until; /* which devices there were; when to look anew, as clock_ms() */
    bool keeping;
};

/* Counts a file that is looked for. Returns 0, or -EFBIG if too much was read already. */
int root_spend(struct root *root, uint64_t bytes);
/* Returns a file descriptor of the live machine that the caller closes, or -errno. flags as for open(2). */
int root_open_below(struct root *root, const char *path, int flags);
/* Reads the file from its descriptor, which root_close_now() closes. may_split: a read may return only part of
 * it. */
int root_read_fd(struct root *root, int fd, size_t most, bool may_split, struct span *out);
/* Files of a directory held open are read one after another and closed many at a time: saving a call for each
 * saves an eighth of the reading time. Nothing else is opened while some are left. This closes those and
 * directory (-1: none), consecutive descriptors in one call. */
void root_close_now(struct root *root, int directory);
void root_close_kept(struct root *root);
/* As root_backend.names, of a directory's descriptor. */
int root_names_of_fd(int fd, struct arena *arena, struct names *names);

/* Closes the directories that a recording in a directory keeps open for speed. */
void root_close_directories(struct root *root);
/* Starts the tree of a recording's directory afresh: nothing is known of it but what its "errors" says. Returns
 * 0 or -errno. */
int root_forget_directory(struct root *root);
