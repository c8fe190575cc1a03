/* SPDX-License-Identifier: MIT */
/* Walking messages and attributes, nests within nests, and the words of errors. */
#include "netlink.h"

#include "source/netlink/message.h"

enum { MOST_DEPTH = 6 };

static void walk(const struct nlattr *nest, struct arena *arena, int depth)
{
    for (const struct nlattr *attr = NULL; (attr = attr_next(nest, attr, 0));) {
        struct attrs attrs;
        size_t len;
        const char *bytes = attr_bytes(attr, &len);
        volatile char last = len ? bytes[len - 1] : 0; /* it must be there */
        (void)last;
        attr_text(attr, arena);
        attr_uint(attr);
        attr_u64(attr);
        attr_be16(attr);
        attrs_parse_nest(&attrs, attr);
        if (depth < MOST_DEPTH)
            walk(attr, arena, depth + 1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = input_begin(data, size);
    struct messages messages = messages_of(input.bytes, input.len);
    struct message message;
    while (messages_next(&messages, &message)) {
        struct attrs attrs;
        for (size_t skip = 0; skip <= 16; skip += 4) {
            attrs_parse(&attrs, message.payload, message.len, skip);
            for (size_t i = 0; i < ATTRS_MOST; i++)
                if (attrs.at[i])
                    walk(attrs.at[i], input.arena, 0);
        }
        if (message_error(&message) > 0)
            abort();
        message_error_text(&message, input.arena);
    }
    input_end(&input);
    return 0;
}
