/* SPDX-License-Identifier: MIT */
/* Makes netlink messages for tests, right or wrong as the test wants them. */
#pragma once

#include <linux/netlink.h>

struct nlbytes {
    _Alignas(8) char data[4096];
    size_t len;
    size_t message; /* where the open message begins */
};

static inline void nlbytes_put(struct nlbytes *bytes, const void *data, size_t len)
{
    memcpy(bytes->data + bytes->len, data, len);
    bytes->len += NLMSG_ALIGN(len);
}

static inline void nlbytes_message(struct nlbytes *bytes, uint16_t type, const void *extra, size_t len)
{
    struct nlmsghdr header = { .nlmsg_type = type };
    bytes->message = bytes->len;
    nlbytes_put(bytes, &header, sizeof(header));
    nlbytes_put(bytes, extra ? extra : "", len);
}

static inline size_t nlbytes_attr(struct nlbytes *bytes, uint16_t type, const void *data, size_t len)
{
    size_t at = bytes->len;
    struct nlattr attr = { .nla_type = type, .nla_len = (uint16_t)(sizeof(attr) + len) };
    nlbytes_put(bytes, &attr, sizeof(attr));
    if (len)
        nlbytes_put(bytes, data, len);
    return at;
}

/* An open nest: what follows is within it until nlbytes_close(bytes, its place). */
static inline void nlbytes_close(struct nlbytes *bytes, size_t nest)
{
    uint16_t len = (uint16_t)(bytes->len - nest);
    memcpy(bytes->data + nest, &len, sizeof(len));
}

static inline void nlbytes_end(struct nlbytes *bytes)
{
    uint32_t len = (uint32_t)(bytes->len - bytes->message);
    memcpy(bytes->data + bytes->message, &len, sizeof(len));
}

static inline void nlbytes_u32(struct nlbytes *bytes, uint16_t type, uint32_t value)
{
    nlbytes_attr(bytes, type, &value, sizeof(value));
}

static inline void nlbytes_text(struct nlbytes *bytes, uint16_t type, const char *text)
{
    nlbytes_attr(bytes, type, text, strlen(text) + 1);
}
