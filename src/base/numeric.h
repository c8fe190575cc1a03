/* SPDX-License-Identifier: MIT */
/* getaddrinfo(3) for numeric addresses only, without a resolver. The static binary uses it instead of
 * glibc's. */
#pragma once

#include <netdb.h>

/* Like getaddrinfo(3): node is an IPv4 or IPv6 address (with %INDEX or %NETDEV if it is link-local); NULL means
 * loopback, or any address with AI_PASSIVE. service is a port number or NULL. Gives one result for each socket
 * type that hints allows; free it with numeric_freeaddrinfo(). Returns EAI_NONAME for a host name, EAI_SERVICE
 * for a service name, EAI_FAMILY for an address not of the family in hints (an IPv4-mapped IPv6 one is of
 * both), EAI_MEMORY. */
int numeric_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                        struct addrinfo **result);
void numeric_freeaddrinfo(struct addrinfo *list); /* NULL is fine */
