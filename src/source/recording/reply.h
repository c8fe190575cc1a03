/* SPDX-License-Identifier: MIT */
/* Bytes of a recording as hexadecimal digits; of netlink's answers each message by itself, below a comment
 * that says what it is. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "source/recording/filetree.h"

/* Lines of ':' and the digits of up to 32 bytes, in fours; 00*3840 stands for 3840 zero bytes. */
void hex_write(struct bytes *out, const char *data, size_t len);
/* Appends the bytes that such a line (behind its ':') says, at most most of them. 0, -EINVAL or -EFBIG. */
int hex_read(struct bytes *out, const char *text, size_t len, size_t most);

/* Are they messages to their end? data is aligned to 4. */
bool reply_is_whole(const char *data, size_t len);
/* Is it a file of netlink/, whole messages to its end? */
bool reply_is_netlink(const struct node *node);
void reply_write_question(struct bytes *out, const struct node *node); /* a comment: what was asked */
void reply_write(struct bytes *out, const struct node *node);
