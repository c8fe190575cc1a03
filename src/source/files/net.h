/* SPDX-License-Identifier: MIT */
/* What the files of one netdev say: sys/class/net/NAME. */
#pragma once

#include <stdbool.h>

#include "source/reader.h"

#define NET_CLASS "sys/class/net"

/* known: what netlink told of it, or NULL; that isn't read again (but see source.thorough), nor is it in
 * *netdev, except for what decides what else to read. False: there is no such directory. */
bool net_read(struct reader *reader, const struct wanted_netdev *wanted, const struct netdev *known,
              struct netdev *netdev);
/* /sys may show another network namespace than netlink does (nsenter -n): then the index differs, and the two
 * aren't the same netdev. */
bool net_is_same(const struct netdev *known, const struct netdev *seen);
/* The kind of a netdev for which the kernel has no word, from what is known of it. */
void net_guess_kind(struct netdev *netdev);
