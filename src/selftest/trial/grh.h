/* SPDX-License-Identifier: MIT */
/* The 40 bytes before a datagram: a global routing header, or (RoCE v2 over IPv4) the last 20 bytes of it an
 * IPv4 header. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does it say that the datagram went from source to destination? If not, text says what it says. */
bool grh_check(const uint8_t grh[static 40], const uint8_t source[static 16],
               const uint8_t destination[static 16], char *text, size_t size);
