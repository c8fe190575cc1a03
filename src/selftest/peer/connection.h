/* SPDX-License-Identifier: MIT */
/* Messages over TCP, each with a deadline. */
#pragma once

#include <stdint.h>

#include "selftest/peer/wire.h"
#include "selftest/queues/address.h"
#include "selftest/queues/wait.h"

enum { CONNECTION_PORT = 18517 };

struct connection {
    int fd; /* not blocking; -1: closed */
    uint8_t buffer[WIRE_HEADER_SIZE + WIRE_BODY_MOST];
};

/* 0, -ETIMEDOUT, -EINTR, -ECONNRESET (the peer is gone), or what wire_decode() says. watch->fd is not looked
 * at. */
int connection_send(struct connection *connection, const struct wire_message *message,
                    const struct watch *watch);
int connection_receive(struct connection *connection, struct wire_message *message, const struct watch *watch);
void connection_close(struct connection *connection);

/* 0 or -errno; *fd is not blocking. from: of the same family, the address to connect from; NULL: any. */
int connection_open(const struct sockaddr_storage *address, const struct sockaddr_storage *from,
                    socklen_t len, const struct watch *watch, int *fd);
/* Small messages at once; a host that is gone is noticed within half a minute. */
void connection_tune(int fd);
/* early: also on an address that the host doesn't have yet, such as one still probed for duplicates. */
int connection_listen(const struct sockaddr_storage *address, socklen_t len, bool early, int *fd);
