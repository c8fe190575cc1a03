/* SPDX-License-Identifier: MIT */
/* A root from within, and what differs between a live machine's and a recording's. Private to root*.c. */
#pragma once

#include <stdbool.h>

#include "source/root/root.h"

/* How the files of a root are reached. What is read goes to root->buffer; no call tells the listener. All
 * give 0 or -errno, what the machine itself says. */
struct root_files {
    int (*read)(struct root *root, const char *path, size_t most, struct span *out);
    /* The target of a link into target, PATH_MAX bytes; -EINVAL: it is none. */
    int (*link)(struct root *root, const char *path, char *target);
    bool (*is_there)(struct root *root, const char *path, bool as_directory);
    /* Opens a directory: sets what dir has for it. */
    int (*open)(struct root *root, const char *path, struct root_dir *dir);
    void (*close)(struct root_dir *dir);
    /* Appends the names in it but for those that begin with a dot, in any order, some maybe twice. */
    int (*names)(struct root_dir *dir, struct arena *arena, struct names *names);
    /* The same for what name is in an open directory. -ELOOP: it is to be asked for by its whole path. */
    int (*read_in)(const struct root_dir *dir, const char *name, size_t most, struct span *out);
    int (*link_in)(const struct root_dir *dir, const char *name, char *target);
    int (*open_in)(const struct root_dir *parent, const char *name, struct root_dir *dir);
};

struct root_backend {
    const struct root_files *files;
    bool recorded; /* what may be read has an end: the files are a stranger's */
    /* What it means that path could not be read (err: -errno): err itself, or what is known of it. */
    int (*failure)(struct root *root, const char *path, int err);
    /* Adds the names that belong to the directory although it doesn't list them; NULL: there are none. */
    void (*add_names)(const struct root_dir *dir, struct arena *arena, struct names *names);
    /* As root.h says of root_try_node, root_fetch, root_make_directory and root_remove_directory. */
    int (*try_node)(struct root *root, const char *path);
    int (*fetch)(struct root *root, struct span *out, const char *form, const char *path, root_fetcher *fetch,
                 void *data);
    int (*make_directory)(struct root *root, const char *path);
    int (*remove_directory)(struct root *root, const char *path);
    /* A descriptor for writing, or -errno. */
    int (*open_to_write)(struct root *root, const char *path);
};

/* By descriptors: below "/", or a recording's directory. */
extern const struct root_files root_by_descriptor;
/* The nodes of a recording that is in memory. */
extern const struct root_files root_by_node;
extern const struct root_backend root_live, root_recorded, root_in_memory;

/* The 51 counters of an mlx5_ib port take two calls, and no process is near its limit. */
enum { ROOT_UNCLOSED_MOST = 32 };

struct root {
    const struct root_backend *backend;
    int fd;                /* of its directory; -1: it is in memory */
    struct filetree *tree; /* in memory, or NULL */
    bool no_openat2;
    struct bytes buffer;
    root_tee *tee;
    void *tee_data;
    bool strange;          /* a directory of a recording that roce hasn't made: anything may be in it */
    bool exhausted;        /* more was asked of it than it may take */
    uint64_t files, bytes; /* that were read or looked for, of a recording */
    /* Of a recording's directory: what "errors" tells, at the paths that it names; and the last components of
     * these paths, in one directory. NULL: there is none. */
    struct filetree *errors, *error_names;
    size_t bad_errors;                           /* its lines that make no sense */
    int unclosed[ROOT_UNCLOSED_MOST], nunclosed; /* descriptors that root_close_later() keeps */
};

/* Counts a file that is looked for. 0; -EFBIG: it may not be, for too much was read already. */
int root_spend(struct root *root, uint64_t bytes);
/* A file descriptor that the caller closes, or -errno. flags as for open(2). Not in memory. */
int root_open_below(struct root *root, const char *path, int flags);
/* Files of a directory that is held open are read one after another, and closed many at a time: a call less
 * for each is an eighth of what reading it takes. Nothing else is opened while some are left. */
void root_close_later(struct root *root, int fd);
/* Closes those, and directory (-1: none) with them: what follows each other, in one call. */
void root_close_now(struct root *root, int directory);
/* What one file below path may have at most. */
size_t root_most_of(const struct root *root, const char *path, size_t most);
/* Like root_read, of up to most bytes. */
int root_read_path(struct root *root, const char *form, const char *path, size_t most, struct span *out);
/* Copies what was read to where it stays until the next read. */
struct span root_keep(struct root *root, const char *data, size_t len);
/* Tells the listener; err of either sign. */
void root_tell(struct root *root, enum root_event event, const char *form, const char *path, const void *bytes,
               size_t len, int err);

/* Opening a path below a directory without openat2: links are followed by hand, and neither they nor ".."
 * leave the directory. */

/* A file descriptor, or -errno; -ELOOP after 40 links. flags as for open(2). */
int walk_open(int root_fd, const char *path, int flags);
/* Where fd lies below root_fd, without a leading slash ("" is the root itself); NULL when it can't be told.
 * Caller frees. */
char *walk_path_of(int root_fd, int fd);
