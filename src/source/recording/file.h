/* SPDX-License-Identifier: MIT */
/* Recordings, and what else is written, as files of the machine that roce runs on. */
#pragma once

#include "base/mem.h"
#include "source/recording/fault.h"
#include "source/recording/filetree.h"

/* Appends the file at path to text, "-": standard input. It stops soon after most bytes: text is longer then.
 * 0 or -errno. */
int file_load(const char *path, size_t most, struct bytes *text);
/* Reads and understands the file at path, "-": standard input. 0, and the caller frees *tree; -errno, and
 * *fault (empty when it comes) says why unless the errno says it all. */
int recording_load(const char *path, struct filetree **tree, struct recording_fault *fault);

/* Can a recording be saved at path? 0; -EEXIST: there is a file; -errno: no directory to put it in. */
int recording_check_new(const char *path);
/* Puts text there, mode 0600, all of it or nothing: an existing file stays as it is, -EEXIST. What is no
 * regular file (a pipe, a terminal) is written to. 0 or -errno. */
int recording_save(const char *path, const struct bytes *text);

/* Puts text in place of the file at path, mode 0644, for others to read at any moment: the whole of it, or
 * what was there stays. What is there but no regular file stays as well: -EISDIR, or -EEXIST. 0 or -errno. */
int file_replace(const char *path, const struct bytes *text);

/* Makes the tree in dir, which must be new or empty (-EEXIST), mode 0700. 0 or -errno; then nothing of it is
 * left. */
int recording_unpack_at(const struct filetree *tree, const char *dir);
