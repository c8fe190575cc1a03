#include "selftest/talk.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "model/gid.h"

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

int talk_send(struct talk *talk, const struct wire_message *message, const struct watch *watch)
{
    int len = wire_encode(message, talk->buffer, sizeof(talk->buffer));
    return len < 0 ? len : transfer(talk->fd, true, talk->buffer, (size_t)len, watch);
}

int talk_receive(struct talk *talk, struct wire_message *message, const struct watch *watch)
{
    enum wire_type type;
    size_t length;
    int r = transfer(talk->fd, false, talk->buffer, WIRE_HEADER_SIZE, watch);
    if (r == 0)
        r = wire_decode_header(talk->buffer, &type, &length);
    if (r == 0)
        r = transfer(talk->fd, false, talk->buffer, length, watch);
    return r < 0 ? r : wire_decode(type, talk->buffer, length, message);
}

void talk_close(struct talk *talk)
{
    if (talk->fd >= 0)
        close(talk->fd);
    talk->fd = -1;
}

static int parse_v6(const char *text, uint16_t port, struct sockaddr_in6 *in6)
{
    char copy[INET6_ADDRSTRLEN + IF_NAMESIZE + 1];
    if (snprintf(copy, sizeof(copy), "%s", text) >= (int)sizeof(copy))
        return -EINVAL;
    char *scope = strchr(copy, '%');
    if (scope)
        *scope++ = '\0';
    *in6 = (struct sockaddr_in6){ .sin6_family = AF_INET6, .sin6_port = htons(port) };
    if (inet_pton(AF_INET6, copy, &in6->sin6_addr) != 1)
        return -EINVAL;
    uint64_t index = 0;
    if (scope && text_to_u64(scope, 10, &index) < 0)
        index = if_nametoindex(scope);
    if (scope && index == 0)
        return -EINVAL;
    in6->sin6_scope_id = (uint32_t)index;
    return 0;
}

/* Cuts ":PORT" off the end of text. */
static int cut_port(char *colon, uint16_t *port)
{
    uint64_t number;
    if (text_to_u64(colon + 1, 10, &number) < 0 || number == 0 || number > 65535)
        return -EINVAL;
    *port = (uint16_t)number;
    *colon = '\0';
    return 0;
}

int address_parse(const char *text, uint16_t port, struct sockaddr_storage *address, socklen_t *len)
{
    char copy[TALK_ADDRESS_SIZE];
    if (snprintf(copy, sizeof(copy), "%s", text) >= (int)sizeof(copy))
        return -EINVAL;
    memset(address, 0, sizeof(*address));
    char *host = copy, *close = strchr(copy, ']'), *colon = strchr(copy, ':');
    if (*copy == '[' && close) {
        if (close[1] && (close[1] != ':' || cut_port(close + 1, &port) < 0))
            return -EINVAL;
        *close = '\0';
        host++;
    } else if (colon && !strchr(colon + 1, ':') && cut_port(colon, &port) < 0) {
        return -EINVAL;
    }
    struct sockaddr_in *in = (struct sockaddr_in *)address;
    *in = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(port) };
    if (inet_pton(AF_INET, host, &in->sin_addr) == 1) {
        *len = sizeof(*in);
        return 0;
    }
    *len = sizeof(struct sockaddr_in6);
    return parse_v6(host, port, (struct sockaddr_in6 *)address);
}

void address_text(const struct sockaddr_storage *address, char text[static TALK_ADDRESS_SIZE])
{
    char host[INET6_ADDRSTRLEN] = "?";
    if (address->ss_family == AF_INET) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)address;
        inet_ntop(AF_INET, &in->sin_addr, host, sizeof(host));
        snprintf(text, TALK_ADDRESS_SIZE, "%s:%u", host, ntohs(in->sin_port));
        return;
    }
    const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)address;
    inet_ntop(AF_INET6, &in6->sin6_addr, host, sizeof(host));
    char scope[IF_NAMESIZE + 2] = "";
    char name[IF_NAMESIZE];
    if (in6->sin6_scope_id && if_indextoname(in6->sin6_scope_id, name))
        snprintf(scope, sizeof(scope), "%%%s", name);
    snprintf(text, TALK_ADDRESS_SIZE, "[%s%s]:%u", host, scope, ntohs(in6->sin6_port));
}

void address_gid(const struct sockaddr_storage *address, uint8_t gid[static 16])
{
    if (address->ss_family == AF_INET) {
        memset(gid, 0, 10);
        gid[10] = gid[11] = 0xff;
        memcpy(gid + 12, &((const struct sockaddr_in *)address)->sin_addr, 4);
    } else {
        memcpy(gid, &((const struct sockaddr_in6 *)address)->sin6_addr, 16);
    }
}

socklen_t gid_sockaddr(const uint8_t gid[static 16], uint16_t port, uint32_t ifindex,
                       struct sockaddr_storage *address)
{
    memset(address, 0, sizeof(*address));
    if (gid_is_v4_mapped(gid)) {
        struct sockaddr_in *in = (struct sockaddr_in *)address;
        in->sin_family = AF_INET;
        in->sin_port = htons(port);
        memcpy(&in->sin_addr, gid + 12, 4);
        return sizeof(*in);
    }
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)address;
    in6->sin6_family = AF_INET6;
    in6->sin6_port = htons(port);
    in6->sin6_scope_id = gid_is_link_local(gid) ? ifindex : 0;
    memcpy(&in6->sin6_addr, gid, 16);
    return sizeof(*in6);
}

static int open_socket(int family)
{
    int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    return fd < 0 ? -errno : fd;
}

void talk_tune(int fd)
{
    int one = 1, idle = 10, interval = 5, count = 3;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof(one));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof(interval));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof(count));
}

int talk_connect(const struct sockaddr_storage *address, socklen_t len, const struct watch *watch, int *out)
{
    int fd = open_socket(address->ss_family), err = 0;
    if (fd < 0)
        return fd;
    talk_tune(fd);
    int r = connect(fd, (const struct sockaddr *)address, len) < 0 ? -errno : 0;
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

int talk_listen(const struct sockaddr_storage *address, socklen_t len, bool early, int *out)
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
