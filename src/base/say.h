/* SPDX-License-Identifier: MIT */
/* The only code that writes to standard error. A message is one line: lower case, what is wrong first, the
 * subject in quotes, then what to do. Bytes that a terminal could obey are replaced. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/* Columns that messages are folded to, but for those of say_raw; 0, as it is before: they stay whole. */
void say_set_width(size_t columns);
void say_set_quiet(bool quiet); /* say_warning and say_note print nothing */
struct bytes;
/* From now on messages are appended to text in place of standard error: for a screen, which they would spoil.
 * NULL: to standard error again. */
void say_into(struct bytes *text);

void say_error(const char *format, ...) PRINTF_LIKE(1, 2);
/* The same, for what returns then: -EINVAL; and 2, the exit status of a command that could not run. */
int say_invalid(const char *format, ...) PRINTF_LIKE(1, 2);
int say_unable(const char *format, ...) PRINTF_LIKE(1, 2);
void say_warning(const char *format, ...) PRINTF_LIKE(1, 2);
void say_note(const char *format, ...) PRINTF_LIKE(1, 2);
/* Prints the message and exits with status 2. */
_Noreturn void say_die(const char *format, ...) PRINTF_LIKE(1, 2);
/* Writes text as it is, but cleaned: for drop-ins, whose messages have their original's form. */
void say_raw(const char *format, ...) PRINTF_LIKE(1, 2);

/* "no such device (ENODEV)": both what a person and a search engine know. Valid until the next call. */
const char *say_errno(int err);
