/* SPDX-License-Identifier: MIT */
#include "selftest/peer/allow.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "selftest/queues/address.h"

enum { V4_BITS = 32, V6_BITS = 128 };

static int parse_one(char *text, uint8_t address[static 16], uint8_t *bits)
{
    struct sockaddr_in in = { .sin_family = AF_INET };
    uint64_t given = 0;
    char *slash = strchr(text, '/');
    if (slash) {
        *slash = '\0';
        if (slash[1] < '0' || slash[1] > '9' || text_to_u64(slash + 1, 10, &given) < 0)
            return -EINVAL;
    }
    unsigned most = inet_pton(AF_INET, text, &in.sin_addr) == 1 ? V4_BITS : V6_BITS;
    if (most == V6_BITS && inet_pton(AF_INET6, text, address) != 1)
        return -EINVAL;
    if (most == V4_BITS) {
        struct sockaddr_storage any = { 0 };
        memcpy(&any, &in, sizeof(in));
        address_gid(&any, address);
    }
    if (given > most)
        return -EINVAL;
    *bits = (uint8_t)((slash ? given : most) + V6_BITS - most);
    return 0;
}

int allow_parse(const char *list, struct allow *allow, char bad[static ALLOW_TEXT_SIZE])
{
    allow->count = 0;
    for (const char *at = list;; at++) {
        char one[ALLOW_TEXT_SIZE];
        size_t len = strcspn(at, ",");
        snprintf(bad, ALLOW_TEXT_SIZE, "%.*s", (int)len, at);
        snprintf(one, sizeof(one), "%s", bad);
        if (allow->count == ALLOW_MOST)
            return -E2BIG;
        if (len >= sizeof(one) ||
            parse_one(one, allow->prefixes[allow->count].address, &allow->prefixes[allow->count].bits) < 0)
            return -EINVAL;
        allow->count++;
        at += len;
        if (!*at)
            return 0;
    }
}

static bool covers(const uint8_t prefix[static 16], unsigned bits, const uint8_t address[static 16])
{
    if (memcmp(prefix, address, bits / 8) != 0)
        return false;
    uint8_t mask = (uint8_t)(0xff00 >> bits % 8);
    return bits % 8 == 0 || ((prefix[bits / 8] ^ address[bits / 8]) & mask) == 0;
}

bool allow_has(const struct allow *allow, const struct sockaddr_storage *address)
{
    uint8_t raw[16];
    address_gid(address, raw);
    bool found = allow->count == 0;
    for (size_t i = 0; i < allow->count; i++)
        found |= covers(allow->prefixes[i].address, allow->prefixes[i].bits, raw);
    return found;
}
