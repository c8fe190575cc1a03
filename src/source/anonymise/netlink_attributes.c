/* SPDX-License-Identifier: MIT */
/* Rebuilds netlink attributes, using the tables they are read with. */
#include "source/anonymise/anonymise.h"
#include "source/netlink/attr_table.h"
#include "source/root/root.h"

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

/* A number or struct is cut to the bytes expected; any after them are left out. */
static void put_plain(const struct anonymiser *anonymiser, const struct attr_row *row,
                      const struct nlattr *attr, struct bytes *out)
{
    size_t len, begin = attributes_begin(out, attr->nla_type);
    const char *data = attr_bytes(attr, &len);
    bool has_size = row->keep == KEEP_NUMBER || row->into == INTO_STRUCT;
    bool is_whole = !has_size || len >= row->most;
    if (has_size && row->most && len > row->most)
        len = row->most;
    if (is_whole && keep_value(anonymiser, (enum keep)row->keep, row->most, data, len, out))
        attributes_end(out, begin);
    else
        out->len = begin;
}

void attributes_put_nest(const struct anonymiser *anonymiser, const struct attr_row *table,
                         const struct nlattr *nest, struct bytes *out)
{
    size_t len, begin = attributes_begin(out, nest->nla_type);
    const char *data = attr_bytes(nest, &len);
    if (!attributes_put(anonymiser, table, data, len, out))
        bytes_append(out, "\0\0\0\0", 4); /* no attribute is that short: still broken */
    attributes_end(out, begin);
}

/* The first row about it; NULL if none. */
static const struct attr_row *row_of(const struct attr_row *table, const struct nlattr *attr)
{
    for (const struct attr_row *row = table; row->keep != KEEP_END; row++) {
        const struct attr_row *found = row->type == ATTRIBUTE_AND ? row_of(row->nest, attr)
                                       : attribute_is(row, attr)  ? row
                                                                  : NULL;
        if (found)
            return found;
    }
    return NULL;
}

bool attributes_put(const struct anonymiser *anonymiser, const struct attr_row *table, const char *data,
                    size_t len, struct bytes *out)
{
    struct attr_walk walk = attr_walk(data, len);
    const struct nlattr *attr;
    while ((attr = attr_walk_next(&walk))) {
        const struct attr_row *row = row_of(table, attr);
        row = row ? attribute_choose(row, data, len) : NULL;
        if (!row || row->keep == KEEP_NOTHING)
            continue;
        if (row->put)
            row->put(anonymiser, attr, out);
        else if (row->nest)
            attributes_put_nest(anonymiser, row->nest, attr, out);
        else
            put_plain(anonymiser, row, attr, out);
    }
    return !walk.broken;
}
