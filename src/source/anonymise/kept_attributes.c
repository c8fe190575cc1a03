/* SPDX-License-Identifier: MIT */
/* Rebuilds netlink attributes from what roce reads of them, by the rows they are read with. */
#include <netinet/in.h>

#include "source/netlink/attr_table.h"

/* -- values --------------------------------------------------------------------------------------------- */

static bool change_socket_address(char *data, size_t len)
{
    sa_family_t family;
    size_t used = 0;
    if (len < sizeof(struct sockaddr_in) || len > 128)
        return false;
    memcpy(&family, data, sizeof(family));
    if (order16(family) == AF_INET) {
        anonymise_v4((uint8_t *)data + offsetof(struct sockaddr_in, sin_addr));
        used = offsetof(struct sockaddr_in, sin_zero);
    } else if (order16(family) == AF_INET6 && len >= sizeof(struct sockaddr_in6)) {
        anonymise_v6((uint8_t *)data + offsetof(struct sockaddr_in6, sin6_addr));
        used = sizeof(struct sockaddr_in6);
    }
    memset(data + used, 0, len - used);
    return true;
}

static bool change_guid(char *data, size_t len)
{
    uint64_t guid;
    if (len != sizeof(guid))
        return false;
    memcpy(&guid, data, sizeof(guid));
    guid = order64(guid);
    anonymise_guid(&guid);
    guid = order64(guid);
    memcpy(data, &guid, sizeof(guid));
    return true;
}

/* In place; false if it isn't of that type. most: for KEEP_NUMBERS. */
static bool change(enum keep keep, size_t most, char *data, size_t len)
{
    switch (keep) {
    case KEEP_NUMBER:
        return len <= sizeof(uint64_t);
    case KEEP_NUMBERS:
        return len <= most;
    case KEEP_ADDRESS:
        if (len == 4)
            anonymise_v4((uint8_t *)data);
        else if (len == 16)
            anonymise_v6((uint8_t *)data);
        return len == 4 || len == 16;
    case KEEP_MAC:
        if (len >= 3)
            anonymise_mac((uint8_t *)data, len);
        return len == 6 || len == 20 || len == 8 || len == 4 || len == 16; /* IP addresses for tunnels */
    case KEEP_GUID:
        return change_guid(data, len);
    case KEEP_SOCKET_ADDRESS:
        return change_socket_address(data, len);
    default:
        return false;
    }
}

static bool is_word(const char *text, size_t len)
{
    enum { WORD_MOST = 64 };
    for (size_t i = 0; i < len; i++)
        if (text[i] <= ' ' || text[i] > '~')
            return false;
    return len <= WORD_MOST;
}

bool keep_value(enum keep keep, size_t most, const char *data, size_t len, struct bytes *out)
{
    static put_value *const texts[] = { [KEEP_NAME] = anonymise_name,
                                        [KEEP_TEXT] = anonymise_text,
                                        [KEEP_PROGRAM] = words_put_program,
                                        [KEEP_MODULE] = words_put_module };
    put_value *put = WORD_AT(texts, keep);
    size_t before = out->len;
    if (put || keep == KEEP_WORD) {
        len = strnlen(data, len);
        if (put)
            put(data, len, out);
        else if (is_word(data, len))
            bytes_append(out, data, len);
        else
            return false;
        bytes_append(out, "", 1);
        return true;
    }
    bytes_append(out, data, len);
    bool kept = change(keep, most, out->data + before, len);
    if (!kept)
        out->len = before;
    return kept;
}

/* -- attributes ----------------------------------------------------------------------------------------- */

size_t attributes_begin(struct bytes *out, uint16_t type)
{
    struct nlattr attr = { .nla_type = type };
    size_t begin = out->len;
    bytes_append(out, &attr, sizeof(attr));
    return begin;
}

void attributes_end(struct bytes *out, size_t begin)
{
    size_t len = out->len - begin;
    uint16_t told = order16((uint16_t)len);
    memcpy(out->data + begin + offsetof(struct nlattr, nla_len), &told, sizeof(told));
    bytes_append(out, "\0\0\0", NLA_ALIGN(len) - len);
}

/* A number or struct is cut to the bytes expected; any after them are left out. */
static void put_plain(const struct attr_row *row, const struct nlattr *attr, struct bytes *out)
{
    size_t len, begin = attributes_begin(out, attr->nla_type);
    const char *data = attr_bytes(attr, &len);
    bool has_size = row->keep == KEEP_NUMBER || row->into == INTO_STRUCT;
    bool is_whole = !has_size || len >= row->most;
    if (has_size && row->most && len > row->most)
        len = row->most;
    if (is_whole && keep_value((enum keep)row->keep, row->most, data, len, out))
        attributes_end(out, begin);
    else
        out->len = begin;
}

static void put_nest(const struct attr_row *table, const struct nlattr *nest, struct bytes *out)
{
    size_t begin = attributes_begin(out, nest->nla_type);
    if (!attributes_put(table, attr_walk_in(nest), out))
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

bool attributes_put(const struct attr_row *table, struct attr_walk level, struct bytes *out)
{
    struct attr_walk walk = level;
    const struct nlattr *attr;
    while ((attr = attr_walk_next(&walk))) {
        const struct attr_row *row = row_of(table, attr);
        row = row ? attribute_choose(row, level) : NULL;
        if (!row || row->keep == KEEP_NOTHING)
            continue;
        if (row->put)
            row->put(attr, out);
        else if (row->nest)
            put_nest(row->nest, attr, out);
        else
            put_plain(row, attr, out);
    }
    return !walk.broken;
}
