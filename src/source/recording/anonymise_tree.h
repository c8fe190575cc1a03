/* SPDX-License-Identifier: MIT */
/* Replaces what tells whose machine a tree is of: see anonymise.h. */
#pragma once

#include "model/host.h"
#include "source/recording/filetree.h"

/* host is what was read when the tree was collected. 0, and *tree is another one; or -errno, and it is as it
 * was. The NOTE stays out: a person writes it. */
int anonymise_tree(struct filetree **tree, const struct host *host);
