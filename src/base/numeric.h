/* SPDX-License-Identifier: MIT */
/* getaddrinfo(3) for numeric addresses only, without a resolver: what the static binary has instead of glibc's.
 */
#pragma once

#include <netdb.h>

/* As getaddrinfo(3): node is an IPv4 or IPv6 address (with %INDEX or %NETDEV when it is link-local), NULL the
 * loopback, or any address with AI_PASSIVE; service is a port number or NULL. One result for each socket type
 * that hints allow; free it with numeric_freeaddrinfo(). EAI_NONAME for a name, EAI_SERVICE for a service's
 * name, EAI_FAMILY for an address of another family than hints ask for (an IPv4 one mapped into IPv6 is
 * both), EAI_MEMORY. */
int numeric_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                        struct addrinfo **result);
void numeric_freeaddrinfo(struct addrinfo *list); /* NULL is fine */
