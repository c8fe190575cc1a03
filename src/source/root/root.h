/* SPDX-License-Identifier: MIT */
/* Files, live or recorded. */
#pragma once

/* What a root is asked, and what it answers. */

struct root;

/* Bytes that stay valid until the next read from the same root; NUL-terminated after len. */
struct span {
    const char *data;
    size_t len;
};

enum {
    ROOT_FILE_MOST = 1 << 20,
    ROOT_REPLY_MOST = 64 << 20,
    ROOT_REDUCED_MOST = 16 << 20, /* for a file that is read in pieces */
    /* for a recording, which anyone may have made; below sys/ the kernel gives a page or a few */
    ROOT_SYS_MOST = 64 << 10,
    ROOT_NAMES_MOST = 1 << 18,   /* in a directory, on a live machine too */
    ROOT_FILES_MOST = 2 << 20,   /* files and directories that one reading may look for */
    ROOT_BYTES_MOST = 256 << 20, /* and their total size */
};

/* The form a file is expected to have, which is all that an anonymised recording keeps of it. "{name}" and the
 * like stand for a value of some type (listed in anonymise/form.c), "{up|down}" for one of the kernel's words,
 * a blank for blanks, and anything else for itself. If a form has several lines, the first that fits counts. A
 * form that ends with a newline describes each line of the file, and lines that don't fit are left out;
 * otherwise it describes a one-line file. NULL: the whole file is left out. */
#define FORM_NUMBER \
    "{number}\nN/A (no PMA)\nN/A" /* a driver's word for a counter, bonding's for LACP's values */

/* What a read gave. */
enum root_event { ROOT_FILE, ROOT_LINK, ROOT_LIST, ROOT_NODE };
struct root_answer {
    enum root_event event;
    const char *form; /* of a file */
    const char *path;
    const void *bytes; /* the names of a list */
    size_t len;
    int err; /* 0 or a positive errno */
};
/* A listener that sees what every read gave, for recording. */
typedef void root_tee(void *data, const struct root_answer *answer);

/* For what is in no file (our own environment, a trial): appends the answer to *answer. Returns 0 or -errno. */
typedef int root_fetcher(void *data, struct bytes *answer);

/* Appends the wanted parts of a piece of a large file to *kept. Returns how many bytes are done with (the rest
 * comes again, with what follows), or ROOT_ENOUGH if nothing that follows is wanted. */
typedef size_t root_reducer(void *data, const char *piece, size_t len, struct bytes *kept);
#define ROOT_ENOUGH SIZE_MAX

struct names {
    const char **items;
    size_t count;
};

/* Every file that roce reads is opened here: below "/", or in a recording, which no path or link leads out
 * of. */

struct filetree;
struct node;

/* path is a directory; recorded: a recording's, from an unknown source. Nothing but files and directories is
 * opened there, and its "errors" file says what could not be read. Returns 0 or -errno. */
int root_open(const char *path, bool recorded, struct root **root);
/* A recording in memory; takes over the tree. */
struct root *root_open_tree(struct filetree *tree);
void root_close(struct root *root); /* NULL is fine */
/* What the text of a recording says above its first directory, lines without a newline at the end; NULL:
 * nothing. */
const char *root_note(const struct root *root);
void root_set_tee(struct root *root, root_tee *tee, void *data);
bool root_is_recorded(const struct root *root);
/* The same for what could not be read only: recorded or not. NULL ends it. */
void root_set_lost(struct root *root, root_tee *lost, void *data);
/* root_begin() resets the count for each reading of a machine; root_is_exhausted(): was more asked for since
 * then than ROOT_FILES_MOST and ROOT_BYTES_MOST allow? Then everything after that gave -EFBIG. */
void root_begin(struct root *root);
bool root_is_exhausted(const struct root *root);
/* How many lines of a recording's "errors" make no sense. */
size_t root_bad_errors(const struct root *root);
/* Tells the listener about an answer that didn't come from a file: "netlink/NAME", "verbs/DEVICE". */
void root_tell_file(struct root *root, const char *form, const char *path, const void *bytes, size_t len,
                    int err);

/* Does the errno (of either sign) mean that the kernel simply doesn't offer it? ENOENT, ENOTDIR, ENODEV,
 * EINVAL, EOPNOTSUPP, ENODATA. Anything else is a problem. */
bool root_absent(int err);

/* Formats a path relative to the root. Returns 0, or -ENAMETOOLONG: then path is its beginning followed by "…",
 * good only for naming it. ROOT_PATH does this with the arguments after format. */
int root_path(char path[static PATH_MAX], const char *format, va_list args) PRINTF_LIKE(2, 0);
#define ROOT_PATH(result, path, format)             \
    do {                                            \
        va_list args;                               \
        va_start(args, format);                     \
        (result) = root_path((path), format, args); \
        va_end(args);                               \
    } while (0)

/* Reads a whole file. Returns 0 or -errno; -EFBIG above ROOT_FILE_MOST. The path is relative to the root,
 * without a leading slash. */
int root_read(struct root *root, struct span *out, const char *form, const char *format, ...) PRINTF_LIKE(4, 5);
/* Like root_read, for netlink replies and other big recorded files. */
int root_read_big(struct root *root, struct span *out, const char *form, const char *path);
/* Reads what reduce wants from a large file, which is all that *out and a recording get. */
int root_read_reduced(struct root *root, struct span *out, const char *form, const char *path,
                      root_reducer *reduce, void *data);
/* See root_fetcher: on a live machine fetch is called; in a recording the answer is the file at path. */
int root_fetch(struct root *root, struct span *out, const char *form, const char *path, root_fetcher *fetch,
               void *data);
/* Opens a file that has no end, for reading without blocking: a descriptor that the caller closes, or -errno.
 * (Not recorded: for a fetcher, which is only called on the live machine.) */
int root_open_stream(struct root *root, const char *path);
/* Reads the target of a symbolic link. */
int root_link(struct root *root, struct span *out, const char *format, ...) PRINTF_LIKE(3, 4);
/* Can a device node be opened for reading and writing? Returns 0 or -errno. A live one is opened and closed
 * again: access(2) ignores device cgroups. In a recording it can if there is a file and "errors" doesn't
 * mention it. */
int root_try_node(struct root *root, const char *path);
/* Is there anything at path? (Not recorded.) */
bool root_exists(struct root *root, const char *path);

/* From now on keeps files in directories held open, up to half of the descriptors that the process may have
 * (whose limit it raises to 8192, where it may): who reads them each second saves two of three calls. Below
 * /sys/class/infiniband it also keeps which directories, files and links there are, what the kernel fixes when
 * it registers a device: until the devices or netdevs are others, at most for a minute, and for two seconds
 * after that. What a removed device had fails then, and is opened anew. false: what is read from now on is read
 * as ever. */
void root_keep_open(struct root *root, bool keep);
/* Raises the limit of this process's descriptors to so many, as far as it may. Returns the limit. */
size_t root_descriptors(size_t wanted);

/* For fetchers: appends a regular file, which isn't recorded, to text. Stops soon after ROOT_FILE_MOST bytes
 * (text is longer then). Returns 0 or -errno. */
int root_peek_file(struct root *root, const char *path, struct bytes *text);

/* What a recorder also needs, itself not recorded: the target of a link, into target (PATH_MAX bytes), or
 * -errno if it isn't a link; whether path is a directory once links are followed. */
int root_peek_link(struct root *root, const char *path, char *target);
bool root_peek_directory(struct root *root, const char *path);

/* Lists a directory in version order, without names that begin with a dot; the array and the names live in
 * arena. On -errno, names is untouched. */
int root_list(struct root *root, struct arena *arena, struct names *names, const char *format, ...)
    PRINTF_LIKE(4, 5);

/* A directory held open: its files are opened by name, several times faster than by full path. */
struct root_dir {
    struct root *root;
    int fd;                  /* on the live machine */
    const struct node *node; /* in a recording */
    char *path;
    uint64_t path_hash;
};
struct root_dir *root_top(struct root *root); /* what paths are relative to */
int root_dir_open(struct root *root, struct root_dir *dir, const char *format, ...) PRINTF_LIKE(3, 4);
/* Opens a directory below it. Here and below, name may contain directories. */
int root_dir_open_in(const struct root_dir *parent, struct root_dir *dir, const char *name);
void root_dir_close(struct root_dir *dir); /* fine a second time, and on a zeroed one */
int root_dir_read(struct root_dir *dir, const char *form, const char *name, struct span *out);
/* As root_link(). */
int root_dir_link(struct root_dir *dir, const char *name, struct span *out);
int root_dir_list(struct root_dir *dir, struct arena *arena, struct names *names);

/* The few changes that commands make, only on the live machine (-EROFS in a recording); none is recorded.
 * Return 0 or -errno. In a recording, making a directory gives -EEXIST: its contents, or their error, are
 * already there. */
int root_make_directory(struct root *root, const char *path);
int root_remove_directory(struct root *root, const char *path);
int root_write(struct root *root, const char *path, const char *text);
