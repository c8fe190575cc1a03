/* SPDX-License-Identifier: MIT */
/* A directory or a file that is still being made, which ends with the process, also when a signal ends it. */
#pragma once

#include <stdbool.h>

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
