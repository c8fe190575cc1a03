/* SPDX-License-Identifier: MIT */
#include "source/anonymise/anonymise.h"

#include <string.h>

#include "source/netlink/message.h"

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

static void put_plain(const struct anonymiser *anonymiser, const struct attribute *row,
                      const struct nlattr *attr, struct bytes *out)
{
    size_t len, begin = attributes_begin(out, attr->nla_type);
    const char *data = attr_bytes(attr, &len);
    if (keep_value(anonymiser, row->keep, row->most, data, len, out))
        attributes_end(out, begin);
    else
        out->len = begin;
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
