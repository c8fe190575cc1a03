/* SPDX-License-Identifier: MIT */
#include "source/netlink/parsers.h"

#include <errno.h>

#include "base/mem.h"
#include "source/netlink/message.h"

/* Dumps and single answers differ in nlmsg_type (PORT_GET's single answer calls itself GET), so it isn't
 * looked at. */
static bool next(struct messages *messages, struct attrs *attrs, int *result)
{
    struct message message;
    if (!messages_next_answer(messages, &message)) {
        if (messages->broken)
            *result = -EBADMSG;
        return false;
    }
    if (attrs_parse(attrs, message.payload, message.len, 0) < 0)
        *result = -EBADMSG;
    return true;
}

int nldev_parse_devices(const void *bytes, size_t len, struct arena *arena, struct nldev_device **devices,
                        size_t *count)
{
    struct messages messages = messages_of(bytes, len);
    struct attrs attrs;
    int result = 0;
    while (next(&messages, &attrs, &result)) {
        struct nldev_device device = {
            .index = attr_u32(attrs.at[RDMA_NLDEV_ATTR_DEV_INDEX]),
            .name = attr_text(attrs.at[RDMA_NLDEV_ATTR_DEV_NAME], arena),
            .nports = attr_u32(attrs.at[RDMA_NLDEV_ATTR_PORT_INDEX]),
            .cap_flags = attr_u64(attrs.at[RDMA_NLDEV_ATTR_CAP_FLAGS]),
            .fw_ver = attr_text(attrs.at[RDMA_NLDEV_ATTR_FW_VERSION], arena),
            .node_guid = attr_u64(attrs.at[RDMA_NLDEV_ATTR_NODE_GUID]),
            .sys_image_guid = attr_u64(attrs.at[RDMA_NLDEV_ATTR_SYS_IMAGE_GUID]),
            .node_type = attr_u8(attrs.at[RDMA_NLDEV_ATTR_DEV_NODE_TYPE]),
            .protocol = attr_text(attrs.at[RDMA_NLDEV_ATTR_DEV_PROTOCOL], arena),
            .dim = attr_u8(attrs.at[RDMA_NLDEV_ATTR_DEV_DIM]),
            .type = attr_text(attrs.at[NLDEV_DEV_TYPE], arena),
            .parent = attr_text(attrs.at[NLDEV_PARENT_NAME], arena),
        };
        if (device.index.known && device.name)
            *ARENA_PUSH(arena, *devices, *count) = device;
    }
    return result;
}

int nldev_parse_ports(const void *bytes, size_t len, struct arena *arena, struct nldev_port **ports,
                      size_t *count)
{
    struct messages messages = messages_of(bytes, len);
    struct attrs attrs;
    int result = 0;
    while (next(&messages, &attrs, &result)) {
        struct nldev_port port = {
            .device_index = attr_u32(attrs.at[RDMA_NLDEV_ATTR_DEV_INDEX]),
            .number = attr_u32(attrs.at[RDMA_NLDEV_ATTR_PORT_INDEX]),
            .state = attr_u8(attrs.at[RDMA_NLDEV_ATTR_PORT_STATE]),
            .phys_state = attr_u8(attrs.at[RDMA_NLDEV_ATTR_PORT_PHYS_STATE]),
            .netdev_index = attr_u32(attrs.at[RDMA_NLDEV_ATTR_NDEV_INDEX]),
            .netdev = attr_text(attrs.at[RDMA_NLDEV_ATTR_NDEV_NAME], arena),
        };
        if (port.device_index.known && port.number.known)
            *ARENA_PUSH(arena, *ports, *count) = port;
    }
    return result;
}

int nldev_parse_system(const void *bytes, size_t len, struct nldev_system *system)
{
    struct messages messages = messages_of(bytes, len);
    struct attrs attrs;
    int result = 0;
    if (!next(&messages, &attrs, &result))
        return -EBADMSG;
    *system = (struct nldev_system){
        .netns_mode = attr_u8(attrs.at[RDMA_NLDEV_SYS_ATTR_NETNS_MODE]),
        .copy_on_fork = attr_u8(attrs.at[RDMA_NLDEV_SYS_ATTR_COPY_ON_FORK]),
        .privileged_qkey = attr_u8(attrs.at[NLDEV_SYS_PRIVILEGED_QKEY]),
        .monitor_mode = attr_u8(attrs.at[NLDEV_SYS_MONITOR_MODE]),
    };
    return result;
}

int nldev_parse_chardev(const void *bytes, size_t len, struct arena *arena, struct nldev_chardev *chardev)
{
    struct messages messages = messages_of(bytes, len);
    struct attrs attrs;
    int result = 0;
    if (!next(&messages, &attrs, &result))
        return -EBADMSG;
    *chardev = (struct nldev_chardev){
        .name = attr_text(attrs.at[RDMA_NLDEV_ATTR_CHARDEV_NAME], arena),
        .abi = attr_u64(attrs.at[RDMA_NLDEV_ATTR_CHARDEV_ABI]),
        .dev = attr_u64(attrs.at[RDMA_NLDEV_ATTR_CHARDEV]),
        .driver_id = attr_u64(attrs.at[RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID]),
    };
    return result;
}
