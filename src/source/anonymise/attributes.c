/* SPDX-License-Identifier: MIT */
#include "source/anonymise/anonymise.h"

#include <netinet/in.h>
#include <string.h>

#include "source/netlink/message.h"

enum { WORD_MOST = 64 };

size_t attributes_begin(struct bytes *out, uint16_t type)
{
    struct nlattr attr = { .nla_type = type };
    size_t begin = out->len;
    bytes_append(out, &attr, sizeof(attr));
    return begin;
}

void attributes_end(struct bytes *out, size_t begin)
{
    uint16_t len = (uint16_t)(out->len - begin);
    memcpy(out->data + begin + offsetof(struct nlattr, nla_len), &len, sizeof(len));
    bytes_append(out, "\0\0\0", NLA_ALIGN(len) - len);
}

static void put_socket_address(const struct anonymiser *anonymiser, char *data, size_t len)
{
    sa_family_t family;
    if (len < sizeof(struct sockaddr_in))
        return;
    memcpy(&family, data, sizeof(family));
    uint8_t *v4 = (uint8_t *)data + offsetof(struct sockaddr_in, sin_addr);
    uint8_t *v6 = (uint8_t *)data + offsetof(struct sockaddr_in6, sin6_addr);
    size_t used = 0;
    if (family == AF_INET) {
        anonymise_v4(anonymiser, v4);
        used = offsetof(struct sockaddr_in, sin_zero);
    } else if (family == AF_INET6 && len >= sizeof(struct sockaddr_in6)) {
        anonymise_v6(anonymiser, v6);
        used = sizeof(struct sockaddr_in6);
    }
    memset(data + used, 0, len - used);
}

static bool is_word(const char *text, size_t len)
{
    size_t size = strnlen(text, len);
    for (size_t i = 0; i < size; i++)
        if (text[i] <= ' ' || text[i] > '~')
            return false;
    return size <= WORD_MOST;
}

/* What needs no more than its bytes changed; false: it stays out. */
static bool change(const struct anonymiser *anonymiser, enum keep keep, char *data, size_t len)
{
    uint64_t guid;
    switch (keep) {
    case KEEP_ADDRESS:
        if (len == 4)
            anonymise_v4(anonymiser, (uint8_t *)data);
        else if (len == 16)
            anonymise_v6(anonymiser, (uint8_t *)data);
        return len == 4 || len == 16;
    case KEEP_MAC:
        if (len >= 3)
            anonymise_mac(anonymiser, (uint8_t *)data, len);
        return len >= 3 && len <= 32;
    case KEEP_GUID:
        if (len != sizeof(guid))
            return false;
        memcpy(&guid, data, sizeof(guid));
        anonymise_guid(anonymiser, &guid);
        memcpy(data, &guid, sizeof(guid));
        return true;
    case KEEP_SOCKET_ADDRESS:
        put_socket_address(anonymiser, data, len);
        return len >= sizeof(struct sockaddr_in) && len <= 128;
    default:
        return false;
    }
}

static void put_text(const struct anonymiser *anonymiser, enum keep keep, const char *text, size_t len,
                     struct bytes *out)
{
    len = strnlen(text, len);
    if (keep == KEEP_NAME)
        anonymise_name(anonymiser, text, len, out);
    else if (keep == KEEP_PROGRAM)
        words_put_program(anonymiser, text, len, out);
    else if (keep == KEEP_MODULE)
        words_put_module(anonymiser, text, len, out);
    else if (keep == KEEP_TEXT)
        anonymise_text(anonymiser, text, len, out);
    else
        bytes_append(out, text, len);
    bytes_append(out, "", 1);
}

static void put_plain(const struct anonymiser *anonymiser, const struct attribute *row,
                      const struct nlattr *attr, struct bytes *out)
{
    size_t len, before = out->len;
    const char *data = attr_bytes(attr, &len);
    size_t begin = attributes_begin(out, attr->nla_type);
    bool kept = true;
    switch (row->keep) {
    case KEEP_NUMBER:
    case KEEP_NUMBERS:
        kept = len <= (row->keep == KEEP_NUMBER ? sizeof(uint64_t) : row->most);
        bytes_append(out, data, kept ? len : 0);
        break;
    case KEEP_WORD:
    case KEEP_NAME:
    case KEEP_TEXT:
    case KEEP_PROGRAM:
    case KEEP_MODULE:
        kept = row->keep != KEEP_WORD || is_word(data, len);
        if (kept)
            put_text(anonymiser, row->keep, data, len, out);
        break;
    default:
        bytes_append(out, data, len);
        kept = change(anonymiser, row->keep, out->data + begin + NLA_HDRLEN, len);
        break;
    }
    if (kept)
        attributes_end(out, begin);
    else
        out->len = before;
}

void attributes_put_nest(const struct anonymiser *anonymiser, const struct attribute *table,
                         const struct nlattr *nest, struct bytes *out)
{
    size_t len, begin = attributes_begin(out, nest->nla_type);
    const char *data = attr_bytes(nest, &len);
    if (!attributes_put(anonymiser, table, data, len, out))
        bytes_append(out, "\0\0\0\0", 4); /* no attribute is as short as that: still broken */
    attributes_end(out, begin);
}

static void put_row(const struct anonymiser *anonymiser, const struct attribute *row,
                    const struct nlattr *attr, struct bytes *out)
{
    if (row->keep == KEEP_NEST) {
        attributes_put_nest(anonymiser, row->nest, attr, out);
    } else if (row->keep == KEEP_OWN) {
        row->put(anonymiser, attr, out);
    } else if (row->keep == KEEP_LIST) {
        size_t begin = attributes_begin(out, attr->nla_type);
        for (const struct nlattr *item = NULL; (item = attr_next(attr, item, 0));)
            put_row(anonymiser, row->nest, item, out);
        attributes_end(out, begin);
    } else {
        put_plain(anonymiser, row, attr, out);
    }
}

bool attributes_put(const struct anonymiser *anonymiser, const struct attribute *table, const char *data,
                    size_t len, struct bytes *out)
{
    while (len >= sizeof(struct nlattr)) {
        const struct nlattr *attr = (const void *)data;
        const struct attribute *row = table;
        if (attr->nla_len < sizeof(*attr) || attr->nla_len > len)
            return false;
        while (row->keep != KEEP_END && row->type != attr_type(attr))
            row++;
        if (row->keep != KEEP_END)
            put_row(anonymiser, row, attr, out);
        size_t step = NLA_ALIGN((size_t)attr->nla_len);
        step = step < len ? step : len;
        data += step;
        len -= step;
    }
    return true;
}
