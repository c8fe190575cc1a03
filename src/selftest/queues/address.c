/* SPDX-License-Identifier: MIT */
/* Socket addresses: as people write them, and as GIDs. */
#include "selftest/queues/wait.h"

#include <arpa/inet.h>
#include <net/if.h>

#include "model/gid.h"

static int parse_v6(const char *text, uint16_t port, struct sockaddr_in6 *in6)
{
    char copy[INET6_ADDRSTRLEN + IF_NAMESIZE + 1];
    if (snprintf(copy, sizeof(copy), "%s", text) >= (int)sizeof(copy))
        return -EINVAL;
    char *scope = strchr(copy, '%');
    if (scope)
        *scope++ = '\0';
    *in6 = (struct sockaddr_in6){ .sin6_family = AF_INET6, .sin6_port = htons(port) };
    if (inet_pton(AF_INET6, copy, &in6->sin6_addr) != 1)
        return -EINVAL;
    uint64_t index = 0;
    if (scope && text_to_u64(scope, 10, &index) < 0)
        index = if_nametoindex(scope);
    if (scope && index == 0)
        return -EINVAL;
    in6->sin6_scope_id = (uint32_t)index;
    return 0;
}

/* Cuts ":PORT" off the end of text. */
static int cut_port(char *colon, uint16_t *port)
{
    uint64_t number;
    if (text_to_u64(colon + 1, 10, &number) < 0 || number == 0 || number > 65535)
        return -EINVAL;
    *port = (uint16_t)number;
    *colon = '\0';
    return 0;
}

int address_parse(const char *text, uint16_t port, struct sockaddr_storage *address, socklen_t *len)
{
    char copy[ADDRESS_TEXT_SIZE];
    if (snprintf(copy, sizeof(copy), "%s", text) >= (int)sizeof(copy))
        return -EINVAL;
    memset(address, 0, sizeof(*address));
    char *host = copy, *close = strchr(copy, ']'), *colon = strchr(copy, ':');
    if (*copy == '[' && close) {
        if (close[1] && (close[1] != ':' || cut_port(close + 1, &port) < 0))
            return -EINVAL;
        *close = '\0';
        host++;
    } else if (colon && !strchr(colon + 1, ':') && cut_port(colon, &port) < 0) {
        return -EINVAL;
    }
    struct sockaddr_in *in = (struct sockaddr_in *)address;
    *in = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(port) };
    if (inet_pton(AF_INET, host, &in->sin_addr) == 1) {
        *len = sizeof(*in);
        return 0;
    }
    *len = sizeof(struct sockaddr_in6);
    return parse_v6(host, port, (struct sockaddr_in6 *)address);
}

int address_name(const char *text, char name[static HOST_NAME_SIZE], uint16_t *port)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char others[] = "0123456789-_.";
    size_t len = strcspn(text, ":");
    if (len == 0 || len >= HOST_NAME_SIZE || *text == '-' || *text == '.')
        return -EINVAL;
    memcpy(name, text, len);
    name[len] = '\0';
    char rest[sizeof(":65535")];
    if (snprintf(rest, sizeof(rest), "%s", text + len) >= (int)sizeof(rest) ||
        (*rest && cut_port(rest, port) < 0))
        return -EINVAL;
    for (const char *c = name; *c; c++)
        if (!strchr(letters, *c) && !strchr(others, *c))
            return -EINVAL;
    return strpbrk(name, letters) && !strstr(name, "..") ? 0 : -EINVAL;
}

void address_host_text(const struct sockaddr_storage *address, char text[static ADDRESS_TEXT_SIZE])
{
    char host[INET6_ADDRSTRLEN] = "?";
    if (address->ss_family == AF_INET) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)address;
        inet_ntop(AF_INET, &in->sin_addr, host, sizeof(host));
        snprintf(text, ADDRESS_TEXT_SIZE, "%s", host);
        return;
    }
    const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)address;
    inet_ntop(AF_INET6, &in6->sin6_addr, host, sizeof(host));
    char scope[IF_NAMESIZE + 2] = "";
    char name[IF_NAMESIZE];
    if (in6->sin6_scope_id && if_indextoname(in6->sin6_scope_id, name))
        snprintf(scope, sizeof(scope), "%%%s", name);
    snprintf(text, ADDRESS_TEXT_SIZE, "%s%s", host, scope);
}

void address_text(const struct sockaddr_storage *address, char text[static ADDRESS_TEXT_SIZE])
{
    bool v4 = address->ss_family == AF_INET;
    uint16_t port = v4 ? ((const struct sockaddr_in *)address)->sin_port
                       : ((const struct sockaddr_in6 *)address)->sin6_port;
    char host[ADDRESS_TEXT_SIZE];
    address_host_text(address, host);
    snprintf(text, ADDRESS_TEXT_SIZE, v4 ? "%.70s:%u" : "[%.70s]:%u", host, ntohs(port));
}

void address_gid(const struct sockaddr_storage *address, uint8_t gid[static 16])
{
    const void *raw = address->ss_family == AF_INET
                          ? (const void *)&((const struct sockaddr_in *)address)->sin_addr
                          : &((const struct sockaddr_in6 *)address)->sin6_addr;
    gid_of_address(address->ss_family, raw, gid);
}

socklen_t gid_sockaddr(const uint8_t gid[static 16], uint16_t port, uint32_t ifindex,
                       struct sockaddr_storage *address)
{
    memset(address, 0, sizeof(*address));
    if (gid_is_v4_mapped(gid)) {
        struct sockaddr_in *in = (struct sockaddr_in *)address;
        in->sin_family = AF_INET;
        in->sin_port = htons(port);
        memcpy(&in->sin_addr, gid + 12, 4);
        return sizeof(*in);
    }
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)address;
    in6->sin6_family = AF_INET6;
    in6->sin6_port = htons(port);
    in6->sin6_scope_id = gid_is_link_local(gid) ? ifindex : 0;
    memcpy(&in6->sin6_addr, gid, 16);
    return sizeof(*in6);
}
