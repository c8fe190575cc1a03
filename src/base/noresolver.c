/* libnl's address helpers drag the resolver in, which a static glibc program cannot use without the very
 * glibc it was linked with. roce takes numeric addresses only, so these say that there is no answer; they are
 * linked into the static binary alone. */
#include <netdb.h>
#include <stddef.h>

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result)
{
    (void)node, (void)service, (void)hints, (void)result;
    return EAI_FAIL;
}

void freeaddrinfo(struct addrinfo *list)
{
    (void)list;
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
