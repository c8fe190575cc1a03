/* SPDX-License-Identifier: MIT */
/* Socket addresses: as people write them, and as GIDs. */
#pragma once

#include <netinet/in.h>
#include <stdint.h>
#include <sys/socket.h>

enum { ADDRESS_TEXT_SIZE = 80, HOST_NAME_SIZE = 254 };

/* "10.0.0.1", "10.0.0.1:700", "fe80::1%eth0", "[2001:db8::1]:700"; numeric only. 0 or -EINVAL. */
int address_parse(const char *text, uint16_t port, struct sockaddr_storage *address, socklen_t *len);
/* "node7", "node7.example.com:700": a name that DNS or /etc/hosts can have, one letter in it at least. port
 * stays when text has none. 0 or -EINVAL. */
int address_name(const char *text, char name[static HOST_NAME_SIZE], uint16_t *port);
/* Without the port: "10.0.0.1", "fe80::1%eth0". */
void address_host_text(const struct sockaddr_storage *address, char text[static ADDRESS_TEXT_SIZE]);
void address_text(const struct sockaddr_storage *address, char text[static ADDRESS_TEXT_SIZE]);
/* As the GID that the address would make. */
void address_gid(const struct sockaddr_storage *address, uint8_t gid[static 16]);
/* The address of a GID, as a socket address; link-local ones get the scope ifindex. */
socklen_t gid_sockaddr(const uint8_t gid[static 16], uint16_t port, uint32_t ifindex,
                       struct sockaddr_storage *address);
