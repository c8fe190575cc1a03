/* SPDX-License-Identifier: MIT */
/* Recordings: their text, their files, and how one is made. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "source/errors.h"
#include "source/recording/filetree.h"
#include "source/root/root.h"

/* The text of a recording, which may come from anywhere, as a tree. fixtures/README.md has the form. Pure. */

/* text is NUL-terminated behind len. 0, and the caller frees *tree; -EBADMSG, and *fault says why. */
int recording_parse(const char *text, size_t len, struct filetree **tree, struct recording_fault *fault);

/* A tree as the text of a recording. fixtures/README.md has the form. Pure. */

#define RECORDING_FIRST_LINE "# roce recording 1"

/* Appends it to out; the same tree always gives the same text. */
void recording_write(const struct filetree *tree, struct bytes *out);
/* The tree's errnos in the form of errors.h. */
void recording_write_errors(const struct filetree *tree, struct bytes *out);

/* Recordings, and what else is written, as files of the machine that roce runs on. */

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

/* A tree as directories, files and links of a file system, and back. */

/* Makes all of it below the open directory, which is empty: directories 0700, files 0600. Each name is made
 * or opened by itself in the directory that was just made for it, and no link is followed, so nothing outside
 * changes whatever the tree says. 0 or -errno; then part of it is there. */
int recording_unpack(const struct filetree *tree, int directory);
/* The reverse. Device nodes become empty files; nothing but files and directories is opened. 0, and the
 * caller frees *tree; -errno, and *where is the path that it is about (the caller frees it). */
int recording_pack(int directory, struct filetree **tree, struct bytes *where);

/* Collects what is read from a root into a tree, links and the directories on the way included. Private to
 * source/. */

struct recorder;

struct recorder *recorder_new(struct root *root);
root_tee recorder_tee; /* data is the recorder */
/* Frees the recorder. 0, and the caller frees *tree; or the first errno met. */
int recorder_finish(struct recorder *recorder, struct filetree **tree);
void recorder_abandon(struct recorder *recorder); /* NULL is fine */

/* A directory or a file that is still being made, which ends with the process, also when a signal ends it. */

struct scratch;

/* A new private file (mode 0600); pattern ends in XXXXXX. 0 or -errno. */
int scratch_file(const char *pattern, struct scratch **scratch);
/* The open and empty directory at path: what will be in it, and itself when made. 0, and it has taken over
 * fd; or -errno. */
int scratch_adopt(int fd, const char *path, bool made, struct scratch **scratch);
const char *scratch_path(const struct scratch *scratch);
int scratch_fd(const struct scratch *scratch); /* closed with it */
/* It stays; what else there was of it is freed. */
void scratch_keep(struct scratch *scratch);
/* Removes it, if it still is there, and all that is in it. NULL is fine. */
void scratch_remove(struct scratch *scratch);
