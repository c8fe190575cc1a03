/* SPDX-License-Identifier: MIT */
/* Keeps frames in a file, a JSON object a line. */
#pragma once

#include "model/frame.h"

struct record;

/* path NULL: nothing is kept, and *record is NULL, which the others take. 0 or -errno, said. */
int record_open(const char *path, struct record **record);
/* 0 or -errno, said: what can't be kept must not look as if it were. A frame without rates isn't kept. */
int record_add(struct record *record, const struct frame *frame);
int record_close(struct record *record);
