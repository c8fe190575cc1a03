/* SPDX-License-Identifier: MIT */
/* The only code that writes to standard error. A message is one line: lower case, what is wrong first, the
 * subject in quotes, then what to do. Bytes that could control a terminal are replaced. */
#pragma once

/* The width to fold messages to, except those of say_raw; 0, the default, keeps them whole. */
void say_set_width(size_t columns);
void say_set_quiet(bool quiet); /* say_warning and say_note print nothing */
struct bytes;
/* From now on messages are appended to text instead of going to standard error: for a full screen, which they
 * would spoil. NULL restores standard error. */
void say_into(struct bytes *text);

void say_error(const char *format, ...) PRINTF_LIKE(1, 2);
/* The same, with a value to return: -EINVAL; 2, the exit status of a command that could not run. */
int say_invalid(const char *format, ...) PRINTF_LIKE(1, 2);
int say_unable(const char *format, ...) PRINTF_LIKE(1, 2);
void say_warning(const char *format, ...) PRINTF_LIKE(1, 2);
void say_note(const char *format, ...) PRINTF_LIKE(1, 2);
/* Prints the message and exits with status 2. */
_Noreturn void say_die(const char *format, ...) PRINTF_LIKE(1, 2);
/* Writes text as is, apart from cleaning: for drop-ins, whose messages keep the original's form. */
void say_raw(const char *format, ...) PRINTF_LIKE(1, 2);

/* "no such device (ENODEV)": both what people and what search engines know. Valid until the next call. */
const char *say_errno(int err);
