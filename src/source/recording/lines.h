/* SPDX-License-Identifier: MIT */
/* The lines of a recording's text: how bytes, names and answers are written, and what is left out. */
#pragma once

#include "source/recording/filetree.h"

/* How a recording writes what a line of text can't hold: \\, \t, and \xHH for control characters, bytes that
 * aren't UTF-8, invisible characters, and blanks where they would be lost. Pure. */

/* Appends a name: blanks, '[' and a first character that means something are escaped too. text is
 * NUL-terminated after len. */
void escape_name(struct bytes *out, const char *text, size_t len);
/* Appends text in the form used after a name or (in_block) on a line of its own. It contains no newline. */
void escape_text(struct bytes *out, const char *text, size_t len, bool in_block);
/* How many of the bytes would become \xHH. */
size_t escape_count(const char *text, size_t len);
/* Where to cut text between two characters, at or before most. */
size_t escape_cut(const char *text, size_t len, size_t most);

/* Appends the unescaped text. Returns 0, or -EINVAL for an invalid escape. *open: the text ends with a lone
 * backslash, meaning that no newline follows; if open is NULL that is an error. */
int unescape(struct bytes *out, const char *text, size_t len, bool *open);

/* Consecutive numbered names with the same contents: PREFIX[FIRST-LAST]SUFFIX stands for all of them. Pure. */

struct run {
    size_t count;      /* 1: a name by itself */
    size_t prefix_len; /* common to all the names */
    const char *suffix;
    unsigned long first, last;
};

/* The longest run that begins at nodes[0]; alike: do two neighbours have the same contents? */
typedef int run_alike(const struct node *a, const struct node *b);
struct run run_find(struct node *const *nodes, size_t count, run_alike *alike);

/* Parses PREFIX[FIRST-LAST]SUFFIX. Returns 1; 0 if it isn't a range but a name by itself; -EINVAL for a '['
 * that doesn't begin a range. */
int run_parse(struct run *run, const char *name, size_t len);

/* Bytes of a recording as hexadecimal digits; netlink answers message by message, each below a comment that
 * says what it is. Pure. */

/* Lines of ':' and the digits of up to 32 bytes, in groups of four; 00*3840 means 3840 zero bytes. */
void hex_write(struct bytes *out, const char *data, size_t len);
/* Appends the bytes of such a line (after its ':'), at most most of them. Returns 0, -EINVAL or -EFBIG. */
int hex_read(struct bytes *out, const char *text, size_t len, size_t most);

/* Is data (aligned to 4) made up of whole messages? */
bool reply_is_whole(const char *data, size_t len);
/* Is it a file in netlink/ made up of whole messages? */
bool reply_is_netlink(const struct node *node);
void reply_write_question(struct bytes *out, const struct node *node); /* a comment: what was asked */
void reply_write(struct bytes *out, const struct node *node);

/* Whatever depends on the moment of an answer, or on roce itself, would make two recordings of an idle machine
 * differ, and nothing is judged by it. So the sequence and port numbers of netlink's messages and the ages of
 * neighbours become 0, lifetimes of addresses and /proc/uptime whole hours, ages of kernel log lines whole
 * minutes; /proc/self/status and that of other processes keep the lines about identity, capabilities, CPUs and
 * pinned memory; /proc/self/mountstats those about NFS mounts and their transports, with 0 for ages and the
 * counts of lease renewals; /proc/meminfo those about contiguous memory, with what is free in whole GiB.
 * Pure. */

/* Changes data, the len bytes read from path, in place; aligned as by malloc. Returns how many are left. */
size_t settle(const char *path, char *data, size_t len);
