/* SPDX-License-Identifier: MIT */
/* libnl's address helpers drag in the resolver, which a static glibc program cannot use without the very
 * glibc it was linked with. What libibverbs looks up to make an address handle (neigh.c,
 * neigh_get_oif_from_src, via nl_addr_info) is always numeric, so only that is answered, names aren't.
 * libcares, which looks up names for roce ping, looks up services only when given their names, and it isn't.
 * Linked into the static binary only. */
#include "base/numeric.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" /* whatever is asked for doesn't exist */

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result)
{
    return numeric_getaddrinfo(node, service, hints, result);
}

void freeaddrinfo(struct addrinfo *list)
{
    numeric_freeaddrinfo(list);
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
