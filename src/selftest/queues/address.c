/* SPDX-License-Identifier: MIT */
/* Socket addresses: as people write them, and as GIDs. */
#include "selftest/queues/wait.h"

#include <arpa/inet.h>
#include <net/if.h>

#include "model/gid.h"

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

static int parse_v6(char *text, uint16_t port, struct sockaddr_in6 *in6)
{
    char *scope = strchr(text, '%');
    if (scope)
        *scope++ = '\0';
    *in6 = (struct sockaddr_in6){ .sin6_family = AF_INET6, .sin6_port = htons(port) };
    if (inet_pton(AF_INET6, text, &in6->sin6_addr) != 1)
        return -EINVAL;
    uint64_t index = 0;
    if (scope && text_to_u64(scope, 10, &index) < 0)
        index = if_nametoindex(scope);
    in6->sin6_scope_id = (uint32_t)index;
    return scope && index == 0 ? -EINVAL : 0;
}

int address_parse(const char *text, uint16_t port, struct sockaddr_storage *address)
{
    char copy[ADDRESS_TEXT_SIZE];
    if (snprintf(copy, sizeof(copy), "%s", text) >= (int)sizeof(copy))
        return -EINVAL;
    char *host = copy, *close = strchr(copy, ']'), *colon = strchr(copy, ':');
    if (*copy == '[' && close) {
        if (close[1] && (close[1] != ':' || cut_port(close + 1, &port) < 0))
            return -EINVAL;
        *close = '\0';
        host++;
    } else if (colon && !strchr(colon + 1, ':') && cut_port(colon, &port) < 0) {
        return -EINVAL;
    }
    memset(address, 0, sizeof(*address));
    struct sockaddr_in *in = (struct sockaddr_in *)address;
    *in = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(port) };
    return inet_pton(AF_INET, host, &in->sin_addr) == 1 ? 0
                                                        : parse_v6(host, port, (struct sockaddr_in6 *)address);
}

socklen_t address_size(const struct sockaddr_storage *address)
{
    return address->ss_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
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

static const void *raw_of(const struct sockaddr_storage *address)
{
    return address->ss_family == AF_INET ? (const void *)&((const struct sockaddr_in *)address)->sin_addr
                                         : &((const struct sockaddr_in6 *)address)->sin6_addr;
}

void address_host_text(const struct sockaddr_storage *address, char text[static ADDRESS_TEXT_SIZE])
{
    bool v4 = address->ss_family == AF_INET;
    char host[INET6_ADDRSTRLEN] = "?", name[IF_NAMESIZE];
    uint32_t scope = v4 ? 0 : ((const struct sockaddr_in6 *)address)->sin6_scope_id;
    bool named = scope && if_indextoname(scope, name);
    inet_ntop(v4 ? AF_INET : AF_INET6, raw_of(address), host, sizeof(host));
    snprintf(text, ADDRESS_TEXT_SIZE, "%s%s%s", host, named ? "%" : "", named ? name : "");
}

void address_text(const struct sockaddr_storage *address, char text[static ADDRESS_TEXT_SIZE])
{
    uint16_t port = ntohs(((const struct sockaddr_in *)address)->sin_port); /* same offset in both families */
    char host[ADDRESS_TEXT_SIZE];
    address_host_text(address, host);
    snprintf(text, ADDRESS_TEXT_SIZE, address->ss_family == AF_INET ? "%.70s:%u" : "[%.70s]:%u", host, port);
}

void address_gid(const struct sockaddr_storage *address, uint8_t gid[static 16])
{
    gid_of_address(address->ss_family, raw_of(address), gid);
}

void gid_sockaddr(const uint8_t gid[static 16], uint16_t port, uint32_t ifindex,
                  struct sockaddr_storage *address)
{
    struct sockaddr_in *in = (struct sockaddr_in *)address;
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)address;
    bool v4 = gid_is_v4_mapped(gid);
    memset(address, 0, sizeof(*address));
    address->ss_family = v4 ? AF_INET : AF_INET6;
    in->sin_port = htons(port); /* at the same offset in both families */
    if (!v4 && gid_is_link_local(gid))
        in6->sin6_scope_id = ifindex;
    memcpy(v4 ? (void *)&in->sin_addr : &in6->sin6_addr, gid + (v4 ? 12 : 0), v4 ? 4 : 16);
}
