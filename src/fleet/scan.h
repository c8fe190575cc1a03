/* SPDX-License-Identifier: MIT */
/* JSON (RFC 8259), a value after the other, without a tree of it: facts of thousands of hosts are read in one
 * pass. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

struct scan {
    const char *at, *end;
    unsigned line;       /* of at, from 1 */
    unsigned depth;      /* objects and arrays around it */
    const char *wrong;   /* why it can't be gone on; NULL: all is well so far */
    struct bytes string; /* the last string or number; scan_free() */
};

enum scan_kind {
    SCAN_WRONG,
    SCAN_OBJECT,
    SCAN_ARRAY,
    SCAN_STRING,
    SCAN_NUMBER, /* scan.string is as it was written */
    SCAN_TRUE,
    SCAN_FALSE,
    SCAN_NULL,
};

/* Reads a value; of an object or array its bracket: its members are asked for next. Strings are UTF-8 without
 * what their escapes stand for being cleaned; one with a NUL in it is wrong. */
enum scan_kind scan_value(struct scan *scan);
/* Goes to the next member of the object or array that is open. false: there are no more, and it is closed, or
 * it is wrong. first: none has been read of it. A key is in scan.string, its value comes next. */
bool scan_key(struct scan *scan, bool first);
bool scan_item(struct scan *scan, bool first);
/* The rest of a value of that kind. false: it is wrong. */
bool scan_skip(struct scan *scan, enum scan_kind kind);
/* Nothing but blanks is left. */
bool scan_ended(struct scan *scan);
void scan_free(struct scan *scan);
