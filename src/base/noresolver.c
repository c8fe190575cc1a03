/* SPDX-License-Identifier: MIT */
/* libnl's address helpers drag the resolver in, which a static glibc program cannot use without the very
 * glibc it was linked with. What libibverbs asks on its way to an address handle (neigh.c,
 * neigh_get_oif_from_src, by way of nl_addr_info) is always numeric, so that is answered; names are not.
 * Linked into the static binary alone. */
#include "base/numeric.h"

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
    (void)number;
    return NULL;
}

struct protoent *getprotobyname(const char *name)
{
    (void)name;
    return NULL;
}
