/* SPDX-License-Identifier: MIT */
#include "base/numeric.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <string.h>

/* The C library's own: of the plain build's objects one bears that name, too, and would be asked about itself. */
static int libc_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                            struct addrinfo **list)
{
    int (*function)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    *(void **)&function = dlsym(RTLD_NEXT, "getaddrinfo");
    cr_assert(function);
    return function(node, service, hints, list);
}

static void libc_freeaddrinfo(struct addrinfo *list)
{
    void (*function)(struct addrinfo *);
    *(void **)&function = dlsym(RTLD_NEXT, "freeaddrinfo");
    function(list);
}

/* What the C library answers to the same question is the oracle. */
static void same_as_libc(const char *node, const char *service, const struct addrinfo *hints)
{
    struct addrinfo *own = NULL, *theirs = NULL, numeric = hints ? *hints : (struct addrinfo){ 0 };
    numeric.ai_flags |= AI_NUMERICHOST | AI_NUMERICSERV;
    int r = numeric_getaddrinfo(node, service, hints, &own),
        expected = libc_getaddrinfo(node, service, &numeric, &theirs);
    const char *name = node ? node : "(none)";
    cr_assert_eq(r == 0, expected == 0, "%s: %d, the C library %d", name, r, expected);
    const struct addrinfo *a = own, *b = theirs;
    for (; a && b; a = a->ai_next, b = b->ai_next) {
        cr_expect_eq(a->ai_family, b->ai_family, "%s", name);
        cr_expect_eq(a->ai_socktype, b->ai_socktype, "%s", name);
        cr_expect_eq(a->ai_protocol, b->ai_protocol, "%s", name);
        cr_assert_eq(a->ai_addrlen, b->ai_addrlen, "%s", name);
        cr_expect_arr_eq(a->ai_addr, b->ai_addr, a->ai_addrlen, "%s", name);
    }
    cr_expect(!a && !b, "%s: as many results", name);
    numeric_freeaddrinfo(own);
    if (theirs)
        libc_freeaddrinfo(theirs);
}

Test(numeric, answers_as_the_c_library_does)
{
    static const char *const nodes[] = { "10.0.0.1",        "255.255.255.255", "::1",       "2001:db8::1",
                                         "::ffff:10.0.0.1", "fe80::1%lo",      "fe80::1%1", "example",
                                         "10.0.0.1/24",     "fe80::1%nosuch",  "",          "2001:db8::1::2" };
    static const int families[] = { AF_UNSPEC, AF_INET, AF_INET6 }, types[] = { 0, SOCK_STREAM, SOCK_DGRAM };
    for (size_t n = 0; n < sizeof(nodes) / sizeof(*nodes); n++)
        for (size_t f = 0; f < 3; f++)
            for (size_t t = 0; t < 3; t++)
                same_as_libc(nodes[n], NULL,
                             &(struct addrinfo){ .ai_family = families[f], .ai_socktype = types[t] });
    same_as_libc("10.0.0.1", NULL, NULL);
    same_as_libc("10.0.0.1", "7471", NULL);
    same_as_libc("10.0.0.1", "no-such-service", NULL);
    same_as_libc(NULL, NULL, NULL);
    same_as_libc(NULL, "7471", &(struct addrinfo){ .ai_family = AF_INET, .ai_flags = AI_PASSIVE });
    same_as_libc(NULL, "7471", &(struct addrinfo){ .ai_family = AF_INET6 });
}
