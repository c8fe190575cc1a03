/* SPDX-License-Identifier: MIT */
/* --persist and --write: what commands that change the machine install for the next boot, and remove. */
#pragma once

#include "command/command.h"
#include "source/root/install.h"

extern const struct option_def boot_options[];

/* Checks a command's --persist and --write. Returns 0, or -EINVAL after saying that one needs the other. */
int boot_check_options(const struct context *context);
/* The path of roce for a unit. install: only one that just root can change, else -errno after saying so. */
int boot_program(bool install, char *path);
/* Writes the files next to their final places. Returns 0, or -errno after saying why not. */
int boot_prepare(const struct context *context, const struct boot_files *files, struct install **install);
/* Puts them in place and says where. Returns 0, or -errno after saying why not. */
int boot_commit(const struct context *context, const struct boot_files *files, struct install *install);
/* Removes what roce installed: the unit at path with the link that enables it, or the rule. Those that existed
 * are added to removed. Returns 0, or -errno after saying why not. */
int boot_remove(const struct context *context, const char *path, struct boot_files *removed);
/* The same for the unit and the rule of boot_mode(). */
int boot_remove_mode(const struct context *context, const char *device, struct boot_files *removed);
