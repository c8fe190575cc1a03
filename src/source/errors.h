/* SPDX-License-Identifier: MIT */
/* The "errors" file of a recording's directory: what a plain file can't say. One line a path:
 * PATH<TAB>ERRNO-NAME; [4-255] in the last component is a range of numbers. Pure. */
#pragma once

#include <stddef.h>

struct filetree;

/* Enters the errnos of the text into the tree; of two lines about a path the first counts. Lines that make no
 * sense are skipped: *bad counts them, and *first_bad is the number of the first. 0; -E2BIG or -EFBIG: they
 * are of more paths than a recording may hold, each number of a range being one. */
int errors_enter(struct filetree *tree, const char *text, size_t len, size_t *bad, size_t *first_bad);
/* "EINVAL" to EINVAL, 0 when there is no such name. */
int errno_from_name(const char *name);

/* What is wrong with a recording, for a person: "FILE: line LINE: WHAT". */

struct recording_fault {
    size_t line;    /* counted from 1; 0: it is no line of text that is wrong */
    char what[256]; /* "": the errno says it all */
};
