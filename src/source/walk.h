/* SPDX-License-Identifier: MIT */
/* Opening a path below a directory without openat2: links are followed by hand, and neither they nor ".."
 * leave the directory. */
#pragma once

/* A file descriptor, or -errno; -ELOOP after 40 links. flags as for open(2). */
int walk_open(int root_fd, const char *path, int flags);
/* Where fd lies below root_fd, without a leading slash ("" is the root itself); NULL when it can't be told.
 * Caller frees. */
char *walk_path_of(int root_fd, int fd);
