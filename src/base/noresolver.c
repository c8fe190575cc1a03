/* SPDX-License-Identifier: MIT */
/* libnl's address helpers drag the resolver in, which a static glibc program cannot use without the very
 * glibc it was linked with. What libibverbs asks on its way to an address handle (neigh.c,
 * neigh_get_oif_from_src, by way of nl_addr_info) is always numeric, so that is answered; names are not.
 * libcares, which looks up names for roce ping, asks for services by name only where it is given some: it
 * isn't. Linked into the static binary alone. */
#include <errno.h>

#include "base/numeric.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" /* what is asked for isn't there, whatever it is */

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

/* libnl 3.12 asks by these. */
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

/* libnl's nl_addr_resolve() alone would call it; glibc's brings what looks up services along. */
int getnameinfo(const struct sockaddr *address, socklen_t len, char *host, socklen_t host_size, char *service,
                socklen_t service_size, int flags)
{
    return EAI_NONAME;
}
