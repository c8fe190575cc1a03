/* SPDX-License-Identifier: MIT */
/* How a recording writes what a line of text can't hold: \\, \t, and \xHH for control characters, bytes that
 * are no UTF-8, characters that nobody sees, and blanks where they would be lost. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

/* Appends a name: blanks, '[' and a first character that means something are escaped too. text is
 * NUL-terminated behind len. */
void escape_name(struct bytes *out, const char *text, size_t len);
/* Appends text as it stands behind a name, or (in_block) on a line of its own. It holds no newline. */
void escape_text(struct bytes *out, const char *text, size_t len, bool in_block);
/* How many of the bytes would be \xHH. */
size_t escape_count(const char *text, size_t len);
/* Where text may be cut at or before most: between two characters. */
size_t escape_cut(const char *text, size_t len, size_t most);

/* Appends what was meant. 0; -EINVAL: an escape that isn't one. *open: the text ends with a lone backslash,
 * which says that no newline follows; NULL: that is an error. */
int unescape(struct bytes *out, const char *text, size_t len, bool *open);
