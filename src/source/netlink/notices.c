/* SPDX-License-Identifier: MIT */
/* Sockets for the kernel's notifications. */
#include "source/netlink/parsers.h"

#include <linux/rtnetlink.h>

enum { RECEIVE_BUFFER = 4 << 20 };

int notices_open(int protocol)
{
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
    if (fd < 0)
        return -errno;
    int room = RECEIVE_BUFFER; /* capped at net.core.rmem_max: what doesn't fit leaves a gap */
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
    struct sockaddr_nl address = {
        .nl_family = AF_NETLINK,
        .nl_groups = protocol == NETLINK_ROUTE ? RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR
                                               : 1u << (NLDEV_GROUP_NOTIFY - 1),
    };
    if (bind(fd, (const struct sockaddr *)&address, sizeof(address)) < 0) {
        int err = errno;
        close(fd);
        return -err;
    }
    return fd;
}

ssize_t netlink_receive(int fd, void *buffer, size_t size)
{
    struct sockaddr_nl from = { 0 };
    struct iovec iov = { buffer, size };
    struct msghdr msg = { .msg_name = &from, .msg_namelen = sizeof(from), .msg_iov = &iov, .msg_iovlen = 1 };
    ssize_t n = recvmsg(fd, &msg, MSG_DONTWAIT);
    if (n < 0)
        return -errno;
    return from.nl_pid ? 0 : msg.msg_flags & MSG_TRUNC ? -EMSGSIZE : n;
}

long notices_receive(int fd, void *buffer, size_t size)
{
    ssize_t n;
    do
        n = netlink_receive(fd, buffer, size);
    while (n == 0 || n == -EINTR);
    return n == -EAGAIN ? 0 : n == -EMSGSIZE ? -ENOBUFS : n;
}
