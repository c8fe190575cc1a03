/* SPDX-License-Identifier: MIT */
/* What a recording may keep of one netlink value, by the type expected of it. */
#include <netinet/in.h>

#include "source/anonymise/anonymise.h"

enum { WORD_MOST = 64 };

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

/* Handles values that only need their bytes changed; false if it is left out. */
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
        return len == 6 || len == 20 || len == 8 || len == 4 || len == 16; /* IP addresses for tunnels */
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

bool keep_value(const struct anonymiser *anonymiser, enum keep keep, size_t most, const char *data, size_t len,
                struct bytes *out)
{
    size_t before = out->len;
    bool kept = true;
    switch (keep) {
    case KEEP_NUMBER:
    case KEEP_NUMBERS:
        kept = len <= (keep == KEEP_NUMBER ? sizeof(uint64_t) : most);
        bytes_append(out, data, kept ? len : 0);
        break;
    case KEEP_WORD:
    case KEEP_NAME:
    case KEEP_TEXT:
    case KEEP_PROGRAM:
    case KEEP_MODULE:
        kept = keep != KEEP_WORD || is_word(data, len);
        if (kept)
            put_text(anonymiser, keep, data, len, out);
        break;
    default:
        bytes_append(out, data, len);
        kept = change(anonymiser, keep, out->data + before, len);
        break;
    }
    if (!kept)
        out->len = before;
    return kept;
}
