/* SPDX-License-Identifier: MIT */
/* Messages over TCP, each with a deadline. */
#include "selftest/peer/protocol.h"

#include <netinet/tcp.h>
#include <poll.h>

/* Is there time left, whatever the peer does? */
static int go_on(const struct watch *watch)
{
    struct watch own = *watch;
    own.fd = -1;
    return watch_check(&own);
}

/* Waits until the socket is ready. A peer that always has another byte gets no more time than a silent one. */
static int ready(int fd, short events, const struct watch *watch)
{
    int r;
    while ((r = go_on(watch)) == 0) {
        struct pollfd p = { .fd = fd, .events = events };
        int polled = poll(&p, 1, watch_slice(watch));
        if (polled > 0)
            return 0;
        if (polled < 0 && errno != EINTR)
            return -errno;
    }
    return r;
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
    int r = go_on(watch); /* a peer that always has another message waiting is never waited for */
    if (r == 0)
        r = transfer(connection->fd, false, connection->buffer, WIRE_HEADER_SIZE, watch);
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

void connection_tune(int fd)
{
    static const struct {
        int level, option, value;
    } options[] = { { IPPROTO_TCP, TCP_NODELAY, 1 },
                    { SOL_SOCKET, SO_KEEPALIVE, 1 },
                    { IPPROTO_TCP, TCP_KEEPIDLE, 10 },
                    { IPPROTO_TCP, TCP_KEEPINTVL, 5 },
                    { IPPROTO_TCP, TCP_KEEPCNT, 3 } };
    for (size_t i = 0; i < ARRAY_SIZE(options); i++)
        setsockopt(fd, options[i].level, options[i].option, &options[i].value, sizeof(int));
}

/* Connects a socket, within the watch's time. */
static int connect_socket(int fd, const struct sockaddr_storage *address, const struct sockaddr_storage *from,
                          const struct watch *watch)
{
    int err = 0;
    socklen_t size = sizeof(err);
    if (from && bind(fd, (const struct sockaddr *)from, address_size(from)) < 0)
        return -errno;
    if (connect(fd, (const struct sockaddr *)address, address_size(address)) == 0)
        return 0;
    int r = errno == EINPROGRESS ? ready(fd, POLLOUT, watch) : -errno;
    if (r == 0 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &size) < 0)
        err = errno;
    return r < 0 ? r : -err;
}

/* *out becomes the socket, or it is closed if r is an error. */
static int hand_over(int fd, int r, int *out)
{
    if (r < 0)
        close(fd);
    else
        *out = fd;
    return r;
}

int connection_open(const struct sockaddr_storage *address, const struct sockaddr_storage *from,
                    const struct watch *watch, int *out)
{
    int fd = socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    connection_tune(fd);
    return hand_over(fd, connect_socket(fd, address, from, watch), out);
}

int connection_listen(const struct sockaddr_storage *address, bool early, int *out)
{
    bool v6 = address->ss_family == AF_INET6;
    int fd = socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), one = 1;
    if (fd < 0)
        return -errno;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
    if (v6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one));
    if (early)
        setsockopt(fd, v6 ? IPPROTO_IPV6 : IPPROTO_IP, v6 ? IPV6_FREEBIND : IP_FREEBIND, &one, sizeof(one));
    bool listens = bind(fd, (const struct sockaddr *)address, address_size(address)) == 0 &&
                   listen(fd, 128) == 0;
    return hand_over(fd, listens ? 0 : -errno, out);
}
