/* SPDX-License-Identifier: MIT */
/* A root from within, and what differs between a live machine's and a recording's. Private to root*.c. */
#pragma once

#include <stdbool.h>

#include "source/errors.h"
#include "source/root_types.h"

struct root_backend {
    bool bounded; /* what may be read has an end: the files are a stranger's */
    /* What it means that path could not be read (err: -errno): err itself, or what is known of it. */
    int (*failure)(struct root *root, const char *path, int err);
    /* Adds the names that belong to the directory although fd, opened at path, doesn't list them. Some may
     * be there twice then. */
    void (*add_names)(struct root *root, int fd, const char *path, struct arena *arena, struct names *names);
    /* As root.h says of root_try_node, root_fetch, root_make_directory and root_remove_directory. */
    int (*try_node)(struct root *root, const char *path);
    int (*fetch)(struct root *root, struct span *out, const char *path, root_fetcher *fetch, void *data);
    int (*make_directory)(struct root *root, const char *path);
    int (*remove_directory)(struct root *root, const char *path);
    /* A descriptor for writing, or -errno. */
    int (*open_to_write)(struct root *root, const char *path);
};

extern const struct root_backend root_live, root_recorded;

struct root {
    const struct root_backend *backend;
    int fd;
    bool no_openat2;
    struct bytes buffer;
    root_tee *tee;
    void *tee_data;
    bool strange;              /* a directory of a recording that roce hasn't made: anything may be in it */
    bool exhausted;            /* more was asked of it than it may take */
    uint64_t files, bytes;     /* that were read or looked for, of a recording */
    struct error_table errors; /* of a recording */
    size_t bad_errors;         /* its lines that make no sense */
    int unclosed, nunclosed;   /* the first of descriptors that follow each other, and how many they are */
};

/* Counts a file that is looked for. 0; -EFBIG: it may not be, for too much was read already. */
int root_spend(struct root *root, uint64_t bytes);
/* Opens a file or directory that path_fd has open with O_PATH, and closes path_fd; -EBADMSG: it is something
 * else. again, where there is no /proc to do it by: opens the same place once more, 0 or more, or -errno. */
typedef int root_open_again(const void *where, int flags);
int root_open_plain(int path_fd, int flags, root_open_again *again, const void *where);

/* A file descriptor that the caller closes, or -errno. flags as for open(2). */
int root_open_below(struct root *root, const char *path, int flags);
/* Files of a directory that is held open are read one after another, and closed many at a time: a call less
 * for each is an eighth of what reading it takes. Nothing else is opened while some are left. */
void root_close_later(struct root *root, int fd);
/* Closes those, and directory (-1: none) with them. */
void root_close_now(struct root *root, int directory);

/* Reads fd to its end, and leaves it to root_close_later(). 0 or -errno; -EFBIG above most. may_split: as in
 * /proc, a read that doesn't fill the buffer isn't the last one. */
int root_read_fd(struct root *root, int fd, size_t most, bool may_split, struct span *out);
/* Like root_read, of up to most bytes. */
int root_read_path(struct root *root, const char *path, size_t most, struct span *out);
/* Tells the listener; err of either sign. */
void root_tell(struct root *root, enum root_event event, const char *path, const void *bytes, size_t len,
               int err);
