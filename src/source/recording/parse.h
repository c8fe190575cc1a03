/* SPDX-License-Identifier: MIT */
/* The text of a recording, which may come from anywhere, as a tree. fixtures/README.md has the form. Pure. */
#pragma once

#include <stddef.h>

#include "source/recording/fault.h"
#include "source/recording/filetree.h"

/* text is NUL-terminated behind len. 0, and the caller frees *tree; -EBADMSG, and *fault says why. */
int recording_parse(const char *text, size_t len, struct filetree **tree, struct recording_fault *fault);
