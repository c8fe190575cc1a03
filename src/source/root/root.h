/* SPDX-License-Identifier: MIT */
/* Files, live or recorded. */
#pragma once

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "base/mem.h"

/* What is asked of a root, and what it answers with. */

struct root;

/* Bytes that stay valid until the next read from the same root; NUL-terminated behind len. */
struct span {
    const char *data;
    size_t len;
};

enum {
    ROOT_FILE_MOST = 1 << 20,
    ROOT_REPLY_MOST = 64 << 20,
    ROOT_REDUCED_MOST = 16 << 20, /* of a file that is read in pieces */
    /* of a recording, which anybody may have made. The kernel gives a page or a few below sys/. */
    ROOT_SYS_MOST = 64 << 10,
    ROOT_NAMES_MOST = 1 << 18,   /* in a directory, of a live machine, too */
    ROOT_FILES_MOST = 2 << 20,   /* files and directories that one reading may look for */
    ROOT_BYTES_MOST = 256 << 20, /* and what they may hold */
};

/* What a file is asked for as: its form, which is all that an anonymised recording keeps of it. "{name}" and
 * the like stand for a value of a type (anonymise/form.c has them), "{up|down}" for one of the kernel's
 * words, a blank for blanks, all else for itself. Of a form of several lines the first that fits counts.
 * Ending with a newline it is of each line of the file, and lines of no such form stay out; else it is of a
 * file of one line. NULL: all of it stays out. */
#define FORM_NUMBER \
    "{number}\nN/A (no PMA)\nN/A" /* a driver's word for a counter, bonding's for LACP's values */

/* What a read gave. */
enum root_event { ROOT_FILE, ROOT_LINK, ROOT_LIST, ROOT_NODE };
struct root_answer {
    enum root_event event;
    const char *form; /* of a file */
    const char *path;
    const void *bytes; /* of a list the names */
    size_t len;
    int err; /* 0 or a positive errno */
};
/* A listener that sees what every read gave, for recording. */
typedef void root_tee(void *data, const struct root_answer *answer);

/* What no file says (the own environment, a trial): appends the answer to *answer. 0 or -errno. */
typedef int root_fetcher(void *data, struct bytes *answer);

/* What is wanted of a piece of a large file: appends it to *kept, and says how many of the bytes are done
 * with (the rest comes again, with what follows); ROOT_ENOUGH: nothing of what follows is wanted. */
typedef size_t root_reducer(void *data, const char *piece, size_t len, struct bytes *kept);
#define ROOT_ENOUGH SIZE_MAX

struct names {
    const char **items;
    size_t count;
};

/* Every file that roce reads is opened here, below one directory: "/" or a recording's, or in a recording
 * that is in memory. Nothing that a path or a link in the tree says leads out of it (openat2 RESOLVE_IN_ROOT,
 * Linux 5.6; before that a walk of our own, component by component). */

struct filetree;
struct node;

/* path is a directory; recorded: read its "errors" file too. 0 or -errno. */
int root_open(const char *path, bool recorded, struct root **root);
/* A recording in memory; takes over the tree. */
struct root *root_open_tree(struct filetree *tree);
void root_close(struct root *root); /* NULL is fine */
void root_set_tee(struct root *root, root_tee *tee, void *data);
bool root_is_recorded(const struct root *root);
/* It is a directory of a recording, made by nobody knows whom: what is no file or directory isn't opened. */
void root_set_strange(struct root *root);
/* Each reading of a machine begins with nothing spent; was more asked for since than ROOT_FILES_MOST and
 * ROOT_BYTES_MOST allow? Then all that followed gave -EFBIG. */
void root_begin(struct root *root);
bool root_is_exhausted(const struct root *root);
/* How many lines of a recording's "errors" make no sense. */
size_t root_bad_errors(const struct root *root);
/* Tells the listener of an answer that came another way than by a file: "netlink/NAME", "verbs/DEVICE". */
void root_tell_file(struct root *root, const char *form, const char *path, const void *bytes, size_t len,
                    int err);

/* Does the kernel simply not offer it? ENOENT, ENOTDIR, ENODEV, EINVAL, EOPNOTSUPP, ENODATA (takes either
 * sign). All else is a problem. */
bool root_absent(int err);

/* The path that format makes, relative to the root. 0; -ENAMETOOLONG: then path is its beginning with "…"
 * behind, which is good for naming it only. ROOT_PATH does it with the arguments behind format. */
int root_path(char path[static PATH_MAX], const char *format, va_list args) PRINTF_LIKE(2, 0);
#define ROOT_PATH(result, path, format)             \
    do {                                            \
        va_list args;                               \
        va_start(args, format);                     \
        (result) = root_path((path), format, args); \
        va_end(args);                               \
    } while (0)

/* The whole of a file. 0 or -errno; -EFBIG above ROOT_FILE_MOST. The path is relative to the root, without a
 * leading slash. */
int root_read(struct root *root, struct span *out, const char *form, const char *format, ...) PRINTF_LIKE(4, 5);
/* Like root_read, for netlink replies and other big recorded files. */
int root_read_big(struct root *root, struct span *out, const char *form, const char *path);
/* What reduce wants of a large file, which is all that *out and a recording get of it. */
int root_read_reduced(struct root *root, struct span *out, const char *form, const char *path,
                      root_reducer *reduce, void *data);
/* As root_fetcher says; live, fetch is called, in a recording the answer is the file at path. */
int root_fetch(struct root *root, struct span *out, const char *form, const char *path, root_fetcher *fetch,
               void *data);
/* Opens a file that has no end, for reading without blocking: a descriptor that the caller closes, or -errno.
 * (Not recorded: for a fetcher, which is only called on the live machine.) */
int root_open_stream(struct root *root, const char *path);
/* The text of a symbolic link. */
int root_link(struct root *root, struct span *out, const char *format, ...) PRINTF_LIKE(3, 4);
/* Can a device node be opened for reading and writing? 0 or -errno. Live it is opened and closed again:
 * access(2) doesn't see a device cgroup. In a recording it can when there is a file and "errors" doesn't
 * speak of it. */
int root_try_node(struct root *root, const char *path);
/* Is there anything at path? (Not recorded.) */
bool root_exists(struct root *root, const char *path);

/* What a recorder asks besides, itself not recorded. The target of a link into target (PATH_MAX bytes),
 * -errno when it's none; is it a directory once links are followed? */
int root_peek_link(struct root *root, const char *path, char *target);
bool root_peek_directory(struct root *root, const char *path);

/* The names in a directory, in version order, those beginning with a dot left out; the array and the names
 * live in arena. -errno, and names is untouched. */
int root_list(struct root *root, struct arena *arena, struct names *names, const char *format, ...)
    PRINTF_LIKE(4, 5);

/* A directory held open: its files open with one component, several times faster than by whole path. */
struct root_dir {
    struct root *root;
    int fd;                  /* where the root has descriptors */
    const struct node *node; /* and where it is in memory */
    char *path;
    bool listed; /* it has been read to its end: it's to be wound back before it is again */
};
int root_dir_open(struct root *root, struct root_dir *dir, const char *format, ...) PRINTF_LIKE(3, 4);
/* One below it. In this and in what follows name may have directories in front. */
int root_dir_open_in(const struct root_dir *parent, struct root_dir *dir, const char *name);
void root_dir_close(struct root_dir *dir); /* also fine twice, and on a zeroed one */
int root_dir_read(struct root_dir *dir, const char *form, const char *name, struct span *out);
/* As root_link(). */
int root_dir_link(struct root_dir *dir, const char *name, struct span *out);
int root_dir_list(struct root_dir *dir, struct arena *arena, struct names *names);

/* The few changes that commands make, on the live machine only (-EROFS in a recording); none is recorded.
 * 0 or -errno. A recording says -EEXIST of a directory: what it would bring is there, or its error is. */
int root_make_directory(struct root *root, const char *path);
int root_remove_directory(struct root *root, const char *path);
int root_write(struct root *root, const char *path, const char *text);
