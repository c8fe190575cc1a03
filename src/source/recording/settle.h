/* SPDX-License-Identifier: MIT */
/* What an answer says of the moment it was given, or of roce itself, would make two recordings of an idle
 * machine differ, and nothing is judged by it: the sequence and port numbers of netlink's messages and the
 * ages of neighbours become 0, lifetimes of addresses and /proc/uptime whole hours, /proc/self/status and
 * other processes' keep the lines about identity, capabilities, CPUs and pinned memory, and
 * /proc/self/mountstats those of NFS mounts and their transports, ages and what the renewal of leases counts
 * as 0, and /proc/meminfo those of memory for contiguous pieces, what is free in whole GiB. Pure. */
#pragma once

#include <stddef.h>

/* Changes data, the len bytes that reading path gave, in place, aligned as malloc aligns; how many are left. */
size_t settle(const char *path, char *data, size_t len);
