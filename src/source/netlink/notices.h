/* SPDX-License-Identifier: MIT */
/* What the kernel sends unasked: links and addresses that change, and the RDMA core's notices. */
#pragma once

#include <stddef.h>

#include "model/num.h"

struct arena;

/* A socket that hears link and address changes (protocol NETLINK_ROUTE), or RDMA_NL_GROUP_NOTIFY
 * (NETLINK_RDMA, Linux 6.12). A file descriptor that the caller closes, or -errno. */
int notices_open(int protocol);
/* The next datagram from the kernel into buffer, without waiting. Its length; 0: there is none; -ENOBUFS:
 * some were lost; else -errno. */
long notices_receive(int fd, void *buffer, size_t size);

/* A notice of the RDMA core. */
struct nldev_notice {
    const char *what; /* "registered", "unregistered", "netdev-attached", … */
    struct num device_index, port, netdev_index;
    const char *device, *netdev;
};
/* 0, or -EBADMSG; pure. */
int nldev_parse_notices(const void *bytes, size_t len, struct arena *arena, struct nldev_notice **notices,
                        size_t *count);
