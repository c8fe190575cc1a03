/* SPDX-License-Identifier: MIT */
/* The handshake of serve and ping: any bytes. What is understood is written and read again to the same. */
#include <stdlib.h>
#include <string.h>

#include "selftest/peer/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct wire_message message, again;
    static uint8_t bytes[WIRE_HEADER_SIZE + WIRE_BODY_MOST], more[WIRE_HEADER_SIZE + WIRE_BODY_MOST];
    enum wire_type type;
    size_t length;

    if (size < WIRE_HEADER_SIZE || wire_decode_header(data, &type, &length) < 0)
        return 0;
    if (length > size - WIRE_HEADER_SIZE || wire_decode(type, data + WIRE_HEADER_SIZE, length, &message) < 0)
        return 0;
    int first = wire_encode(&message, bytes, sizeof(bytes));
    if (first < 0 || wire_decode_header(bytes, &type, &length) < 0 ||
        wire_decode(type, bytes + WIRE_HEADER_SIZE, length, &again) < 0)
        abort();
    int second = wire_encode(&again, more, sizeof(more));
    if (first != second || memcmp(bytes, more, (size_t)first) != 0)
        abort();
    if ((size_t)first != WIRE_HEADER_SIZE + length)
        abort();
    return 0;
}
