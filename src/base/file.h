/* SPDX-License-Identifier: MIT */
/* All of a file that is open: what read() and write() do in pieces. */
#pragma once

#include "base/mem.h"

/* Appends what is left to read to text. It stops soon after most bytes: text is longer then. 0 or -errno. */
int file_read(int fd, size_t most, struct bytes *text);
/* 0, or -errno: some of it may be written. */
int file_write(int fd, const void *data, size_t len);
