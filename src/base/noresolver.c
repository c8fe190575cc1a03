/* SPDX-License-Identifier: MIT */
/* libnl's address helpers drag in the resolver, which a static glibc program cannot use without the very
 * glibc it was linked with. What libibverbs looks up to make an address handle (neigh.c,
 * neigh_get_oif_from_src, via nl_addr_info) is always numeric, so only that is answered, not names.
 * libcares, which looks up names for roce ping, looks up services only if given their names, which it isn't.
 * Linked into the static binary only. */
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>

#pragma GCC diagnostic ignored "-Wunused-parameter" /* whatever is asked for doesn't exist */

/* One allocation holds both, so that freeing the first frees all. */
struct answer {
    struct addrinfo info;
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } address;
};

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result)
{
    struct answer *answer = calloc(1, sizeof(*answer));
    if (!answer)
        return EAI_MEMORY;
    bool v4 = inet_pton(AF_INET, node, &answer->address.v4.sin_addr) == 1;
    int family = v4 ? AF_INET : AF_INET6;
    if ((!v4 && inet_pton(AF_INET6, node, &answer->address.v6.sin6_addr) != 1) ||
        (hints && hints->ai_family != AF_UNSPEC && hints->ai_family != family)) {
        free(answer);
        return EAI_NONAME;
    }
    answer->address.any.sa_family = (sa_family_t)family;
    answer->info = (struct addrinfo){ .ai_family = family,
                                      .ai_socktype = SOCK_STREAM,
                                      .ai_addrlen = v4 ? sizeof(answer->address.v4)
                                                       : sizeof(answer->address.v6),
                                      .ai_addr = &answer->address.any };
    *result = &answer->info;
    return 0;
}

void freeaddrinfo(struct addrinfo *list)
{
    free(list);
}

struct protoent *getprotobynumber(int number)
{
    return NULL;
}

struct protoent *getprotobyname(const char *name)
{
    return NULL;
}

/* libnl 3.12 calls these. */
int getprotobynumber_r(int number, struct protoent *protocol, char *buffer, size_t size,
                       struct protoent **result)
{
    *result = NULL;
    return ENOENT;
}

int getprotobyname_r(const char *name, struct protoent *protocol, char *buffer, size_t size,
                     struct protoent **result)
{
    *result = NULL;
    return ENOENT;
}

struct servent *getservbyname(const char *name, const char *protocol)
{
    return NULL;
}

int getservbyname_r(const char *name, const char *protocol, struct servent *service, char *buffer, size_t size,
                    struct servent **result)
{
    *result = NULL;
    return ENOENT;
}

int getservbyport_r(int port, const char *protocol, struct servent *service, char *buffer, size_t size,
                    struct servent **result)
{
    *result = NULL;
    return ENOENT;
}

/* Only libnl's nl_addr_resolve() would call it; glibc's pulls in the lookup of services. */
int getnameinfo(const struct sockaddr *address, socklen_t len, char *host, socklen_t host_size, char *service,
                socklen_t service_size, int flags)
{
    return EAI_NONAME;
}
