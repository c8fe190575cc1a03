/* SPDX-License-Identifier: MIT */
/* getaddrinfo(3) for numeric addresses, without a resolver. */
#include "base/numeric.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>

/* One allocation holds both, so that freeing the first frees all. */
struct answer {
    struct addrinfo info;
    struct sockaddr_storage address;
};

static int parse_v4(const char *node, struct sockaddr_storage *address)
{
    struct sockaddr_in *in = (struct sockaddr_in *)address;
    in->sin_family = AF_INET;
    return inet_pton(AF_INET, node, &in->sin_addr) == 1 ? 0 : EAI_NONAME;
}

static int parse_v6(const char *node, struct sockaddr_storage *address)
{
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)address;
    char host[INET6_ADDRSTRLEN];
    const char *scope = strchr(node, '%');
    size_t len = scope ? (size_t)(scope - node) : strlen(node);
    if (len >= sizeof(host))
        return EAI_NONAME;
    memcpy(host, node, len);
    host[len] = '\0';
    in6->sin6_family = AF_INET6;
    if (inet_pton(AF_INET6, host, &in6->sin6_addr) != 1)
        return EAI_NONAME;
    uint64_t index = 0;
    if (scope && (text_to_u64(scope + 1, 10, &index) < 0 || index > UINT32_MAX))
        index = if_nametoindex(scope + 1);
    if (scope && index == 0)
        return EAI_NONAME;
    in6->sin6_scope_id = (uint32_t)index;
    return 0;
}

static int parse_node(const char *node, const struct addrinfo *hints, struct sockaddr_storage *address)
{
    bool passive = hints->ai_flags & AI_PASSIVE;
    if (!node && hints->ai_family == AF_INET6)
        return parse_v6(passive ? "::" : "::1", address);
    if (!node)
        return parse_v4(passive ? "0.0.0.0" : "127.0.0.1", address);
    if (parse_v4(node, address) == 0)
        return hints->ai_family == AF_INET6 ? EAI_FAMILY : 0;
    memset(address, 0, sizeof(*address));
    int r = parse_v6(node, address);
    if (r != 0 || hints->ai_family != AF_INET)
        return r;
    struct in6_addr mapped = ((struct sockaddr_in6 *)address)->sin6_addr;
    if (!IN6_IS_ADDR_V4MAPPED(&mapped))
        return EAI_FAMILY;
    memset(address, 0, sizeof(*address));
    address->ss_family = AF_INET;
    memcpy(&((struct sockaddr_in *)address)->sin_addr, mapped.s6_addr + 12, 4);
    return 0;
}

static int parse_port(const char *service, struct sockaddr_storage *address)
{
    uint64_t port = 0;
    if (service && (text_to_u64(service, 10, &port) < 0 || port > UINT16_MAX))
        return EAI_SERVICE;
    /* the port is at the same offset in both families */
    ((struct sockaddr_in *)address)->sin_port = htons((uint16_t)port);
    return 0;
}

static int add(struct addrinfo ***end, const struct addrinfo *hints, int type, int protocol,
               const struct sockaddr_storage *address)
{
    struct answer *answer = calloc(1, sizeof(*answer));
    if (!answer)
        return EAI_MEMORY;
    answer->address = *address;
    answer->info = (struct addrinfo){
        .ai_flags = hints->ai_flags,
        .ai_family = address->ss_family,
        .ai_socktype = type,
        .ai_protocol = hints->ai_protocol ? hints->ai_protocol : protocol,
        .ai_addrlen = address->ss_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6),
        .ai_addr = (struct sockaddr *)&answer->address,
    };
    **end = (struct addrinfo *)answer; /* its first member, and what is freed */
    *end = &answer->info.ai_next;
    return 0;
}

int numeric_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                        struct addrinfo **result)
{
    static const struct addrinfo any = { .ai_family = AF_UNSPEC };
    static const struct {
        int type, protocol;
    } kinds[] = { { SOCK_STREAM, IPPROTO_TCP }, { SOCK_DGRAM, IPPROTO_UDP }, { SOCK_RAW, 0 } };
    struct sockaddr_storage address = { 0 };
    struct addrinfo *list = NULL, **end = &list;
    hints = hints ? hints : &any;
    if (!node && !service)
        return EAI_NONAME;
    int r = parse_node(node, hints, &address);
    if (r == 0)
        r = parse_port(service, &address);
    for (size_t i = 0; r == 0 && i < sizeof(kinds) / sizeof(*kinds); i++)
        if (hints->ai_socktype == 0 || hints->ai_socktype == kinds[i].type)
            r = add(&end, hints, kinds[i].type, kinds[i].protocol, &address);
    if (r == 0 && !list)
        r = EAI_SOCKTYPE;
    if (r == 0)
        *result = list;
    else
        numeric_freeaddrinfo(list);
    return r;
}

void numeric_freeaddrinfo(struct addrinfo *list)
{
    while (list) {
        struct addrinfo *next = list->ai_next;
        free(list);
        list = next;
    }
}
