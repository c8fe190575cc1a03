/* SPDX-License-Identifier: MIT */
/* Files for the next boot, as they are shown. */
#pragma once

#include "model/boot.h"
#include "view/json.h"

/* Each file's path and text, to be copied. */
void boot_files_print(const struct boot_files *files);
/* "installed /etc/…", a line each. */
void boot_files_tell(const struct boot_files *files, const char *done);
/* ["/etc/…"] */
json_t *boot_files_json(const struct boot_files *files);
