/* SPDX-License-Identifier: MIT */
/* Prefixes of addresses: who may connect. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum { ALLOW_MOST = 64, ALLOW_TEXT_SIZE = 80 };

struct allow {
    size_t count; /* 0: everybody */
    struct {
        uint8_t address[16]; /* IPv4 mapped into IPv6 */
        uint8_t bits;
    } prefixes[ALLOW_MOST];
};

/* "10.0.0.0/8,2001:db8::/32,192.168.1.7". 0; -EINVAL, and bad is the one that is no prefix; -E2BIG: too many. */
int allow_parse(const char *list, struct allow *allow, char bad[static ALLOW_TEXT_SIZE]);
bool allow_has(const struct allow *allow, const struct sockaddr_storage *address);
