/* SPDX-License-Identifier: MIT */
/* What the RDMA subsystem says of its devices over NETLINK_RDMA (drivers/infiniband/core/nldev.c). Pure
 * parsers: bytes in, plain data out, text in the arena. 0, or -EBADMSG when the bytes aren't whole; outputs
 * are then filled as far as they could be. */
#pragma once

#include <rdma/rdma_netlink.h>
#include <stddef.h>
#include <stdint.h>

#include "model/num.h"

struct arena;

/* Younger than Debian 12's headers (uapi/rdma/rdma_netlink.h of Linux 6.12). */
enum {
    NLDEV_SYS_PRIVILEGED_QKEY = 96,
    NLDEV_RES_SUBTYPE = 98,
    NLDEV_DEV_TYPE = 99,
    NLDEV_PARENT_NAME = 100,
    NLDEV_EVENT_TYPE = 102,
    NLDEV_SYS_MONITOR_MODE = 103,
    NLDEV_CMD_MONITOR = 28,
    NLDEV_GROUP_NOTIFY = 4,
};

struct nldev_device {
    struct num index;
    const char *name;
    struct num nports;
    struct num cap_flags;
    const char *fw_ver;
    struct num node_guid, sys_image_guid; /* host order */
    struct num node_type;
    const char *protocol; /* "ib", "roce", "iw", "usnic", "opa" */
    struct num dim;
    const char *type, *parent; /* sub-devices (SMI of a planarized one) */
};

struct nldev_port {
    struct num device_index, number;
    struct num state, phys_state;
    struct num netdev_index;
    const char *netdev; /* only when it's in the asking namespace */
};

struct nldev_system {
    struct num netns_mode; /* 0 exclusive, 1 shared */
    struct num copy_on_fork, privileged_qkey, monitor_mode;
};

struct nldev_chardev {
    const char *name; /* "uverbs0" */
    struct num abi, dev, driver_id;
};

int nldev_parse_devices(const void *bytes, size_t len, struct arena *arena, struct nldev_device **devices,
                        size_t *count);
int nldev_parse_ports(const void *bytes, size_t len, struct arena *arena, struct nldev_port **ports,
                      size_t *count);
int nldev_parse_system(const void *bytes, size_t len, struct nldev_system *system);
int nldev_parse_chardev(const void *bytes, size_t len, struct arena *arena, struct nldev_chardev *chardev);

/* nlmsg_type of an operation. */
static inline uint16_t nldev_type(unsigned op)
{
    return (uint16_t)RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, op);
}
