/* SPDX-License-Identifier: MIT */
/* A tree as the text of a recording. fixtures/README.md has the form. Pure. */
#pragma once

#include "base/mem.h"
#include "source/recording/filetree.h"

#define RECORDING_FIRST_LINE "# roce recording 1"

/* Appends it to out; the same tree always gives the same text. */
void recording_write(const struct filetree *tree, struct bytes *out);
/* The tree's errnos in the form of errors.h. */
void recording_write_errors(const struct filetree *tree, struct bytes *out);
