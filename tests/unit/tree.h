/* SPDX-License-Identifier: MIT */
/* A recorded tree in a temporary directory, for one test. */
#pragma once

/* A new directory; its name is valid until tree_remove(). */
const char *tree_make(void);
const char *tree_top(void);
void tree_remove(void);
/* The name of a path below it, valid until the next call but seven. */
const char *tree_path(const char *path);
/* Writes a file with its directories; makes a symbolic link. path is relative to the tree. */
void tree_file(const char *path, const char *text);
void tree_bytes(const char *path, const void *data, size_t len);
void tree_link(const char *path, const char *target);
/* The file of the recorded machine of that name, valid until the next call; NULL: there is none. */
const char *tree_fixture(const char *name);
