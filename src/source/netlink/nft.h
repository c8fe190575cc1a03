/* SPDX-License-Identifier: MIT */
/* nftables' rules as netlink tells them, looked through for one thing: do they refuse a UDP port? Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

/* The first rule that drops or rejects UDP packets to the port, named by that port: "table inet filter, chain
 * input, handle 7". Understood are a comparison of the destination port, a range, and iptables' udp match;
 * not sets, chains' policies, and marks. 0, with *rule NULL when there is none; -EBADMSG. */
int nft_find_refusal(const void *bytes, size_t len, uint16_t port, struct arena *arena, const char **rule);
