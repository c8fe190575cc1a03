/* SPDX-License-Identifier: MIT */
/* Files below /etc that roce installs for the next boot, and removes again. Each begins with a mark; what
 * hasn't got it is somebody else's, and stays. All of a set is written beside its place first (".NAME.roce",
 * which neither systemd nor udev reads), then renamed: a failure leaves what was there. */
#pragma once

#include <stddef.h>

#include "model/boot.h"

struct source;

/* Writes them beside their places; a directory that isn't there is made, its parent isn't. 0: *install holds
 * them until install_commit() or install_drop(). -errno, with *which the file that it is about: -EEXIST a
 * file that isn't roce's is in the way; -EROFS of a recording. */
struct install;
int install_prepare(struct source *source, const struct boot_file *files, size_t count,
                    struct install **install, const char **which);
/* Puts them in their places, and frees install. 0 or -errno with *which. changed: how many weren't so before.
 */
int install_commit(struct install *install, const char **which, size_t *changed);
void install_drop(struct install *install); /* NULL is fine */

/* The text of a file of roce's, which the caller frees. 0; -ENOENT, -EEXIST: not roce's; -errno. */
int install_read(struct source *source, const char *path, char **text);
/* Removes a file of roce's, or with target a symbolic link to it, and the link's directory if that is empty
 * then. 0; -ENOENT, -EEXIST: not roce's; -errno. */
int install_remove(struct source *source, const char *path, const char *target);

/* This program's own file, as a service may run it: 0; -EPERM: others than root can change it, or a directory
 * above; -EINVAL: its name needs quoting, or it isn't known. path: PATH_MAX bytes, filled whenever it is known.
 */
int install_program(char *path);
