/* SPDX-License-Identifier: MIT */
/* Messages over TCP, each with a deadline. */
#include "selftest/peer/protocol.h"

#include <netinet/tcp.h>
#include <poll.h>

/* Waits until the socket is ready. */
static int ready(int fd, short events, const struct watch *watch)
{
    struct watch own = *watch;
    own.fd = -1;
    for (;;) {
        struct pollfd p = { .fd = fd, .events = events };
        int r = poll(&p, 1, watch_slice(&own));
        if (r > 0)
            return 0;
        if (r < 0 && errno != EINTR)
            return -errno;
        r = watch_check(&own);
        if (r < 0)
            return r;
    }
}

static int gone(int err)
{
    return err == EPIPE || err == ECONNABORTED || err == ENOTCONN ? -ECONNRESET : -err;
}

/* All of data, in one direction or the other. */
static int transfer(int fd, bool out, uint8_t *data, size_t len, const struct watch *watch)
{
    while (len) {
        ssize_t n = out ? send(fd, data, len, MSG_NOSIGNAL) : recv(fd, data, len, 0);
        if (n == 0 && !out)
            return -ECONNRESET;
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            return gone(errno);
        if (n > 0) {
            data += n;
            len -= (size_t)n;
            continue;
        }
        int r = ready(fd, out ? POLLOUT : POLLIN, watch);
        if (r < 0)
            return r;
    }
    return 0;
}

int connection_send(struct connection *connection, const struct wire_message *message,
                    const struct watch *watch)
{
    int len = wire_encode(message, connection->buffer, sizeof(connection->buffer));
    return len < 0 ? len : transfer(connection->fd, true, connection->buffer, (size_t)len, watch);
}

int connection_receive(struct connection *connection, struct wire_message *message, const struct watch *watch)
{
    enum wire_type type;
    size_t length;
    int r = transfer(connection->fd, false, connection->buffer, WIRE_HEADER_SIZE, watch);
    if (r == 0)
        r = wire_decode_header(connection->buffer, &type, &length);
    if (r == 0)
        r = transfer(connection->fd, false, connection->buffer, length, watch);
    return r < 0 ? r : wire_decode(type, connection->buffer, length, message);
}

void connection_close(struct connection *connection)
{
    if (connection->fd >= 0)
        close(connection->fd);
    connection->fd = -1;
}

static int open_socket(int family)
{
    int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    return fd < 0 ? -errno : fd;
}

void connection_tune(int fd)
{
    int one = 1, idle = 10, interval = 5, count = 3;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof(one));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof(interval));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof(count));
}

int connection_open(const struct sockaddr_storage *address, const struct sockaddr_storage *from, socklen_t len,
                    const struct watch *watch, int *out)
{
    int fd = open_socket(address->ss_family), err = 0;
    if (fd < 0)
        return fd;
    connection_tune(fd);
    int r = from && bind(fd, (const struct sockaddr *)from, len) < 0 ? -errno : 0;
    if (r == 0)
        r = connect(fd, (const struct sockaddr *)address, len) < 0 ? -errno : 0;
    if (r == -EINPROGRESS) {
        socklen_t size = sizeof(err);
        r = ready(fd, POLLOUT, watch);
        if (r == 0 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &size) < 0)
            r = -errno;
        if (r == 0)
            r = -err;
    }
    if (r < 0)
        close(fd);
    else
        *out = fd;
    return r;
}

int connection_listen(const struct sockaddr_storage *address, socklen_t len, bool early, int *out)
{
    int fd = open_socket(address->ss_family), one = 1;
    if (fd < 0)
        return fd;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
    if (address->ss_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one));
    if (early && address->ss_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_FREEBIND, &one, sizeof(one));
    else if (early)
        setsockopt(fd, IPPROTO_IP, IP_FREEBIND, &one, sizeof(one));
    if (bind(fd, (const struct sockaddr *)address, len) < 0 || listen(fd, 128) < 0) {
        int r = -errno;
        close(fd);
        return r;
    }
    *out = fd;
    return 0;
}
