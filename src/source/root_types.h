/* SPDX-License-Identifier: MIT */
/* What is asked of a root, and what it answers with. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

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

/* A listener that sees what every read gave, for recording. err is 0 or a positive errno. */
enum root_event { ROOT_FILE, ROOT_LINK, ROOT_LIST, ROOT_NODE };
typedef void root_tee(void *data, enum root_event event, const char *path, const void *bytes, size_t len,
                      int err);

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
