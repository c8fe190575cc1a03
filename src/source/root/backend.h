/* SPDX-License-Identifier: MIT */
/* The inside of a root, and what differs between live machines and recordings. Private to root*.c. */
#pragma once

#include "source/root/root.h"

/* How the files of a root are reached. What is read goes to root->buffer; no call tells the listener. All
 * return 0 or the machine's own -errno. */
struct root_files {
    int (*read)(struct root *root, const char *path, size_t most, struct span *out);
    /* Stores the target of a link in target, PATH_MAX bytes; -EINVAL if it isn't a link. */
    int (*link)(struct root *root, const char *path, char *target);
    bool (*is_there)(struct root *root, const char *path, bool as_directory);
    /* Opens a directory: sets dir's fields for it. */
    int (*open)(struct root *root, const char *path, struct root_dir *dir);
    void (*close)(struct root_dir *dir);
    /* Appends its names except those that begin with a dot, in any order, some perhaps twice. */
    int (*names)(struct root_dir *dir, struct arena *arena, struct names *names);
    /* The same for name in an open directory. -ELOOP: ask for it by its whole path. */
    int (*read_in)(const struct root_dir *dir, const char *name, size_t most, struct span *out);
    int (*link_in)(const struct root_dir *dir, const char *name, char *target);
    int (*open_in)(const struct root_dir *parent, const char *name, struct root_dir *dir);
};

struct root_backend {
    const struct root_files *files;
    bool recorded; /* reading is limited: the files are a stranger's */
    /* What a failure to read path (err: -errno) means: err itself, or what is known about it. */
    int (*failure)(struct root *root, const char *path, int err);
    /* Adds names that belong to the directory although it doesn't list them; NULL if none. */
    void (*add_names)(const struct root_dir *dir, struct arena *arena, struct names *names);
    /* As described in root.h: root_try_node, root_fetch, root_make_directory and root_remove_directory. */
    int (*try_node)(struct root *root, const char *path);
    int (*fetch)(struct root *root, struct span *out, const char *form, const char *path, root_fetcher *fetch,
                 void *data);
    int (*make_directory)(struct root *root, const char *path);
    int (*remove_directory)(struct root *root, const char *path);
    /* A descriptor for writing, or -errno. */
    int (*open_to_write)(struct root *root, const char *path);
};

/* By descriptor: below "/" or a recording's directory. */
extern const struct root_files root_by_descriptor;
/* The nodes of a recording in memory. */
extern const struct root_files root_by_node;
extern const struct root_backend root_live, root_recorded, root_in_memory;

/* The 51 counters of an mlx5_ib port take two calls, and no process is near its limit. */
enum { ROOT_UNCLOSED_MOST = 32 };

struct root {
    const struct root_backend *backend;
    int fd;                /* of its directory; -1 if it is in memory */
    struct filetree *tree; /* in memory, or NULL */
    bool no_openat2;
    struct bytes buffer;
    root_tee *tee;
    void *tee_data;
    bool strange;          /* a recording's directory that roce didn't make: may contain anything */
    bool exhausted;        /* it was asked for more than is allowed */
    uint64_t files, bytes; /* read or looked for in a recording */
    /* For a recording's directory: the contents of "errors", at the paths it names; and the last components of
     * these paths, in one directory. NULL if there is none. */
    struct filetree *errors, *error_names;
    size_t bad_errors;                           /* its lines that make no sense */
    int unclosed[ROOT_UNCLOSED_MOST], nunclosed; /* descriptors that root_close_later() keeps */
};

/* Counts a file that is looked for. Returns 0, or -EFBIG if too much was read already. */
int root_spend(struct root *root, uint64_t bytes);
/* Returns a file descriptor that the caller closes, or -errno. flags as for open(2). Not for roots in
 * memory. */
int root_open_below(struct root *root, const char *path, int flags);
/* Files of a directory held open are read one after another and closed many at a time: saving a call for each
 * saves an eighth of the time to read it. Nothing else is opened while some are left. */
void root_close_later(struct root *root, int fd);
/* Closes those and directory (-1: none), consecutive descriptors in one call. */
void root_close_now(struct root *root, int directory);
/* The size limit for one file below path. */
size_t root_most_of(const struct root *root, const char *path, size_t most);
/* Like root_read, for up to most bytes. */
int root_read_path(struct root *root, const char *form, const char *path, size_t most, struct span *out);
/* Copies data to where it stays until the next read. */
struct span root_keep(struct root *root, const char *data, size_t len);
/* Tells the listener; err may have either sign. */
void root_tell(struct root *root, enum root_event event, const char *form, const char *path, const void *bytes,
               size_t len, int err);

/* Opens a path below a directory without openat2: follows links by hand, and neither they nor ".." lead out of
 * it. */

/* Returns a file descriptor, or -errno; -ELOOP after 40 links. flags as for open(2). */
int walk_open(int root_fd, const char *path, int flags);
/* Where fd is below root_fd, without a leading slash ("" is the root itself); NULL if that can't be told.
 * Caller frees it. */
char *walk_path_of(int root_fd, int fd);
