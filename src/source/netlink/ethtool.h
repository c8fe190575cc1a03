/* SPDX-License-Identifier: MIT */
/* ethtool over generic netlink, and its statistics, which only the old ioctl tells. Pure, as in nldev.h. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/qos.h"

struct arena;

/* Each fills its part of *ethtool. 0, or -EBADMSG. */
int ethtool_parse_pause(const void *bytes, size_t len, struct qos_ethtool *ethtool);
int ethtool_parse_linkmodes(const void *bytes, size_t len, struct qos_ethtool *ethtool);
int ethtool_parse_linkstate(const void *bytes, size_t len, struct qos_ethtool *ethtool);
int ethtool_parse_fec(const void *bytes, size_t len, struct arena *arena, struct qos_ethtool *ethtool);

/* Private to the parsers: of link modes as a bitset (mask: supported, value: advertised), compact or verbose,
 * the fastest supported and advertised. A mode whose speed isn't known doesn't count. */
struct nlattr;
void ethtool_take_modes(const struct nlattr *bitset, struct qos_ethtool *ethtool);

/* The form that a recording keeps of the ioctl's answer: a 32-bit count, as many names of 32 bytes
 * (ETH_GSTRING_LEN), as many 64-bit values; the machine's byte order. */
int ethtool_parse_statistics(const void *bytes, size_t len, struct arena *arena,
                             struct qos_statistic **statistics, size_t *count);
struct bytes;
/* Asks the ioctl and appends the answer. command: ETHTOOL_GSTATS, or ETHTOOL_GFECPARAM (struct
 * ethtool_fecparam: for kernels whose netlink doesn't tell FEC). socket_fd: any socket to ask by; -1: one is
 * made for it. 0 or -errno. */
int ethtool_fetch(int socket_fd, uint32_t command, const char *netdev, struct bytes *reply);
int ethtool_parse_fecparam(const void *bytes, size_t len, struct arena *arena, struct qos_ethtool *ethtool);
