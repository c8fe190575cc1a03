/* SPDX-License-Identifier: MIT */
/* The lines of a recording's text: what stands for bytes, for names, for answers, and what is left out. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "source/recording/filetree.h"

/* How a recording writes what a line of text can't hold: \\, \t, and \xHH for control characters, bytes that
 * are no UTF-8, characters that nobody sees, and blanks where they would be lost. Pure. */

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

/* Numbered names next to each other that say the same: PREFIX[FIRST-LAST]SUFFIX stands for all of them. Pure.
 */

struct run {
    size_t count;      /* 1: a name that stands for itself */
    size_t prefix_len; /* in the names of all */
    const char *suffix;
    unsigned long first, last;
};

/* The longest run that begins at nodes[0]: alike says of two neighbours whether they say the same. */
typedef int run_alike(const struct node *a, const struct node *b);
struct run run_find(struct node *const *nodes, size_t count, run_alike *alike);

/* Understands PREFIX[FIRST-LAST]SUFFIX. 1; 0: no range, the name stands for itself; -EINVAL: a '[' that
 * begins none. */
int run_parse(struct run *run, const char *name, size_t len);

/* Bytes of a recording as hexadecimal digits; of netlink's answers each message by itself, below a comment
 * that says what it is. Pure. */

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

/* What an answer says of the moment it was given, or of roce itself, would make two recordings of an idle
 * machine differ, and nothing is judged by it: the sequence and port numbers of netlink's messages and the
 * ages of neighbours become 0, lifetimes of addresses and /proc/uptime whole hours, ages of the kernel log's
 * lines whole minutes, /proc/self/status and other processes' keep the lines about identity, capabilities,
 * CPUs and pinned memory, and /proc/self/mountstats those of NFS mounts and their transports, ages and what
 * the renewal of leases counts as 0, and /proc/meminfo those of memory for contiguous pieces, what is free in
 * whole GiB. Pure. */

/* Changes data, the len bytes that reading path gave, in place, aligned as malloc aligns; how many are left. */
size_t settle(const char *path, char *data, size_t len);
