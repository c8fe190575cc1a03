/* Messages over TCP, each with a deadline. */
#pragma once

#include <netinet/in.h>
#include <stdint.h>
#include <sys/socket.h>

#include "selftest/wait.h"
#include "selftest/wire.h"

enum { TALK_PORT = 18517, TALK_ADDRESS_SIZE = 80 };

struct talk {
    int fd; /* not blocking; -1: closed */
    uint8_t buffer[WIRE_HEADER_SIZE + WIRE_BODY_MOST];
};

/* 0, -ETIMEDOUT, -EINTR, -ECONNRESET (the peer is gone), or what wire_decode() says. watch->fd is not looked
 * at. */
int talk_send(struct talk *talk, const struct wire_message *message, const struct watch *watch);
int talk_receive(struct talk *talk, struct wire_message *message, const struct watch *watch);
void talk_close(struct talk *talk);

/* "10.0.0.1", "10.0.0.1:700", "fe80::1%eth0", "[2001:db8::1]:700"; numeric only. 0 or -EINVAL. */
int address_parse(const char *text, uint16_t port, struct sockaddr_storage *address, socklen_t *len);
void address_text(const struct sockaddr_storage *address, char text[static TALK_ADDRESS_SIZE]);
/* As the GID that the address would make. */
void address_gid(const struct sockaddr_storage *address, uint8_t gid[static 16]);
/* The address of a GID, as a socket address; link-local ones get the scope ifindex. */
socklen_t gid_sockaddr(const uint8_t gid[static 16], uint16_t port, uint32_t ifindex,
                       struct sockaddr_storage *address);
/* 0 or -errno; *fd is not blocking. */
int talk_connect(const struct sockaddr_storage *address, socklen_t len, const struct watch *watch, int *fd);
/* Small messages at once; a host that is gone is noticed within half a minute. */
void talk_tune(int fd);
/* early: also on an address that the host doesn't have yet, such as one still probed for duplicates. */
int talk_listen(const struct sockaddr_storage *address, socklen_t len, bool early, int *fd);
