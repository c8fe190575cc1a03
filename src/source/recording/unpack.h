/* SPDX-License-Identifier: MIT */
/* A tree as directories, files and links of a file system, and back. */
#pragma once

#include "base/mem.h"
#include "source/recording/filetree.h"

/* Makes all of it below the open directory, which is empty: directories 0700, files 0600. Each name is made
 * or opened by itself in the directory that was just made for it, and no link is followed, so nothing outside
 * changes whatever the tree says. 0 or -errno; then part of it is there. */
int recording_unpack(const struct filetree *tree, int directory);
/* The reverse. Device nodes become empty files; nothing but files and directories is opened. 0, and the
 * caller frees *tree; -errno, and *where is the path that it is about (the caller frees it). */
int recording_pack(int directory, struct filetree **tree, struct bytes *where);
