/* SPDX-License-Identifier: MIT */
/* What of a recording's files may be passed on. It is a list of what is known: anything else stays out. */
#pragma once

#include "source/anonymise/anonymise.h"

/* The file at path in the recording, an answer of netlink included (then aligned to 4). True, and what may
 * stand there is appended to out; false: it stays out as a whole. */
bool anonymise_file(const struct anonymiser *anonymiser, const char *path, const char *data, size_t len,
                    struct bytes *out);

/* The i-th path outside of sys/ that may hold something: * stands for a component. NULL: there are no more. */
const char *anonymise_path(size_t i);
/* Appends what the last component of a path stands for: the name of a netdev, of a file, of an answer. */
void anonymise_component(const struct anonymiser *anonymiser, const char *path, struct bytes *out);
