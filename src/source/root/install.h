/* SPDX-License-Identifier: MIT */
/* Files below /etc that roce installs for the next boot, and removes again. Each begins with a mark; a file
 * without it is someone else's and stays. A whole set is first written beside its destinations (".NAME.roce",
 * which neither systemd nor udev reads), then renamed: a failure leaves what was there. */
#pragma once

#include "model/boot.h"

struct source;

/* Writes them beside their destinations; creates a missing directory, but not its parent. Returns 0, and
 * *install holds them until install_commit() or install_drop(); or -errno, with *which naming the file: -EEXIST
 * if a file that isn't roce's is in the way; -EROFS for a recording. */
struct install;
int install_prepare(struct source *source, const struct boot_file *files, size_t count,
                    struct install **install, const char **which);
/* Moves them into place and frees install. Returns 0, or -errno with *which. changed: how many differed. */
int install_commit(struct install *install, const char **which, size_t *changed);
void install_drop(struct install *install); /* NULL is fine */

/* Reads one of roce's files; the caller frees text. Returns 0, -ENOENT, -EEXIST if it isn't roce's, or another
 * -errno. */
int install_read(struct source *source, const char *path, char **text);
/* Removes one of roce's files or, with target, a symbolic link to target, and the link's directory if it is
 * then empty. Returns 0, -ENOENT, -EEXIST if it isn't roce's, or another -errno. */
int install_remove(struct source *source, const char *path, const char *target);

/* This program's own file, for a service to run. Returns 0; -EPERM if anyone but root can change it or a
 * directory above it; -EINVAL if its name needs quoting or isn't known. path: PATH_MAX bytes, filled in
 * whenever it is known. */
int install_program(char *path);
