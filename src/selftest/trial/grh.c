/* SPDX-License-Identifier: MIT */
#include "selftest/trial/grh.h"

#include <stdio.h>
#include <string.h>

#include "model/gid.h"

static bool is_ipv4(const uint8_t *header)
{
    return header[0] >> 4 == 4 && (header[0] & 15) >= 5;
}

/* The addresses as GIDs. false: neither header is there. */
static bool addresses(const uint8_t grh[static 40], uint8_t source[static 16], uint8_t destination[static 16])
{
    static const uint8_t mapped[12] = { [10] = 0xff, 0xff };
    if (grh[0] >> 4 == 6) {
        memcpy(source, grh + 8, 16);
        memcpy(destination, grh + 24, 16);
        return true;
    }
    if (!is_ipv4(grh + 20))
        return false;
    memcpy(source, mapped, 12);
    memcpy(destination, mapped, 12);
    memcpy(source + 12, grh + 32, 4);
    memcpy(destination + 12, grh + 36, 4);
    return true;
}

bool grh_check(const uint8_t grh[static 40], const uint8_t source[static 16],
               const uint8_t destination[static 16], char *text, size_t size)
{
    uint8_t from[16], to[16];
    if (!addresses(grh, from, to)) {
        snprintf(text, size, "there is neither an IPv4 nor an IPv6 header before the datagram");
        return false;
    }
    if (memcmp(from, source, 16) == 0 && memcmp(to, destination, 16) == 0)
        return true;
    char a[GID_ADDRESS_SIZE], b[GID_ADDRESS_SIZE];
    gid_address(from, a);
    gid_address(to, b);
    snprintf(text, size, "the header says %s to %s", a, b);
    return false;
}
