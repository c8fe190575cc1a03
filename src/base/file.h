/* SPDX-License-Identifier: MIT */
/* Reads and writes whole open files, unlike read() and write(). */
#pragma once

/* Appends the rest of the file to text. Stops soon after most bytes (text is longer then). 0 or -errno. */
int file_read(int fd, size_t most, struct bytes *text);
/* Returns 0, or -errno, when part of it may have been written. */
int file_write(int fd, const void *data, size_t len);
