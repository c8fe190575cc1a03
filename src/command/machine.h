/* SPDX-License-Identifier: MIT */
/* Opening the machine that a command is about, and saying why that can't be. */
#pragma once

#include "source/source.h"

/* path is a recording, NULL: the live machine. 0, or -errno after saying what is wrong. */
int machine_open(const char *path, struct source **source);
/* Says that host_read() gave -errno r; path is the recording's, NULL: the machine that the command is about. */
void machine_say_unread(const char *path, int r);
/* Says what is wrong with a recording: r is the errno, fault may be empty. */
void machine_say_fault(const char *path, int r, const struct recording_fault *fault);
