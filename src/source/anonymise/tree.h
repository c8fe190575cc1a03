/* SPDX-License-Identifier: MIT */
/* A recording that tells no more of whose machine it is than it must: see anonymise.h and files.h. */
#pragma once

#include "source/recording/filetree.h"

/* 0, and *tree is another one; or -errno, and it is as it was: -EPROTONOSUPPORT, as netlink's answers are of
 * a machine of the other byte order. The NOTE stays out: a person writes it. */
int anonymise_tree(struct filetree **tree);
