/* SPDX-License-Identifier: MIT */
/* The "errors" file of a recording's directory: what a plain file can't say. One line per path:
 * PATH<TAB>ERRNO-NAME; [4-255] in the last component is a range of numbers. Pure. */
#pragma once

struct filetree;

/* Enters the errnos in text into the tree; of two lines about a path, the first counts. Lines that make no
 * sense are skipped: *bad counts them, and *first_bad is the number of the first. Returns 0, or -E2BIG or
 * -EFBIG if they name more paths than a recording may hold, each number in a range counting as one. */
int errors_enter(struct filetree *tree, const char *text, size_t len, size_t *bad, size_t *first_bad);
/* Turns "EINVAL" into EINVAL; 0 if there is no such name. */
int errno_from_name(const char *name);

/* What is wrong with a recording, for users to read: "FILE: line LINE: WHAT". */

struct recording_fault {
    size_t line;    /* counted from 1; 0 if what is wrong isn't a line of text */
    char what[256]; /* "": the errno says it all */
};
