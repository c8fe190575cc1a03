/* SPDX-License-Identifier: MIT */
/* Recordings: their text, their files, and how one is made. */
#pragma once

#include <signal.h>

#include "source/errors.h"
#include "source/recording/filetree.h"
#include "source/root/root.h"

/* Parses a recording's text, which may come from anywhere, into a tree. Format: fixtures/README.md. Pure. */

/* text is NUL-terminated after len. Returns 0, and the caller frees *tree; or -EBADMSG, and *fault says why. */
int recording_parse(const char *text, size_t len, struct filetree **tree, struct recording_fault *fault);

/* Undoes what a mail program or Windows did to the text: a byte order mark, CRLF, a '>' before each line. */
void mail_undo(struct bytes *text);

/* Writes a tree as the text of a recording. fixtures/README.md describes the format. Pure. */

#define RECORDING_FIRST_LINE "# roce recording 1"

/* Appends it to out; the same tree always gives the same text. */
void recording_write(const struct filetree *tree, struct bytes *out);
/* The tree's errnos in the form of errors.h. */
void recording_write_errors(const struct filetree *tree, struct bytes *out);

/* The files whose content differs, as a tree of their own that the caller frees. Returns 0; -EXDEV: something
 * else differs, too (what there is, a link, an errno). */
int recording_changes(const struct filetree *before, const struct filetree *now, struct filetree **changes);
/* The reverse: the tree is as `now` was. Returns 0, or -EBADMSG if they are of other files. */
int recording_apply(struct filetree *tree, const struct filetree *changes);

/* Recordings, and what else is written, as files of the machine that roce runs on. */

/* Reads the file at path ("-": standard input) into text, which is empty; what gzip packed is unpacked. Stops
 * soon after most bytes: text is then longer than that. Returns 0 or -errno; -EBADMSG: what is packed is
 * damaged. */
int file_load(const char *path, size_t most, struct bytes *text);
/* Reads and parses the file at path ("-": standard input). Returns 0, and the caller frees *tree; or -errno,
 * and *fault (passed in empty) says why unless the errno says it all. */
int recording_load(const char *path, struct filetree **tree, struct recording_fault *fault);

/* Can a recording be saved at path? Returns 0; -EEXIST if there is a file; -errno if there is no directory for
 * it. */
int recording_check_new(const char *path);
/* Makes a file there, mode 0600, to be written piece by piece: an existing file or link is left alone, -EEXIST.
 * Anything but a regular file (a pipe, a terminal) is opened; nobody reads that FIFO: -ENXIO. Returns a
 * descriptor that the caller closes, or -errno. */
int recording_open_new(const char *path);
/* Saves text there, mode 0600, all or nothing: an existing file is left alone, -EEXIST. Anything but a regular
 * file (a pipe, a terminal) is written to. A name that ends in .gz gets it packed. Returns 0 or -errno. */
int recording_save(const char *path, const struct bytes *text);

/* Replaces the file at path with text, mode 0644, all or nothing, so that others can read it at any moment.
 * Anything but a regular file is left alone: -EISDIR or -EEXIST. Returns 0 or -errno. */
int file_replace(const char *path, const struct bytes *text);

/* Unpacks the tree into dir, which must be new or empty (-EEXIST), mode 0700. Returns 0, or -errno, leaving
 * nothing behind. */
int recording_unpack_at(const struct filetree *tree, const char *dir);

/* Turns a tree into directories, files and links of a file system, and back. */

/* Makes all of it in the open directory, which is empty: directories 0700, files 0600. Each name is made or
 * opened by itself in the directory just made for it, and no link is followed, so nothing outside changes
 * whatever the tree says. Returns 0, or -errno, leaving part of it behind. */
int recording_unpack(const struct filetree *tree, int directory);
/* The reverse. Device nodes become empty files; nothing but files and directories is opened. Returns 0, and the
 * caller frees *tree; or -errno, and *where is the path concerned (the caller frees it). */
int recording_pack(int directory, struct filetree **tree, struct bytes *where);

/* Collects what is read from a root into a tree, including links and the directories on the way. Private to
 * source/. */

struct recorder;

struct recorder *recorder_new(struct root *root);
root_tee recorder_tee; /* data is the recorder */
/* Frees the recorder. Returns 0, and the caller frees *tree; or the first errno met. */
int recorder_finish(struct recorder *recorder, struct filetree **tree);
void recorder_abandon(struct recorder *recorder); /* NULL is fine */

/* While a file or directory is made, signals that would end the process wait, so that it is made whole or
 * removed. Private to recording/. */

/* Sets *before to the signals that the caller lets through again. */
void signals_hold(sigset_t *before);
/* Has one arrived meanwhile? */
bool signals_wait(void);
