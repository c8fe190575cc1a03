/* SPDX-License-Identifier: MIT */
/* Numbered names next to each other that say the same: PREFIX[FIRST-LAST]SUFFIX stands for all of them. Pure.
 */
#pragma once

#include <stddef.h>

#include "source/recording/filetree.h"

struct run {
    size_t count;      /* 1: a name that stands for itself */
    size_t prefix_len; /* in the names of all */
    const char *suffix;
    unsigned long first, last;
};

/* The longest run that begins at nodes[0]: alike says of two neighbours whether they say the same. */
typedef int run_alike(const struct node *a, const struct node *b);
struct run run_find(struct node *const *nodes, size_t count, run_alike *alike);

/* Understands PREFIX[FIRST-LAST]SUFFIX. 1; 0: no range, the name stands for itself; -EINVAL: a '[' that
 * begins none. */
int run_parse(struct run *run, const char *name, size_t len);
