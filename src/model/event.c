/* SPDX-License-Identifier: MIT */
#include "model/event.h"

const char *event_kind_name(enum event_kind kind)
{
    static const char *const names[EVENT_KINDS] = {
        [EVENT_DEVICE_ADDED] = "device-added",
        [EVENT_DEVICE_REMOVED] = "device-removed",
        [EVENT_PORT_STATE] = "port-state",
        [EVENT_PORT_NETDEV] = "port-netdev",
        [EVENT_GID_ADDED] = "gid-added",
        [EVENT_GID_REMOVED] = "gid-removed",
        [EVENT_NETDEV_ADDED] = "netdev-added",
        [EVENT_NETDEV_REMOVED] = "netdev-removed",
        [EVENT_NETDEV_RENAMED] = "netdev-renamed",
        [EVENT_NETDEV_STATE] = "netdev-state",
        [EVENT_NETDEV_MTU] = "netdev-mtu",
        [EVENT_ADDRESS_ADDED] = "address-added",
        [EVENT_ADDRESS_REMOVED] = "address-removed",
        [EVENT_NOTIFY] = "rdma",
        [EVENT_ASYNC] = "async",
        [EVENT_GAP] = "gap",
    };
    return names[kind];
}
